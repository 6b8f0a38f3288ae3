import type { Db, Sql } from '../../db/database.ts';
import { DomainError, notFoundError } from '../errors.ts';
import { instanceIdOf, instanceNumberOf, type InstanceId } from '../ids.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { KeyRing } from '../sealing/key-ring.ts';
import type { Access, Admin, AdminRole, BrowserPrincipal, KeyPrincipal, Principal } from './access.ts';
import { findBrowserToken, findBrowserTokenById, type BrowserTokenRow } from './browser-token-store.ts';
import { findAdminToken } from './admin-token-store.ts';
import { findKey, findKeyById, type KeyRow } from './credential-store.ts';
import { bearerTokenOf, hashSecret, isBrowserToken } from './credentials.ts';
import { findInstance, type InstanceRow } from './instance-store.ts';
import { requireClientReach } from './client-reach.ts';
import type { AuthenticatedKeyCache } from './authenticated-key-cache.ts';
import { serviceKeys } from './service-key-store.ts';

export interface AuthenticationDependencies {
  readonly db: Db;
  readonly keyRing: KeyRing;
  readonly now: () => Date;
  /** The region whose instances this process serves. */
  readonly region: string;
}

/**
 * The caller that a credential opens the service to: an instance (a key), what some of its readers may read (a browser
 * token), or administration (an admin token; `keys` seal what is of no instance).
 */
export type AuthenticatedCaller =
  | { readonly kind: 'instance'; readonly access: Access }
  | { readonly kind: 'browser'; readonly access: Access }
  | { readonly kind: 'admin'; readonly admin: Admin; readonly keys: InstanceKeys };

/**
 * Opens what a credential opens as of this call, so that a revocation counts at once: a key that was opened before is
 * read again unless this process knows that nothing of its instance changed. Throws `unauthenticated` alike for a
 * missing, malformed, unknown and revoked one; `token_expired` for a browser token after its time; `forbidden` for a
 * suspended instance; `misdirectedError` for one of another region.
 */
export async function authenticate(
  deps: AuthenticationDependencies & { readonly openedKeys: AuthenticatedKeyCache },
  header: string | undefined,
): Promise<AuthenticatedCaller> {
  const secret = bearerTokenOf(header);
  if (!secret) throw unauthenticated();
  const hash = hashSecret(secret);
  if (isBrowserToken(secret)) {
    return { kind: 'browser', access: await browserAccess(deps, await findBrowserToken(deps.db, hash)) };
  }
  const access = await deps.openedKeys.get(hash, async () => {
    const key = await findKey(deps.db, hash);
    return key && accessOf(deps, key, principalOf(deps, key));
  });
  if (access) return { kind: 'instance', access };
  const token = await findAdminToken(deps.db, hash);
  if (!token || token.revokedAt) throw unauthenticated();
  const admin = Object.freeze({ kind: 'admin', tokenId: token.id, role: token.role as AdminRole });
  return { kind: 'admin', admin, keys: await serviceKeys(deps) };
}

/** An administrator's access to an instance they name; it lists and administers, and never fetches or submits. */
export async function accessAsAdmin(
  deps: Omit<AuthenticationDependencies, 'db'> & { readonly db: Sql },
  admin: Admin,
  instance: InstanceId,
): Promise<Access> {
  const row = await findInstance(deps.db, instanceNumberOf(instance));
  // A purged one has no data key any more: nothing of it can be opened.
  if (!row || row.instanceState === 'purged') throw notFoundError('instance');
  requireClientReach(admin, row.clientId, 'instance');
  if (row.region !== deps.region) throw misdirectedError(row.region);
  return accessOf(deps, row, admin);
}

/** This process's own access to an instance, for work without a caller: who may do what is read from the rows. */
export const accessAsWorker = (
  deps: AuthenticationDependencies,
  { instanceNumber }: { readonly instanceNumber: bigint },
): Promise<Access> => accessAsAdmin(deps, worker, instanceIdOf(instanceNumber));

