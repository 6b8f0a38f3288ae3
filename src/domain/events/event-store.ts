import type { Tx } from '../../db/database.ts';
import { newUuid } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import type { InstanceEvent } from './event.ts';

/** Records the event in the transaction of its cause: it is told if and only if it happened. Returns its UUID. */
export async function saveEvent(
  tx: Tx,
  { i, keys }: Pick<Access, 'i' | 'keys'>,
  { type, at, data }: InstanceEvent,
): Promise<string> {
  const id = newUuid();
  await tx.event.create({
    data: { i, id, type, createdAt: at, data: keys.seal('event.data', id, JSON.stringify(data)) },
  });
  return id;
}
