import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { newUuid } from '../ids.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import { testEventType, type InstanceEvent } from './event.ts';

/**
 * Records an event in the transaction of its cause, with a delivery for each active webhook that subscribes to its
 * type: it is told if and only if it happened. Without a subscriber nothing is recorded.
 */
export async function saveEvent(sql: Sql, access: Access, { type, at, about, data }: InstanceEvent): Promise<void> {
  const subscribers = Prisma.sql`state = 'active' AND ${type} = ANY(event_types)`;
  await insertEvent(sql, access, { type, at, about, data, to: subscribers });
}

/** Records an event that only this webhook is sent, whatever it subscribes to; returns the UUID of the delivery. */
export async function saveTestEvent(sql: Sql, access: Access, webhookId: string, at: Date): Promise<string | null> {
  const to = Prisma.sql`state = 'active' AND id = ${webhookId}::uuid`;
  const [deliveryId] = await insertEvent(sql, access, { type: testEventType, at, data: {}, to });
  return deliveryId ?? null;
}

interface NewEvent extends Omit<InstanceEvent, 'type' | 'about'> {
  readonly type: string;
  readonly about?: SubjectIds | undefined;
  /** Selects the webhooks that are sent it. */
  readonly to: Prisma.Sql;
}

/** Returns the UUIDs of the deliveries. */
async function insertEvent(
  sql: Sql,
  { instanceNumber, keys }: Access,
  { type, at, about, data, to }: NewEvent,
): Promise<string[]> {
  const id = newUuid();
  const { userId = '', customerId = '' } = about ?? {};
  const rows = await sql.$queryRaw<{ id: string }[]>`
    WITH subscriber AS (SELECT id FROM webhook WHERE i = ${instanceNumber} AND ${to}),
    event AS (
      INSERT INTO event (i, id, type, user_id, customer_id, created_at, data)
      SELECT ${instanceNumber}, ${id}::uuid, ${type}, ${userId}, ${customerId}, ${at}, ${keys.seal('event.data', id, JSON.stringify(data))}
      WHERE EXISTS (SELECT FROM subscriber)
      RETURNING id)
    INSERT INTO webhook_delivery (i, id, webhook_id, event_id, state, due_at, created_at)
    SELECT ${instanceNumber}, gen_random_uuid(), subscriber.id, event.id, 'pending', ${at}, ${at} FROM subscriber CROSS JOIN event
    RETURNING id`;
  return rows.map((row) => row.id);
}

/** Removes the events about these, also those that are still to be sent; returns how many there were. */
export async function removeEventsAbout(sql: Sql, access: Access, named: SubjectIds): Promise<number> {
  const { count } = await sql.event.deleteMany({ where: whereAbout(access, named) });
  return count;
}

/** Whether events are recorded about these subjects, who may be known by nothing else. */
export const hasEventsAbout = async (sql: Sql, access: Access, named: SubjectIds): Promise<boolean> =>
  (await sql.event.findFirst({ where: whereAbout(access, named), select: { id: true } })) !== null;

/** A user with all of their customers, unless one is named; a customer with all of its users. */
const whereAbout = ({ instanceNumber }: Access, { userId, customerId }: SubjectIds) => ({
  ...(userId ? { userId } : {}),
  ...(customerId ? { customerId } : {}),
  instanceNumber,
});

/** Removes events from before `time` with their deliveries, at most `limit`; returns how many there were. */
export const removeEventsBefore = (sql: Sql, time: Date, limit: number): Promise<number> =>
  sql.$executeRaw`
    DELETE FROM event WHERE (i, id) IN (
      SELECT i, id FROM event WHERE created_at < ${time} ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
