import { transaction, type Db } from '../../db/database.ts';
import { pageOf, placeOf, type Page, type PageRequest } from '../cursor.ts';
import { notFound } from '../errors.ts';
import { newUuid, parseId, printId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { mayChange } from '../tenancy/authenticate.ts';
import { pageOfKeys, readKey, readKeys, saveKey, saveRevocation } from '../tenancy/credential-store.ts';
import { newSecret } from '../tenancy/credentials.ts';
import type { KeyRecord } from '../tenancy/instance.ts';
import type { Administering } from './instances.ts';
import { saveAudit } from './store.ts';

/** Makes a key of the instance; the key itself is told here and never again. `secret` gives one that is known already. */
export async function createKey(
  d: Pick<Administering, 'db' | 'keyPrefix' | 'now'>,
  access: Access,
  { label, secret = newSecret(d.keyPrefix) }: { label: string | null; secret?: string },
): Promise<{ key: string; record: KeyRecord }> {
  const { principal } = access;
  mayChange(principal);
  const id = newUuid();
  const at = d.now();
  const record = await transaction(d.db, async (tx) => {
    await saveAudit(tx, access, {
      actor: principal,
      action: 'key.create',
      target: printId('key', id),
      at,
      after: { label },
    });
    return saveKey(tx, access, { id, secret, label, at });
  });
  return { key: secret, record };
}

/** Ends a key at once, also for open streams. Throws `not_found`. */
export async function revokeKey(d: Pick<Administering, 'db' | 'now'>, access: Access, id: string): Promise<KeyRecord> {
  const { principal } = access;
  mayChange(principal);
  const keyId = parseId('key', id);
  const at = d.now();
  return transaction(d.db, async (tx) => {
    const key = await readKey(tx, access, keyId);
    if (!key) throw notFound('key');
    if (key.revokedAt) return key;
    const entry = { actor: principal, action: 'key.revoke', target: id, at };
    await saveAudit(tx, access, { ...entry, before: { revokedAt: null }, after: { revokedAt: at } });
    return saveRevocation(tx, access, keyId, at);
  });
}

/** Newest first, revoked ones too. */
export const listKeys = (db: Db, access: Access): Promise<KeyRecord[]> => readKeys(db, access);

/** The same, a page at a time. */
export async function listKeyPage(db: Db, access: Access, { limit, cursor }: PageRequest): Promise<Page<KeyRecord>> {
  const after = cursor ? placeOf(cursor) : undefined;
  const rows = await pageOfKeys(db, access, { limit: limit + 1, after });
  return pageOf(rows, limit, ({ id, createdAt }) => ({ at: createdAt, id: parseId('key', id) }));
}
