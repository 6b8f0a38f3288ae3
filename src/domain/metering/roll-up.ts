import { transaction, type Db } from '../../db/database.ts';
import { OperationStatistics } from './operation-statistics.ts';
import {
  readBuckets,
  removeOldBuckets,
  saveBuckets,
  takeSamples,
  tryLockRollUp,
  variantsOfDays,
  type BucketKey,
  type BucketRow,
} from './operation-statistics-store.ts';
import { timeBucketNames, namesAtMost, otherNamesVariant, bucketStartOf } from './operations.ts';
import { removeIdleWriters } from './metering-store.ts';
import { dayMs } from '../time.ts';

/** So that others get their turn on the one connection of the embedded Postgres. */
const [samplesAtOnce, removedAtOnce] = [500, 2_000];
/** A process that wrote nothing for so long has ended, or has nothing left that it would send again. */
const writerKeptMs = 7 * dayMs;

/** Adds what processes measured to minutes, hours and days, and removes what is older than each is kept. */
export async function rollUp({ db, now }: { db: Db; now: () => Date }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await transaction(db, rollUpNext)) === samplesAtOnce);
  while (!signal.aborted && (await removeOldBuckets(db, now(), removedAtOnce)) >= removedAtOnce);
  await removeIdleWriters(db, new Date(now().getTime() - writerKeptMs));
}

type Sample = Omit<BucketRow, 'bucket'>;

/** Samples go in the transaction that adds them, so that each is added once; returns how many there were. */
async function rollUpNext(tx: Parameters<typeof takeSamples>[0]): Promise<number> {
  if (!(await tryLockRollUp(tx))) return 0;
  const samples = await takeSamples(tx, samplesAtOnce);
  if (!samples.length) return 0;
  const days = samples.map(({ instanceNumber, start }) => ({ instanceNumber, day: bucketStartOf('day', start) }));
  const named = nameable(await variantsOfDays(tx, 'graphql', days));
  const made = new Map<string, BucketKey & Pick<BucketRow, 'label'> & { readonly figures: OperationStatistics }>();
  for (const sample of samples) {
    const { variant, label } = named(sample);
    for (const bucket of timeBucketNames) {
      const key = { ...keyOf(sample), bucket, start: bucketStartOf(bucket, sample.start), variant };
      const existing = made.get(textOf(key)) ?? { ...key, label, figures: new OperationStatistics() };
      made.set(textOf(key), existing);
      existing.figures.addRow(sample);
    }
  }
  for (const row of await readBuckets(tx, [...made.values()])) made.get(textOf(row))!.figures.addRow(row);
  const rows = [...made.values()].map(({ figures, ...key }) => ({ ...key, ...figures.toRow() }));
  await saveBuckets(tx, rows);
  return samples.length;
}

const keyOf = ({ instanceNumber, operation }: Sample) => ({ instanceNumber, operation });
const textOf = ({ instanceNumber, bucket, operation, start, variant }: BucketKey) =>
  `${instanceNumber}/${bucket}/${operation}/${start.getTime()}/${variant}`;

/** Keeps the names that are there on a day apart, and new ones while they are few; all others are one. */
function nameable(
  existing: readonly { readonly instanceNumber: bigint; readonly day: Date; readonly variant: string }[],
) {
  const names = new Map<string, Set<string>>();
  const ofDay = (instanceNumber: bigint, day: Date) => {
    const key = `${instanceNumber}/${day.getTime()}`;
    const there = names.get(key) ?? new Set();
    names.set(key, there);
    return there;
  };
  for (const { instanceNumber, day, variant } of existing) ofDay(instanceNumber, day).add(variant);
  return ({ instanceNumber, start, variant, label }: Sample): Pick<Sample, 'variant' | 'label'> => {
    if (!label) return { variant, label };
    const there = ofDay(instanceNumber, bucketStartOf('day', start));
    if (!there.has(variant) && there.size >= namesAtMost) return { variant: otherNamesVariant, label: null };
    there.add(variant);
    return { variant, label };
  };
}
