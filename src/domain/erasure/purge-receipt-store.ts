import type { Sql, Tx } from '../../db/database.ts';
import { newUuid, toPublicId } from '../ids.ts';

/** The result of a purge: what each store removed, and what was found there afterwards. Counts, never text. */
export interface PurgeReceipt {
  readonly id: string;
  /** The time from which the instance opened to nobody. */
  readonly purgedAt: Date;
  /** Null while rows are still being removed. */
  readonly completedAt: Date | null;
  /** Rows of each table, and `vectors`. */
  readonly removed: Readonly<Record<string, number>>;
  /** Counts by store, read back at the end: all zero. Empty until then. */
  readonly remaining: Readonly<Record<string, number>>;
}

/** The receipt of a purge that begins. */
export async function savePurgeReceipt(tx: Tx, instanceNumber: bigint, purgedAt: Date): Promise<void> {
  const body = { kind: 'purge', completedAt: null, removed: {}, remaining: {} };
  await tx.receipt.create({ data: { instanceNumber, id: newUuid(), body, createdAt: purgedAt } });
}

/** Null when the instance is not purged. */
export async function readPurgeReceipt(sql: Sql, instanceNumber: bigint): Promise<PurgeReceipt | null> {
  const row = await sql.receipt.findFirst({ where: { instanceNumber, body: { path: ['kind'], equals: 'purge' } } });
  if (!row) return null;
  const body = row.body as unknown as Pick<PurgeReceipt, 'removed' | 'remaining'> & { completedAt: string | null };
  return {
    id: toPublicId('receipt', row.id),
    purgedAt: row.createdAt,
    completedAt: body.completedAt === null ? null : new Date(body.completedAt),
    removed: body.removed,
    remaining: body.remaining,
  };
}

/** Adds what was removed, in the transaction that removed it: a purge that is stopped and begun again counts right. */
export const addRemoved = (
  tx: Tx,
  instanceNumber: bigint,
  { store, count }: { store: string; count: number },
) => tx.$executeRaw`
  UPDATE receipt SET body = jsonb_set(body, ARRAY['removed', ${store}],
    to_jsonb(coalesce((body->'removed'->>${store})::int, 0) + ${count}::int))
  WHERE i = ${instanceNumber} AND body->>'kind' = 'purge'`;

export const completePurgeReceipt = (
  sql: Sql,
  instanceNumber: bigint,
  completedAt: Date,
  remaining: Record<string, number>,
) =>
  sql.$executeRaw`
    UPDATE receipt SET body = body || ${JSON.stringify({ completedAt, remaining })}::jsonb
    WHERE i = ${instanceNumber} AND body->>'kind' = 'purge'`;
