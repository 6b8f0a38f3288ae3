import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { maxTotalCount, type KeysetQuery } from '../pagination.ts';
import { toPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { keysetSql } from '../tenancy/keyset-store.ts';
import { maxAttemptsKept, type Delivery, type DeliveryAttempt, type DeliveryState } from './delivery.ts';
import type { EventType } from './event.ts';

/** A delivery that is due, as a worker has it for the time of its lease: sealed. */
export interface DueDelivery {
  readonly instanceNumber: bigint;
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  readonly eventAt: Date;
  readonly data: Uint8Array;
  readonly url: Uint8Array;
  readonly secret: Uint8Array;
  readonly previousSecret: Uint8Array | null;
  readonly previousSecretExpiresAt: Date | null;
  /** The end of its lease; another worker may take it from then on. */
  readonly leaseUntil: Date;
  /** Attempts that failed since it was due first, or was redelivered. */
  readonly failures: number;
}

/** Selects the due deliveries to lease. */
export interface LeaseQuery {
  readonly region: string;
  readonly now: Date;
  readonly leaseUntil: Date;
  /** The deliveries that this process has under way, which count towards `perInstance` and `perWebhook`. */
  readonly underWay: readonly Pick<DueDelivery, 'instanceNumber' | 'webhookId'>[];
  readonly perInstance: number;
  readonly perWebhook: number;
  readonly limit: number;
}

/**
 * Leases deliveries of this region that are due. Instances take turns, and the webhooks of each, those with the least
 * under way first; of a webhook what waits longest goes first, up to `perInstance` and `perWebhook`: slow receivers,
 * and instances with many of them, keep no others waiting. Of workers that ask together, one gets each.
 */
export const leaseDeliveries = (
  sql: Sql,
  { region, now, leaseUntil, underWay, perInstance, perWebhook, limit }: LeaseQuery,
): Promise<DueDelivery[]> =>
  sql.$queryRaw<DueDelivery[]>`
    WITH under_way AS (
      SELECT * FROM unnest(${underWay.map(({ instanceNumber }) => instanceNumber)}::bigint[],
        ${underWay.map(({ webhookId }) => webhookId)}::uuid[]) AS u (i, webhook_id)),
    due AS (
      SELECT d.i, d.id, d.due_at, coalesce(of_instance.count, 0) AS of_instance,
        coalesce(of_webhook.count, 0) + row_number() OVER (PARTITION BY w.id ORDER BY d.due_at) AS of_webhook
      FROM webhook w JOIN instance n ON n.i = w.i
      LEFT JOIN (SELECT i, count(*) FROM under_way GROUP BY i) AS of_instance ON of_instance.i = w.i
      LEFT JOIN (SELECT webhook_id, count(*) FROM under_way GROUP BY webhook_id) AS of_webhook
        ON of_webhook.webhook_id = w.id
      CROSS JOIN LATERAL (
        SELECT d.i, d.id, d.due_at FROM webhook_delivery d
        WHERE d.i = w.i AND d.webhook_id = w.id AND d.due_at <= ${now}::timestamptz
          AND (d.lease_until IS NULL OR d.lease_until <= ${now}::timestamptz)
        ORDER BY d.due_at LIMIT ${perWebhook}::int - coalesce(of_webhook.count, 0) FOR UPDATE SKIP LOCKED) AS d
      WHERE w.state = 'active' AND n.region = ${region} AND n.state <> 'purged'
        AND coalesce(of_instance.count, 0) < ${perInstance}::int
        -- Most often nothing is due, which one look into an index tells.
        AND EXISTS (SELECT FROM webhook_delivery WHERE due_at <= ${now}::timestamptz)),
    placed AS (
      SELECT i, id, due_at, of_instance + row_number() OVER (PARTITION BY i ORDER BY of_webhook, due_at) AS place FROM due),
    leased AS (
      UPDATE webhook_delivery SET lease_until = ${leaseUntil}::timestamptz WHERE (i, id) IN (
        SELECT i, id FROM placed WHERE place <= ${perInstance}::int ORDER BY place, due_at LIMIT ${limit})
      RETURNING i, id, webhook_id, event_id, lease_until, failures)
    SELECT leased.i AS "instanceNumber", leased.id, leased.webhook_id AS "webhookId", leased.event_id AS "eventId", e.type,
      e.created_at AS "eventAt", e.data, w.url, w.secret, w.previous_secret AS "previousSecret",
      w.previous_secret_expires_at AS "previousSecretExpiresAt", leased.lease_until AS "leaseUntil",
      leased.failures
    FROM leased JOIN webhook w ON w.i = leased.i AND w.id = leased.webhook_id
    JOIN event e ON e.i = leased.i AND e.id = leased.event_id`;

type DeliveryPlace = Pick<DueDelivery, 'instanceNumber' | 'id' | 'webhookId'>;

/** Keeps a success, which ends the failing of its webhook. */
export async function saveDelivered(
  sql: Sql,
  { instanceNumber, id, webhookId }: DeliveryPlace,
  attempt: DeliveryAttempt,
): Promise<void> {
  await sql.$executeRaw`
    WITH recovered AS (
      UPDATE webhook SET failing_since = NULL
      WHERE i = ${instanceNumber} AND id = ${webhookId}::uuid AND failing_since IS NOT NULL)
    UPDATE webhook_delivery SET state = 'delivered', due_at = NULL, lease_until = NULL, attempts = ${withAttempt(attempt)}
    WHERE i = ${instanceNumber} AND id = ${id}::uuid`;
}

/**
 * Keeps a failure, and when it is tried again: never, when that is null. Returns since when its webhook has been
 * failing. One that another worker delivered meanwhile stays delivered.
 */
export async function saveFailure(
  sql: Sql,
  { instanceNumber, id, webhookId }: DeliveryPlace,
  { attempt, dueAt }: { attempt: DeliveryAttempt; dueAt: Date | null },
): Promise<Date> {
  const rows = await sql.$queryRaw<{ since: Date | null }[]>`
    WITH failed AS (
      UPDATE webhook_delivery SET state = ${dueAt ? 'pending' : 'dead_letter'}, due_at = ${dueAt}::timestamptz,
        lease_until = NULL, failures = failures + 1, attempts = ${withAttempt(attempt)}
      WHERE i = ${instanceNumber} AND id = ${id}::uuid AND state = 'pending'),
    failing AS (
      UPDATE webhook SET failing_since = ${attempt.at}::timestamptz
      WHERE i = ${instanceNumber} AND id = ${webhookId}::uuid AND failing_since IS NULL)
    SELECT failing_since AS since FROM webhook WHERE i = ${instanceNumber} AND id = ${webhookId}::uuid`;
  return rows[0]?.since ?? attempt.at;
}

/** The last attempts of a delivery, with this one. */
const withAttempt = ({ at, status, failure, milliseconds }: DeliveryAttempt): Prisma.Sql => {
  const stored: StoredAttempt = { at: at.toISOString(), status, failure, milliseconds };
  return Prisma.sql`
    (CASE WHEN jsonb_array_length(attempts) >= ${maxAttemptsKept} THEN attempts - 0 ELSE attempts END)
      || ${JSON.stringify([stored])}::jsonb`;
};

/** Gives the lease back: nothing came of it. One that ended meanwhile may be another worker's, and stays. */
export async function releaseDelivery(
  sql: Sql,
  { instanceNumber, id, leaseUntil }: Pick<DueDelivery, 'instanceNumber' | 'id' | 'leaseUntil'>,
): Promise<void> {
  await sql.$executeRaw`
    UPDATE webhook_delivery SET lease_until = NULL
    WHERE i = ${instanceNumber} AND id = ${id}::uuid AND lease_until = ${leaseUntil}::timestamptz`;
}

/** Gives back every lease: for the one process of the embedded default, whose predecessor is gone. */
export async function releaseDeliveries(sql: Sql): Promise<void> {
  await sql.$executeRaw`UPDATE webhook_delivery SET lease_until = NULL WHERE lease_until IS NOT NULL`;
}

/** Sends a delivery once more from the beginning; false when the instance has none of this UUID. */
export async function saveRedelivery(sql: Sql, access: Access, id: string, at: Date): Promise<boolean> {
  const redelivered = await sql.$executeRaw`
    UPDATE webhook_delivery SET state = 'pending', failures = 0, due_at = ${at}::timestamptz, lease_until = NULL
    WHERE id = ${id}::uuid AND i = ${access.instanceNumber}`;
  return redelivered === 1;
}

/** Lists by state; all without one. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined;
}

/** Reads a delivery by UUID; null when the instance has none. */
export async function readDelivery(sql: Sql, access: Access, id: string): Promise<Delivery | null> {
  const rows = await sql.$queryRaw<Row[]>`
    SELECT ${columns} FROM ${tables} WHERE d.id = ${id}::uuid AND d.i = ${access.instanceNumber}`;
  return rows[0] ? fromRow(rows[0]) : null;
}

/** A page of the deliveries of a webhook by their time of creation. */
export async function readDeliveryRows(
  sql: Sql,
  access: Access,
  webhookId: string,
  { limit, state, ...keysetQuery }: KeysetQuery & DeliveryFilter,
): Promise<Delivery[]> {
  const { order, behind } = keysetSql('d', keysetQuery);
  const isInState = state ? [Prisma.sql`d.state = ${state}`] : [];
  const where = [Prisma.sql`d.webhook_id = ${webhookId}::uuid`, ...behind, ...isInState];
  const rows = await sql.$queryRaw<Row[]>`
    SELECT ${columns} FROM ${tables} WHERE ${Prisma.join(where, ' AND ')} AND d.i = ${access.instanceNumber}
    ORDER BY ${order} LIMIT ${limit}`;
  return rows.map(fromRow);
}

/** At most one more than `maxTotalCount`. */
export const countDeliveries = (
  sql: Sql,
  { instanceNumber }: Access,
  webhookId: string,
  { state }: DeliveryFilter,
): Promise<number> =>
  sql.webhookDelivery.count({
    where: { webhookId, ...(state ? { state } : {}), instanceNumber },
    take: maxTotalCount + 1,
  });

interface StoredAttempt extends Omit<DeliveryAttempt, 'at'> {
  readonly at: string;
}

interface Row {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  readonly state: string;
  readonly webhookState: string;
  readonly attempts: unknown;
  readonly dueAt: Date | null;
  readonly createdAt: Date;
}

const columns = Prisma.sql`d.id, d.webhook_id AS "webhookId", d.event_id AS "eventId", e.type, d.state,
  w.state AS "webhookState", d.attempts, d.due_at AS "dueAt", d.created_at AS "createdAt"`;
const tables = Prisma.sql`webhook_delivery d JOIN event e ON e.i = d.i AND e.id = d.event_id
  JOIN webhook w ON w.i = d.i AND w.id = d.webhook_id`;

const fromRow = (row: Row): Delivery => ({
  id: toPublicId('delivery', row.id),
  webhookId: toPublicId('webhook', row.webhookId),
  eventId: toPublicId('event', row.eventId),
  type: row.type as EventType,
  state: row.state as DeliveryState,
  attempts: (row.attempts as readonly StoredAttempt[]).map(({ at, status, failure, milliseconds }) => ({
    at: new Date(at),
    status,
    failure,
    milliseconds,
  })),
  nextAttemptAt: row.webhookState === 'active' ? row.dueAt : null,
  createdAt: row.createdAt,
});
