import { newUuid, parseInstanceId } from '../ids.ts';
import type { Admin } from '../tenancy/access.ts';
import { accessAsAdmin } from '../tenancy/authenticate.ts';
import { findAdminToken, saveAdminToken } from '../tenancy/admin-token-store.ts';
import { findKey } from '../tenancy/credential-store.ts';
import { hashOf, newSecret } from '../tenancy/credentials.ts';
import { countInstances, oldestInstance } from '../tenancy/instance-store.ts';
import { createInstance, type Administering } from './instances.ts';
import { createKey } from './keys.ts';

/** Credentials that the environment gives; missing ones are made at the first start. */
export interface GivenCredentials {
  readonly apiKey?: string | undefined;
  readonly adminToken?: string | undefined;
}

/** Credentials that a first start made, shown once. */
export interface FirstCredentials {
  readonly apiKey: string;
  readonly adminToken: string;
}

/**
 * Makes the default instance with its key and the first admin token; null when there is an instance already. `keep` is
 * called with both before they open anything: a start that fails later must not leave a door without a key.
 */
export async function firstStart(
  d: Administering,
  given: GivenCredentials,
  keep: (credentials: FirstCredentials) => void = () => undefined,
): Promise<FirstCredentials | null> {
  if ((await countInstances(d.db)) > 0) return null;
  const adminToken = given.adminToken ?? newSecret(`${d.keyPrefix}admin`);
  const apiKey = given.apiKey ?? newSecret(d.keyPrefix);
  keep({ apiKey, adminToken });
  const admin = await ensureAdminToken(d, adminToken);
  const instance = await createInstance(d, admin, { name: 'default' });
  const access = await accessAsAdmin(d, admin, parseInstanceId(instance.id));
  await createKey(d, access, { label: 'first key', secret: apiKey });
  return { apiKey, adminToken };
}

/** A later start with other credentials in the environment takes those too. */
export async function takeGivenCredentials(d: Administering, given: GivenCredentials): Promise<void> {
  if (given.adminToken) await ensureAdminToken(d, given.adminToken);
  if (!given.apiKey || (await findKey(d.db, hashOf(given.apiKey)))) return;
  const admin: Admin = { kind: 'admin', tokenId: 'environment', role: 'owner' };
  const access = await accessAsAdmin(d, admin, await oldestInstance(d.db));
  await createKey(d, access, { label: 'from the environment', secret: given.apiKey });
}

async function ensureAdminToken(d: Administering, token: string): Promise<Admin> {
  const hash = hashOf(token);
  const known = await findAdminToken(d.db, hash);
  const id = known?.id ?? newUuid();
  if (!known) await saveAdminToken(d.db, { id, hash, role: 'owner', createdAt: d.now() });
  return Object.freeze({ kind: 'admin', tokenId: id, role: 'owner' });
}
