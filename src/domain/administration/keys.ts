import { transaction, type Db, type Tx } from '../../db/database.ts';
import { writeTransaction, type WriteDependencies } from '../invalidation/write-transaction.ts';
import { instanceOwnerNo } from '../invalidation/invalidation.ts';
import { pageFromRows, parsePageRequest, type Page, type PageRequest } from '../pagination.ts';
import { invalidInputError, notFoundError } from '../errors.ts';
import { newUuid, parseId, toPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { readKeyRows, readKey, saveKey, saveRate, saveRevocation } from '../tenancy/credential-store.ts';
import { newSecret } from '../tenancy/credentials.ts';
import type { KeyRecord } from '../tenancy/credential.ts';
import type { Rate } from '../tenancy/rate.ts';
import type { AdministrationDependencies } from './instances.ts';
import { saveInstanceAudit } from './audit-store.ts';

/** Makes a key of the instance; the key itself is returned only here. */
export async function createKey(
  deps: Pick<AdministrationDependencies, 'db' | 'keyPrefix' | 'now'>,
  access: Access,
  input: NewKey,
): Promise<{ key: string; record: KeyRecord }> {
  return transaction(deps.db, (tx) => createKeyWithin(tx, deps, access, input));
}

/** A key about to be made; `secret` gives one that is known already. */
interface NewKey {
  readonly label: string | null;
  readonly rate?: Rate | undefined;
  readonly secret?: string;
}

/** Makes a key of the instance within a transaction. */
export async function createKeyWithin(
  tx: Tx,
  deps: Pick<AdministrationDependencies, 'keyPrefix' | 'now'>,
  access: Access,
  { label, rate, secret = newSecret(deps.keyPrefix) }: NewKey,
): Promise<{ key: string; record: KeyRecord }> {
  if (rate) checkRate(rate);
  const [id, at] = [newUuid(), deps.now()];
  const after = { label, rate };
  await saveInstanceAudit(tx, access, { action: 'key.create', target: toPublicId('key', id), at, after });
  return { key: secret, record: await saveKey(tx, access, { id, secret, label, rate, at }) };
}

/** Ends a key at once, also for open streams. Throws `not_found`. */
export async function revokeKey(
  deps: WriteDependencies & Pick<AdministrationDependencies, 'now'>,
  access: Access,
  id: string,
): Promise<KeyRecord> {
  const keyId = parseId('key', id);
  const at = deps.now();
  const revoked = await writeTransaction(deps, async (tx) => {
    const key = await readKey(tx, access, keyId);
    if (!key) throw notFoundError('key');
    if (key.revokedAt) return key;
    const entry = { action: 'key.revoke', target: id, at };
    await saveInstanceAudit(tx, access, { ...entry, before: { revokedAt: null }, after: { revokedAt: at } });
    return saveRevocation(tx, access, keyId, at);
  });
  // Whoever revoked it before may still wait for its streams.
  await deps.invalidation.awaitPropagation(access.instanceNumber, [instanceOwnerNo]);
  return revoked;
}

/** Sets the rate limit of a key from its next call on; null restores the default. Throws `not_found`. */
export async function setKeyRateLimit(
  deps: WriteDependencies & Pick<AdministrationDependencies, 'now'>,
  access: Access,
  { id, rate }: { id: string; rate: Rate | null },
): Promise<KeyRecord> {
  if (rate) checkRate(rate);
  const keyId = parseId('key', id);
  return writeTransaction(deps, async (tx) => {
    if (!(await readKey(tx, access, keyId))) throw notFoundError('key');
    await saveInstanceAudit(tx, access, { action: 'key.limit', target: id, at: deps.now(), after: rate });
    return saveRate(tx, access, keyId, rate);
  });
}

const mostPerMinute = 1_000_000;

function checkRate({ perMinute, burst }: Rate): void {
  for (const [field, value] of [
    ['requests_per_minute', perMinute],
    ['burst', burst],
  ] as const) {
    if (Number.isInteger(value) && value >= 1 && value <= mostPerMinute) continue;
    throw invalidInputError(field, `must be a whole number from 1 to ${mostPerMinute}`);
  }
}

/** The keys of the instance, revoked ones too. */
export async function listKeys(db: Db, access: Access, request: PageRequest): Promise<Page<KeyRecord>> {
  const keysetQuery = parsePageRequest('keys', request);
  const rows = await readKeyRows(db, access, keysetQuery);
  return pageFromRows(rows, keysetQuery, ({ id, createdAt }) => ({ at: createdAt, id: parseId('key', id) }));
}
