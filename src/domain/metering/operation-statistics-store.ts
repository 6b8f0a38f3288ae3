import type { Sql, Tx } from '../../db/database.ts';
import { rowsSql, type Column } from '../../db/rows-sql.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Access } from '../tenancy/access.ts';
import type { StatisticsRow } from './operation-statistics.ts';
import { timeBucketNames, timeBuckets, type TimeBucket, type Operation } from './operations.ts';

/** Calls of an operation over some time, which begins at `start`. */
export interface StoredStatistics extends StatisticsRow {
  readonly operation: Operation;
  readonly variant: string;
  /** The name that a caller gave, sealed; the variant is its hash then. */
  readonly label: Uint8Array | null;
  readonly start: Date;
}

/** Kept figures of one instance and bucket, as a row is found. */
export interface BucketRow extends StoredStatistics {
  readonly instanceNumber: bigint;
  readonly bucket: TimeBucket;
}

/** Counts are read as `number`: none comes near to what that holds. */
const figureColumns = Prisma.sql`count::float8 AS count, errors::float8 AS errors, items::float8 AS items,
  discarded::float8 AS discarded, superseded::float8 AS superseded, max_ms AS "maxMs", sketch, label`;

/** Lets one process at a time, of all that share the database, roll up; false where another does. */
export async function tryLockRollUp(tx: Tx): Promise<boolean> {
  const rows = await tx.$queryRaw<{ isOurs: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtext('operation_bucket')) AS "isOurs"`;
  return rows[0]!.isOurs;
}

/** Removes the oldest samples, `limit` at most, and returns them. */
export const takeSamples = (tx: Tx, limit: number) =>
  tx.$queryRaw<Omit<BucketRow, 'bucket'>[]>`
    DELETE FROM operation_sample WHERE id = ANY(ARRAY(SELECT id FROM operation_sample ORDER BY id LIMIT ${limit}))
    RETURNING i AS "instanceNumber", operation, variant, minute AS start, ${figureColumns}`;

/** A row is one of these, by its key. */
export type BucketKey = Pick<BucketRow, 'instanceNumber' | 'bucket' | 'operation' | 'start' | 'variant'>;

const keyColumns: readonly Column<BucketKey>[] = [
  ['i', 'bigint', ({ instanceNumber }) => instanceNumber],
  ['bucket', 'text', ({ bucket }) => bucket],
  ['operation', 'text', ({ operation }) => operation],
  ['start', 'timestamptz', ({ start }) => start],
  ['variant', 'text', ({ variant }) => variant],
];

/** The rows of these keys that are there. */
export const readBuckets = (tx: Tx, keys: readonly BucketKey[]) =>
  tx.$queryRaw<BucketRow[]>`
    SELECT i AS "instanceNumber", bucket, operation, variant, start, ${figureColumns} FROM operation_bucket
    JOIN ${rowsSql('k', keys, keyColumns)}
    USING (i, bucket, operation, start, variant)`;

/** The variants of an operation that each of these instances has on these days. */
export const variantsOfDays = (tx: Tx, operation: Operation, days: readonly { instanceNumber: bigint; day: Date }[]) =>
  tx.$queryRaw<{ instanceNumber: bigint; day: Date; variant: string }[]>`
    SELECT b.i AS "instanceNumber", b.start AS day, b.variant FROM operation_bucket b
    JOIN unnest(${days.map(({ instanceNumber }) => instanceNumber)}::bigint[], ${days.map(({ day }) => day.toISOString())}::timestamptz[])
      AS d (i, day) ON b.i = d.i AND b.start = d.day
    WHERE b.bucket = 'day' AND b.operation = ${operation}`;

/** Puts the rows in place of those of their keys. */
export async function saveBuckets(tx: Tx, rows: readonly BucketRow[]): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO operation_bucket AS b
      (i, bucket, operation, start, variant, count, errors, items, discarded, superseded, max_ms, sketch, label)
    SELECT * FROM ${rowsSql('t', rows, [
      ...keyColumns,
      ['count', 'bigint', ({ count }) => count],
      ['errors', 'bigint', ({ errors }) => errors],
      ['items', 'bigint', ({ items }) => items],
      ['discarded', 'bigint', ({ discarded }) => discarded],
      ['superseded', 'bigint', ({ superseded }) => superseded],
      ['max_ms', 'float8', ({ maxMs }) => maxMs],
      ['sketch', 'bytea', ({ sketch }) => sketch],
      ['label', 'bytea', ({ label }) => label],
    ])}
    ON CONFLICT (i, bucket, operation, start, variant) DO UPDATE SET count = excluded.count, errors = excluded.errors,
      items = excluded.items, discarded = excluded.discarded, superseded = excluded.superseded,
      max_ms = excluded.max_ms, sketch = excluded.sketch`;
}

/** Selects statistics: of one operation or of all, from a time on and before another. */
export interface StatisticsQuery {
  readonly bucket: TimeBucket;
  readonly operation?: Operation | undefined;
  readonly from: Date;
  readonly until: Date;
  readonly limit: number;
}

/** The figures of an instance, rolled up or not; by one statement, so that none is missed or read twice. */
export const readOperationStatistics = (
  sql: Sql,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
  { bucket, operation, from, until, limit }: StatisticsQuery,
): Promise<StoredStatistics[]> => {
  const ofOperation = operation ? Prisma.sql`AND operation = ${operation}` : Prisma.empty;
  return sql.$queryRaw<StoredStatistics[]>`
    SELECT operation, variant, start, ${figureColumns} FROM operation_bucket
    WHERE bucket = ${bucket} AND start >= ${from}::timestamptz AND start < ${until}::timestamptz ${ofOperation}
      AND i = ${instanceNumber}
    UNION ALL
    SELECT operation, variant, date_trunc(${bucket}, minute, 'UTC') AS start, ${figureColumns} FROM operation_sample
    WHERE minute >= ${from}::timestamptz AND minute < ${until}::timestamptz ${ofOperation} AND i = ${instanceNumber}
    LIMIT ${limit}`;
};

/** Removes, of each bucket, what is older than it is kept, `limit` rows at most; returns how many. */
export async function removeOldBuckets(sql: Sql, now: Date, limit: number): Promise<number> {
  let removed = 0;
  for (const bucket of timeBucketNames) {
    const { ms, kept } = timeBuckets[bucket];
    removed += await sql.$executeRaw`
      DELETE FROM operation_bucket WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM operation_bucket
        WHERE bucket = ${bucket} AND start < ${new Date(now.getTime() - kept * ms)}::timestamptz LIMIT ${limit}))`;
  }
  return removed;
}
