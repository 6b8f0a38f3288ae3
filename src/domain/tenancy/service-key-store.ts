import type { Db } from '../../db/database.ts';
import type { InstanceKeys, KeyRing } from '../sealing/instance-keys.ts';

const id = 'service';

/** The keys for what is sealed of no instance, such as the audit rows of clients; made when they are first asked for. */
export async function serviceKeys({ db, keyRing }: { db: Db; keyRing: KeyRing }): Promise<InstanceKeys> {
  const known = await db.serviceKey.findUnique({ where: { id } });
  if (known) return keyRing.keysOf(id, known.dataKey);
  // Of two processes that find none, one makes it and both read that one.
  await db.serviceKey.createMany({ data: [{ id, dataKey: await keyRing.newDataKey() }], skipDuplicates: true });
  const made = await db.serviceKey.findUniqueOrThrow({ where: { id } });
  return keyRing.keysOf(id, made.dataKey);
}
