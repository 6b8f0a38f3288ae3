import { DomainError, fieldError } from '../errors.ts';
import { instanceOwnerNo, type ReadVersions } from '../invalidation/invalidation.ts';
import type { InstanceId } from '../ids.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { Rate } from './rate.ts';

/** The scopes of owners, most specific first. */
export const scopes = ['USER', 'CUSTOMER', 'CLIENT', 'WORLD'] as const;
export type Scope = (typeof scopes)[number];

/** `b2c`: a user is one person whoever their customer is; `b2b`: another one in each customer. */
export const isolations = ['b2c', 'b2b'] as const;
export type Isolation = (typeof isolations)[number];

/** The owner of memories. Empty ids mean none. */
export interface Owner {
  readonly ownerNo: number;
  readonly scope: Scope;
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
export const revisionsByOwner = (owners: readonly Pick<ReadableOwner, 'ownerNo' | 'revision'>[]): Map<number, bigint> =>
  new Map(owners.map(({ ownerNo, revision }) => [ownerNo, revision]));

/** A text that differs as soon as anything changes that readers of these owners may see, or who the owners are. */
export const versionVectorOf = (owners: readonly Pick<ReadableOwner, 'ownerNo' | 'revision'>[]): string =>
  owners
    .toSorted((one, other) => one.ownerNo - other.ownerNo)
    .map(({ ownerNo, revision }) => `${ownerNo}:${revision}`)
    .join();

/** The numbers of the owners whose revisions a version vector holds. */
export const ownerNosIn = (versionVector: string): number[] =>
  versionVector
    .split(',')
    .filter(Boolean)
    .map((each) => Number(each.split(':')[0]));

/**
 * Whether the revisions of these owners, all that a reader reads, rise with every change of what is shown of their
 * memories. A change of what is linked to a user's memories within a customer raises the customer's owner, once there
 * is one, which a reader of that user in every customer may not read. `customerId`: the one that the reader names.
 */
export const revisionsCoverReads = (reads: readonly ReadableOwner[], customerId?: string): boolean =>
  reads.every(
    ({ scope, customerId: of }) =>
      scope !== 'USER' ||
      of === '' ||
      of === customerId ||
      reads.some((owner) => owner.scope === 'CUSTOMER' && owner.customerId === of),
  );

/** The user and customer that a caller names. */
export interface SubjectIds {
  readonly userId?: string | undefined;
  readonly customerId?: string | undefined;
}

/** The roles of admin tokens, the most powerful first; `roles.ts` says what each may do. */
export const adminRoles = ['owner', 'admin', 'viewer'] as const;
export type AdminRole = (typeof adminRoles)[number];

/**
 * The owner that a browser token is bound to. Without a user, a customer's; without both, what the whole client shares.
 */
export interface BrowserBinding extends SubjectIds {
  /** The only conversation that it may name, by its UUID; undefined: any of theirs. */
  readonly conversationId?: string | undefined;
}

/** An authenticated caller. Made once, from a credential, and never changed. */
export type Principal = KeyPrincipal | BrowserPrincipal | Administrator;

/** A person with a role, by an admin token or a session of the dashboard. */
interface Administrator {
  readonly kind: 'admin';
  /** The id of the admin token; of a user, the user's. */
  readonly tokenId: string;
  readonly role: AdminRole;
  /** The only client that they reach; undefined: every client. */
  readonly clientId?: string | undefined;
  /** The user of the dashboard; undefined: whoever holds the token. */
  readonly userId?: string | undefined;
  /** The session of the dashboard that they ask in. */
  readonly sessionId?: string | undefined;
}

/** An agent. */
export interface KeyPrincipal {
  readonly kind: 'key';
  readonly keyId: string;
  readonly rate?: Rate | undefined;
}

/**
 * A browser, by a short-lived token that a key made. Its calls count as that key's in the usage figures, and are
 * limited by a rate of the token. See docs/decisions/0033 and 0045.
 */
export interface BrowserPrincipal {
  readonly kind: 'browser';
  readonly tokenId: string;
  readonly keyId: string;
  readonly bound: BrowserBinding;
  readonly expiresAt: Date;
}

/** An administrator: of every instance that they reach, and of none of its agents. */
export type Admin = Extract<Principal, { kind: 'admin' }>;

/** The id of the credential that opened it. */
export const credentialIdOf = (principal: Principal): string =>
  principal.kind === 'key' ? principal.keyId : principal.tokenId;

/**
 * The caller, the instance, and the owners that may be read, which every query applies as its final filter.
 * `readableOwners` is `instance` for lists of a whole instance; a fetch or stream always has the owners of the reader
 * table.
 */
export interface Access {
  readonly principal: Principal;
  readonly instance: InstanceId;
  /** The instance as the leading column of every key. */
  readonly instanceNumber: bigint;
  readonly keys: InstanceKeys;
  readonly configurationVersion: number;
  /** The revision of the instance under which the credential was read. */
  readonly instanceRevision: bigint;
  /** The types of events that an active webhook of the instance subscribes to. */
  readonly eventTypes: readonly string[];
  readonly readableOwners: 'instance' | readonly ReadableOwner[];
}

/** An access whose owners are known. */
export type NarrowedAccess = Access & { readonly readableOwners: readonly ReadableOwner[] };

/** The owners as statements name them. */
export const readableOwnerNumbers = (access: NarrowedAccess) => access.readableOwners.map((owner) => owner.ownerNo);

/** The owner and instance revisions that this access was built from: what it reads is at least as recent. */
export function readVersionsOf(access: Access): ReadVersions {
  const owners = access.readableOwners === 'instance' ? [] : access.readableOwners;
  const revisions = revisionsByOwner(owners);
  return { instanceNumber: access.instanceNumber, revisions: revisions.set(instanceOwnerNo, access.instanceRevision) };
}

/** Whether the access reaches what the owner holds. */
export const mayReadOwner = (access: Access, ownerNo: number) =>
  access.readableOwners === 'instance' || access.readableOwners.some((owner) => owner.ownerNo === ownerNo);

const fields = { userId: 'user_id', customerId: 'customer_id', conversationId: 'conversation_id' } as const;

/**
 * Resolves whom a browser names to those its token is bound to. Throws `forbidden` for anybody else: a token never
 * widens. A conversation is named by its UUID.
 */
export function resolveBrowserBinding({ bound }: BrowserPrincipal, named: BrowserBinding): BrowserBinding {
  for (const [key, field] of Object.entries(fields) as [keyof BrowserBinding, string][]) {
    const isOther = named[key] !== undefined && named[key] !== bound[key];
    // A token of somebody, and of none of their conversations, may name each of them: whose it is, its rows tell.
    if (!isOther || (key === 'conversationId' && bound.conversationId === undefined)) continue;
    throw fieldError('forbidden', field, 'this browser token is bound to another: leave it out');
  }
  return bound;
}

/**
 * The access narrowed to these owners: those that the named user and customer may read. Throws `forbidden` for a
 * browser that names others than it is bound to, and `invalid_input` where an instance keeps customers apart and none
 * is named.
 */
export function narrowAccess(
  access: Access,
  owners: readonly ReadableOwner[],
  { named, isolation }: { readonly named: SubjectIds; readonly isolation: Isolation },
): NarrowedAccess {
  requireBound(access.principal, named);
  requireCustomerOfUser(named, isolation);
  return Object.freeze({ ...access, readableOwners: Object.freeze(owners) });
}

/**
 * Throws `invalid_input` for a user without a customer where an instance keeps customers apart: what was written for
 * them could be read by nobody.
 */
export function requireCustomerOfUser({ userId, customerId }: SubjectIds, isolation: Isolation): void {
  if (isolation !== 'b2b' || !userId || customerId) return;
  throw new DomainError('invalid_input', 'customer_id: this instance keeps customers apart, so a user needs one', {
    fields: [{ field: 'customer_id', message: 'is needed beside user_id in this instance' }],
  });
}

/** The access without the owners of other scopes. */
export const narrowToScopes = (access: NarrowedAccess, kept: readonly Scope[] | undefined): NarrowedAccess =>
  kept ? { ...access, readableOwners: access.readableOwners.filter(({ scope }) => kept.includes(scope)) } : access;

function requireBound(principal: Principal, { userId, customerId }: SubjectIds): void {
  if (principal.kind !== 'browser') return;
  const { bound } = principal;
  if (userId === bound.userId && customerId === bound.customerId) return;
  throw new DomainError('forbidden', 'a browser token reads what those it is bound to may read, and nothing else');
}
