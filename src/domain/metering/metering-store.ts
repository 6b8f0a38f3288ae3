import type { Sql } from '../../db/database.ts';
import { rowsSql } from '../../db/rows-sql.ts';
import type { OperationSample } from './samples.ts';
import type { CountedMetric, CountedTokens } from './usage-counts.ts';
import { isoDayOf } from '../time.ts';

/** The counts of one process between two writes; whole numbers. */
export interface MeteringBatch {
  /** A UUID of the process. */
  readonly writer: string;
  /** The number of its batch, from 1 and without a gap. */
  readonly number: number;
  readonly metrics: readonly CountedMetric[];
  readonly tokens: readonly CountedTokens[];
  readonly samples: readonly OperationSample[];
}

/**
 * Adds a batch by one statement: all of it or nothing, and once only, also where it is sent again since no answer came.
 * Usage for an unknown instance, or for one that the caller cannot access, is booked under instance number 0; tokens
 * and samples of an unknown instance are dropped. All processes lock rows in the same order.
 */
export async function saveMeteringBatch(
  sql: Sql,
  { writer, number, metrics, tokens, samples }: MeteringBatch,
  at: Date,
): Promise<void> {
  const measured = samples.map(({ figures, ...sample }) => ({ ...figures.toRow(), ...sample }));
  await sql.$executeRaw`
    WITH first AS (
      INSERT INTO metering_writer AS w (id, batch, at) VALUES (${writer}::uuid, ${number}, ${at}::timestamptz)
      ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, at = excluded.at WHERE w.batch < excluded.batch
      RETURNING id
    ), counted AS (
      INSERT INTO usage AS u (i, day, metric, count)
      SELECT coalesce(n.i, 0), c.day, c.metric, sum(c.count)::bigint
      FROM first CROSS JOIN ${rowsSql('c', metrics, [
        ['i', 'bigint', ({ instanceNumber }) => instanceNumber],
        ['day', 'date', ({ day }) => day],
        ['metric', 'text', ({ metric }) => metric],
        ['count', 'bigint', ({ count }) => count],
        ['within', 'text', ({ within }) => within],
      ])}
        LEFT JOIN instance n ON n.i = c.i AND c.within IN ('', n.client_id)
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (i, day, metric) DO UPDATE SET count = u.count + excluded.count
    ), spent AS (
      INSERT INTO token_usage AS u (i, day, provider, purpose, tokens_in, tokens_out)
      SELECT n.i, c.day, c.provider, c.purpose, c.tokens_in, c.tokens_out
      FROM first CROSS JOIN ${rowsSql('c', tokens, [
        ['i', 'bigint', ({ instanceNumber }) => instanceNumber],
        ['day', 'date', ({ day }) => day],
        ['provider', 'text', ({ provider }) => provider],
        ['purpose', 'text', ({ purpose }) => purpose],
        ['tokens_in', 'bigint', ({ input }) => input],
        ['tokens_out', 'bigint', ({ output }) => output],
      ])} JOIN instance n ON n.i = c.i
      ORDER BY 1, 2, 3, 4
      ON CONFLICT (i, day, provider, purpose) DO UPDATE
        SET tokens_in = u.tokens_in + excluded.tokens_in, tokens_out = u.tokens_out + excluded.tokens_out
    )
    INSERT INTO operation_sample (i, operation, variant, minute, count, errors, items, discarded, superseded, max_ms, sketch,
      label)
    SELECT c.* FROM first CROSS JOIN ${rowsSql('c', measured, [
      ['i', 'bigint', ({ instanceNumber }) => instanceNumber],
      ['operation', 'text', ({ operation }) => operation],
      ['variant', 'text', ({ variant }) => variant],
      ['minute', 'timestamptz', ({ minute }) => minute],
      ['count', 'int', ({ count }) => count],
      ['errors', 'int', ({ errors }) => errors],
      ['items', 'int', ({ items }) => items],
      ['discarded', 'int', ({ discarded }) => discarded],
      ['superseded', 'int', ({ superseded }) => superseded],
      ['max_ms', 'float8', ({ maxMs }) => maxMs],
      ['sketch', 'bytea', ({ sketch }) => sketch],
      ['label', 'bytea', ({ label }) => label],
    ])}
    JOIN instance n ON n.i = c.i AND n.state <> 'purged'`;
}

/** Raises the peaks of the month of `at` to what these instances, and all of their clients, hold now. */
export async function raiseStoragePeaks(
  sql: Sql,
  { instances, at }: { instances: readonly bigint[]; at: Date },
): Promise<void> {
  const month = `${isoDayOf(at).slice(0, 7)}-01`;
  await sql.$executeRaw`
    INSERT INTO storage_peak AS p (i, month, memories, last_sample)
    SELECT n.i, ${month}::date, held.memories, held.memories
    FROM instance n CROSS JOIN LATERAL (
      SELECT coalesce(sum(o.memory_count), 0)::int AS memories FROM owner o WHERE o.i = n.i) AS held
    WHERE n.i = ANY(${instances}::bigint[]) AND n.state <> 'purged' ORDER BY n.i
    ON CONFLICT (i, month) DO UPDATE SET memories = greatest(p.memories, excluded.memories), last_sample = excluded.last_sample`;
  await sql.$executeRaw`
    INSERT INTO client_storage_peak AS p (client_id, month, memories)
    SELECT n.client_id, ${month}::date, sum(s.last_sample)::int
    FROM instance n JOIN storage_peak s ON s.i = n.i AND s.month = ${month}::date
    WHERE n.state <> 'purged' AND n.client_id IN (SELECT client_id FROM instance WHERE i = ANY(${instances}::bigint[]))
    GROUP BY n.client_id ORDER BY n.client_id
    ON CONFLICT (client_id, month) DO UPDATE SET memories = greatest(p.memories, excluded.memories)`;
}

/** Removes what is known of processes that wrote nothing since; returns how many. */
export async function removeIdleWriters(sql: Sql, before: Date): Promise<number> {
  const { count } = await sql.meteringWriter.deleteMany({ where: { at: { lt: before } } });
  return count;
}
