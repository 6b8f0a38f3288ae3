import { transaction, type Db } from '../../db/database.ts';
import { Figures } from './figures.ts';
import {
  readBuckets,
  removeOldBuckets,
  saveBuckets,
  takeSamples,
  takeTurn,
  variantsOfDays,
  type BucketKey,
  type BucketRow,
} from './figures-store.ts';
import { bucketNames, namesAtMost, otherNames, startOf } from './operations.ts';
import { removeWriters } from './store.ts';

/** So that others get their turn on the one connection of the embedded Postgres. */
const [samplesAtOnce, removedAtOnce] = [500, 2_000];
/** A process that wrote nothing for so long has ended, or has nothing left that it would send again. */
const writerKeptMs = 7 * 86_400_000;

/** Adds what processes measured to minutes, hours and days, and removes what is older than each is kept. */
export async function rollUp({ db, now }: { db: Db; now: () => Date }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await transaction(db, rollUpNext)) === samplesAtOnce);
  while (!signal.aborted && (await removeOldBuckets(db, now(), removedAtOnce)) >= removedAtOnce);
  await removeWriters(db, new Date(now().getTime() - writerKeptMs));
}

type Sample = Omit<BucketRow, 'bucket'>;

/** Samples go in the transaction that adds them, so that each is added once; returns how many there were. */
async function rollUpNext(tx: Parameters<typeof takeSamples>[0]): Promise<number> {
  if (!(await takeTurn(tx))) return 0;
  const samples = await takeSamples(tx, samplesAtOnce);
  if (!samples.length) return 0;
  const days = samples.map(({ i, start }) => ({ i, day: startOf('day', start) }));
  const named = nameable(await variantsOfDays(tx, 'graphql', days));
  const made = new Map<string, BucketKey & Pick<BucketRow, 'label'> & { readonly figures: Figures }>();
  for (const sample of samples) {
    const { variant, label } = named(sample);
    for (const bucket of bucketNames) {
      const key = { ...keyOf(sample), bucket, start: startOf(bucket, sample.start), variant };
      const known = made.get(textOf(key)) ?? { ...key, label, figures: new Figures() };
      made.set(textOf(key), known);
      known.figures.addRow(sample);
    }
  }
  for (const row of await readBuckets(tx, [...made.values()])) made.get(textOf(row))!.figures.addRow(row);
  const rows = [...made.values()].map(({ figures, ...key }) => ({ ...key, ...figures.toRow() }));
  await saveBuckets(tx, rows);
  return samples.length;
}

const keyOf = ({ i, operation }: Sample) => ({ i, operation });
const textOf = ({ i, bucket, operation, start, variant }: BucketKey) =>
  `${i}/${bucket}/${operation}/${start.getTime()}/${variant}`;

/** Keeps the names that are there on a day apart, and new ones while they are few; all others are one. */
function nameable(known: readonly { readonly i: bigint; readonly day: Date; readonly variant: string }[]) {
  const names = new Map<string, Set<string>>();
  const ofDay = (i: bigint, day: Date) => {
    const key = `${i}/${day.getTime()}`;
    const there = names.get(key) ?? new Set();
    names.set(key, there);
    return there;
  };
  for (const { i, day, variant } of known) ofDay(i, day).add(variant);
  return ({ i, start, variant, label }: Sample): Pick<Sample, 'variant' | 'label'> => {
    if (!label) return { variant, label };
    const there = ofDay(i, startOf('day', start));
    if (!there.has(variant) && there.size >= namesAtMost) return { variant: otherNames, label: null };
    there.add(variant);
    return { variant, label };
  };
}
