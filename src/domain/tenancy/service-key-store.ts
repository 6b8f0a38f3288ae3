import type { Db } from '../../db/database.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { KeyRing } from '../sealing/key-ring.ts';
import type { WrappedKey } from '../sealing/key-vault.ts';

const id = 'service';

interface ServiceKeyDependencies {
  readonly db: Db;
  readonly keyRing: KeyRing;
}

/** The keys for what belongs to no instance, such as audit rows of clients; made when they are first asked for. */
export async function serviceKeys({ db, keyRing }: ServiceKeyDependencies): Promise<InstanceKeys> {
  const existing = await readServiceKey(db);
  if (existing) return keyRing.keysOf(id, existing);
  // When two processes find none at the same time, one of them makes it and both read that one.
  const { bytes, masterKeyId } = await keyRing.newDataKey(id);
  await db.serviceKey.createMany({ data: [{ id, dataKey: bytes, masterKeyId }], skipDuplicates: true });
  return keyRing.keysOf(id, (await readServiceKey(db))!);
}

/** Null before it was first asked for. */
export async function readServiceKey(db: Db): Promise<WrappedKey | null> {
  const row = await db.serviceKey.findUnique({ where: { id } });
  return row && { bytes: row.dataKey, masterKeyId: row.masterKeyId };
}

/** Wraps it by the master key of now, unless it is. */
export async function rewrapServiceKey({ db, keyRing }: ServiceKeyDependencies): Promise<void> {
  const before = await readServiceKey(db);
  if (!before || before.masterKeyId === keyRing.masterKeyId) return;
  const { bytes, masterKeyId } = await keyRing.rewrap(id, before);
  await db.serviceKey.updateMany({ where: { id, dataKey: before.bytes }, data: { dataKey: bytes, masterKeyId } });
}
