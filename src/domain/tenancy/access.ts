import { instanceItself, type AsOf } from '../freshness/freshness.ts';
import type { InstanceId } from '../ids.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { Rate } from './rate.ts';

/** How specific an owner is, most specific first. */
export const scopes = ['USER', 'CUSTOMER', 'CLIENT', 'WORLD'] as const;
export type Scope = (typeof scopes)[number];

/** Whether a user is one person whoever their customer is, or another one in each customer. */
export const isolations = ['b2c', 'b2b'] as const;
export type Isolation = (typeof isolations)[number];

/** Where one memory lives. Empty ids mean none. */
export interface Owner {
  readonly ownerNo: number;
  readonly level: Scope;
  readonly customerId: string;
  readonly userId: string;
}

/** An owner as a reader meets it, with the counts that word statistics need. */
export interface ReadableOwner extends Owner {
  readonly revision: bigint;
  readonly memoryCount: number;
  /** Sum of the lengths of its memories, in stems. */
  readonly termTotal: number;
}

/** The revisions of these owners, by their numbers. */
export const revisionsIn = (owners: readonly Pick<ReadableOwner, 'ownerNo' | 'revision'>[]): Map<number, bigint> =>
  new Map(owners.map(({ ownerNo, revision }) => [ownerNo, revision]));

/**
 * Whether these owners, all that a reader reads, tell of every change of what is shown of their memories. Of what is
 * linked to a user's memories within a customer, the customer's owner tells, once there is one: one who reads that user
 * in every customer may not read it. `customerId`: whom the reader names, where that is known.
 */
export const tellAll = (reads: readonly ReadableOwner[], customerId?: string): boolean =>
  reads.every(
    ({ level, customerId: of }) =>
      level !== 'USER' ||
      of === '' ||
      of === customerId ||
      reads.some((owner) => owner.level === 'CUSTOMER' && owner.customerId === of),
  );

/** Whom a caller names. */
export interface Named {
  readonly userId?: string | undefined;
  readonly customerId?: string | undefined;
}

/** What an admin token may do, most first; `roles.ts` says what each is for. */
export const adminRoles = ['owner', 'admin', 'viewer'] as const;
export type AdminRole = (typeof adminRoles)[number];

/** Whom a browser token speaks for. Without a user, a customer's; without both, what the whole client shares. */
export interface Bound extends Named {
  /** The only conversation that it may name, by its UUID; undefined: any of theirs. */
  readonly conversationId?: string | undefined;
}

/** Who asks. Made once, from a credential, and never changed. */
export type Principal = Key | Browser | { readonly kind: 'admin'; readonly tokenId: string; readonly role: AdminRole };

/** An agent. */
export interface Key {
  readonly kind: 'key';
  readonly keyId: string;
  readonly rate?: Rate | undefined;
}

/**
 * A browser, by a short-lived token that a key made. Its calls count as that key's in the usage figures, and are limited
 * by a rate of the token. See docs/decisions/0033 and 0045.
 */
export interface Browser {
  readonly kind: 'browser';
  readonly tokenId: string;
  readonly keyId: string;
  readonly bound: Bound;
  readonly expiresAt: Date;
}

/** An administrator: of every instance, and of none of its agents. */
export type Admin = Extract<Principal, { kind: 'admin' }>;

/** The id of the credential that opened it. */
export const credentialIdOf = (principal: Principal): string =>
  principal.kind === 'key' ? principal.keyId : principal.tokenId;

/**
 * Who asks, in which instance, and the owners they may read: the last word of every query. `reads` is `instance` for
 * what lists a whole instance; a fetch or stream always has the owners of the reader table.
 */
export interface Access {
  readonly principal: Principal;
  readonly instance: InstanceId;
  /** The instance as the leading column of every key. */
  readonly i: bigint;
  readonly keys: InstanceKeys;
  readonly configurationVersion: number;
  /** As of which the credential was read. */
  readonly instanceRevision: bigint;
  readonly reads: 'instance' | readonly ReadableOwner[];
}

/** An access whose owners are known. */
export type OwnedAccess = Access & { readonly reads: readonly ReadableOwner[] };

/** The owners as statements name them. */
export const ownerNumbers = (access: OwnedAccess) => access.reads.map((owner) => owner.ownerNo);

/** As of which revisions it was made: what is read with it is as new. */
export function asOf(access: Access): AsOf {
  const owners = access.reads === 'instance' ? [] : access.reads;
  const revisions = revisionsIn(owners);
  return { i: access.i, revisions: revisions.set(instanceItself, access.instanceRevision) };
}

/** Whether the access reaches what the owner holds. */
export const mayRead = (access: Access, ownerNo: number) =>
  access.reads === 'instance' || access.reads.some((owner) => owner.ownerNo === ownerNo);
