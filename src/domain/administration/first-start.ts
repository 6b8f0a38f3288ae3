import { newUuid, parseInstanceId } from '../ids.ts';
import type { Admin } from '../tenancy/access.ts';
import { accessAsAdmin } from '../tenancy/authenticate.ts';
import { findAdminToken, saveAdminToken } from '../tenancy/admin-token-store.ts';
import { findKey } from '../tenancy/credential-store.ts';
import { hashSecret, newSecret } from '../tenancy/credentials.ts';
import { countInstances, oldestInstance } from '../tenancy/instance-store.ts';
import { createInstance, type AdministrationDependencies } from './instances.ts';
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
 * called with both before they open anything: a start that fails later must not leave an instance without a key.
 */
export async function createFirstCredentials(
  deps: AdministrationDependencies,
  input: GivenCredentials,
  keep: (credentials: FirstCredentials) => void = () => undefined,
): Promise<FirstCredentials | null> {
  if ((await countInstances(deps.db)) > 0) return null;
  const adminToken = input.adminToken ?? newSecret(`${deps.keyPrefix}admin`);
  const apiKey = input.apiKey ?? newSecret(deps.keyPrefix);
  keep({ apiKey, adminToken });
  const admin = await ensureAdminToken(deps, adminToken);
  const instance = await createInstance(deps, admin, { name: 'default' });
  const access = await accessAsAdmin(deps, admin, parseInstanceId(instance.id));
  await createKey(deps, access, { label: 'first key', secret: apiKey });
  return { apiKey, adminToken };
}

/** A later start with other credentials in the environment takes those too. */
export async function acceptGivenCredentials(deps: AdministrationDependencies, input: GivenCredentials): Promise<void> {
  if (input.adminToken) await ensureAdminToken(deps, input.adminToken);
  if (!input.apiKey || (await findKey(deps.db, hashSecret(input.apiKey)))) return;
  const admin: Admin = { kind: 'admin', tokenId: 'environment', role: 'owner' };
  const access = await accessAsAdmin(deps, admin, await oldestInstance(deps.db));
  await createKey(deps, access, { label: 'from the environment', secret: input.apiKey });
}

async function ensureAdminToken(deps: AdministrationDependencies, token: string): Promise<Admin> {
  const hash = hashSecret(token);
  const existing = await findAdminToken(deps.db, hash);
  const id = existing?.id ?? newUuid();
  if (!existing) await saveAdminToken(deps.db, { id, hash, role: 'owner', createdAt: deps.now() });
  return Object.freeze({ kind: 'admin', tokenId: id, role: 'owner' });
}