/** The process's own access, made of a caller's access of a moment ago. */
export const toWorkerAccess = (access: Access): Access =>
  Object.freeze({ ...access, principal: worker, readableOwners: 'instance' as const });

const worker = Object.freeze({ kind: 'admin', tokenId: 'worker', role: 'owner' });

/** The access of a browser token reads nothing until it is narrowed, and narrows only to those it is bound to. */
async function browserAccess(deps: AuthenticationDependencies, row: BrowserTokenRow | undefined): Promise<Access> {
  if (!row) throw unauthenticated();
  const access = await accessOf(deps, row, browserOf(deps, row));
  return Object.freeze({ ...access, readableOwners: Object.freeze([]) });
}

const unauthenticated = () =>
  new DomainError('unauthenticated', 'a valid API key is needed: Authorization: Bearer <key>');

/** Told only to whoever holds the token: it was found by its hash. */
export const tokenExpiredError = () =>
  new DomainError('token_expired', 'this browser token has expired: ask the agent that made it for another');

function principalOf({ region }: Pick<AuthenticationDependencies, 'region'>, key: KeyRow): KeyPrincipal {
  if (key.revokedAt) throw unauthenticated();
  if (key.region !== region) throw misdirectedError(key.region);
  if (key.instanceState !== 'active') throw new DomainError('forbidden', `this instance is ${key.instanceState}`);
  if (key.clientState !== 'active') throw new DomainError('forbidden', `this client is ${key.clientState}`);
  const { keyId, requestsPerMinute: perMinute, burst } = key;
  return Object.freeze({ kind: 'key', keyId, ...(perMinute && burst ? { rate: { perMinute, burst } } : {}) });
}

/** Throws also when the key that made the token is invalid. */
function browserOf(deps: Pick<AuthenticationDependencies, 'region' | 'now'>, row: BrowserTokenRow): BrowserPrincipal {
  const { keyId } = principalOf(deps, row);
  const { tokenId, expiresAt, userId, customerId, conversationId } = row;
  if (expiresAt <= deps.now()) throw tokenExpiredError();
  const bound = {
    userId: userId || undefined,
    customerId: customerId || undefined,
    conversationId: conversationId ?? undefined,
  };
  return Object.freeze({ kind: 'browser', keyId, tokenId, bound: Object.freeze(bound), expiresAt });
}

/** The instance lies in another region than this server. */
export function misdirectedError(region: string): DomainError {
  const message = `this instance is in ${region}, which this server does not serve: use the address of that region`;
  return new DomainError('misdirected', message, { details: { region } });
}

async function accessOf(
  { keyRing }: Pick<AuthenticationDependencies, 'keyRing'>,
  row: InstanceRow,
  principal: Principal,
): Promise<Access> {
  const instance = instanceIdOf(row.instanceNumber);
  return Object.freeze({
    principal,
    instance,
    instanceNumber: row.instanceNumber,
    keys: await keyRing.keysOf(instance, { bytes: row.dataKey, masterKeyId: row.masterKeyId }),
    configurationVersion: row.configurationVersion,
    instanceRevision: row.instanceRevision,
    eventTypes: row.eventTypes,
    readableOwners: 'instance',
  });
}

/**
 * The access that the key or browser token of this one opens now, to the whole instance. Throws as `authenticate` does
 * once it opens it no more.
 */
export async function reauthenticate(
  deps: AuthenticationDependencies,
  { principal, instanceNumber }: Access,
): Promise<Access> {
  if (principal.kind === 'browser') {
    return browserAccess(deps, await findBrowserTokenById(deps.db, instanceNumber, principal.tokenId));
  }
  const key = principal.kind === 'key' && (await findKeyById(deps.db, instanceNumber, principal.keyId));
  if (!key) throw unauthenticated();
  return accessOf(deps, key, principalOf(deps, key));
}
