import type { Db } from '../../db/database.ts';
import { invalidInputError } from '../errors.ts';
import { mapYielding } from '../flow/map-yielding.ts';
import type { Access } from '../tenancy/access.ts';
import { readOperationStatistics, type StatisticsQuery, type StoredStatistics } from './operation-statistics-store.ts';
import { OperationStatistics, type StatisticsRow, type StatisticsSummary } from './operation-statistics.ts';
import { decryptVariantName } from './measure.ts';
import { timeBuckets, isVariantOf, bucketStartOf, type TimeBucket, type Operation } from './operations.ts';

/** The most rows that one call adds up: each holds a sketch of latencies, and all are in memory together. */
const mostRows = 50_000;

/** A time range, and its steps. Default: the latest steps. */
export interface TimeRange {
  readonly bucket: TimeBucket;
  readonly from?: Date | undefined;
  /** Not included, unless it lies within a step. */
  readonly to?: Date | undefined;
}

/** One operation over a time. */
export interface LatencyQuery extends TimeRange {
  readonly operation: Operation;
  /** Only variants that have all parts of this one: `fast`, or `fast/store`. */
  readonly variant?: string | undefined;
}

/** One step of a series. */
export interface LatencyPoint extends StatisticsSummary {
  readonly start: Date;
}

/** The totals of one operation and variant over a time. */
export interface OperationTotal extends StatisticsSummary {
  readonly operation: Operation;
  readonly variant: string;
}

interface LatencyDependencies {
  readonly db: Db;
  readonly now: () => Date;
}

/**
 * The steps in which something was measured, oldest first. Throws `invalid_input` for a time that is none, too long, or
 * full of more variants and steps than are added up.
 */
export async function readLatency(
  deps: LatencyDependencies,
  access: Access,
  query: LatencyQuery,
): Promise<LatencyPoint[]> {
  const { operation, variant: wanted } = query;
  const rows = await readNamed(deps.db, access, { ...stepsOf(query, deps.now()), operation });
  const asked = wanted === undefined ? rows : rows.filter(({ variant }) => isVariantOf(variant, wanted));
  const sums = await summed(asked, ({ start }) => start.getTime());
  return sums
    .map(([{ start }, figures]) => ({ start, ...figures.summary() }))
    .toSorted((one, other) => one.start.getTime() - other.start.getTime());
}

/** Every operation with its variants, by name. Throws as `readLatency` does. */
export async function readOperations(
  deps: LatencyDependencies,
  access: Access,
  span: TimeRange,
): Promise<OperationTotal[]> {
  const rows = await readNamed(deps.db, access, stepsOf(span, deps.now()));
  const sums = await summed(rows, nameOf);
  return sums
    .map(([{ operation, variant }, figures]) => ({ operation, variant, ...figures.summary() }))
    .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

/** The figures, with the names that callers gave. */
async function readNamed(db: Db, access: Access, query: Omit<StatisticsQuery, 'limit'>): Promise<StoredStatistics[]> {
  const rows = await readOperationStatistics(db, access, { ...query, limit: mostRows + 1 });
  if (rows.length > mostRows) throw tooMuch(query);
  const names = new Map<string, string>();
  return mapYielding(rows, (row) => {
    if (!row.label) return row;
    const name = names.get(row.variant) ?? decryptVariantName(access, row.variant, row.label);
    names.set(row.variant, name);
    return { ...row, variant: name };
  });
}

const tooMuch = ({ bucket }: Pick<StatisticsQuery, 'bucket'>) =>
  invalidInputError(
    'from',
    `must be later, or \`bucket\` longer: more than ${mostRows.toLocaleString('en')} figures (of a variant in a ${bucket}) lie between \`from\` and \`to\``,
  );

const nameOf = ({ operation, variant }: Pick<OperationTotal, 'operation' | 'variant'>) => `${operation}/${variant}`;

/** Rows that are alike, added up, each sum with the first of them. */
async function summed<Row extends StatisticsRow>(
  rows: readonly Row[],
  alike: (row: Row) => unknown,
): Promise<[Row, OperationStatistics][]> {
  const sums = new Map<unknown, [Row, OperationStatistics]>();
  await mapYielding(rows, (row) => {
    const sum = sums.get(alike(row)) ?? [row, new OperationStatistics()];
    sums.set(alike(row), sum);
    sum[1].addRow(row);
  });
  return [...sums.values()];
}

/** Whole steps: they are told in full or not at all. */
function stepsOf({ bucket, from, to }: TimeRange, now: Date): { bucket: TimeBucket; from: Date; until: Date } {
  const { ms, kept, defaultCount } = timeBuckets[bucket];
  const last = to ?? now;
  const until = new Date(Math.ceil(checked('to', last).getTime() / ms) * ms);
  const first = from ? bucketStartOf(bucket, checked('from', from)) : new Date(until.getTime() - defaultCount * ms);
  if (from && from > last) throw invalidInputError('from', 'must not be after `to`');
  if (until.getTime() - first.getTime() > (kept + 1) * ms)
    throw invalidInputError('from', `must be ${kept.toLocaleString('en')} ${bucket}s before \`to\` at most`);
  return { bucket, from: first, until };
}

/** A year that rows can hold, with room for a step. */
function checked(field: string, time: Date): Date {
  const year = time.getUTCFullYear();
  if (year < 2 || year > 9998) throw invalidInputError(field, 'must be in the years 2 to 9998');
  return time;
}
