import { dayMs, hourMs, minuteMs } from '../time.ts';

/** The operations that are measured, each with a description of its variants. */
export const operations = {
  context_fetch:
    'its mode and where its answer came from: `fast/store` was searched for when asked, `fast/anticipation` was prefetched',
  compact: 'its strategy, such as `balanced`; from the call, or the begin of the job, to the version that is kept',
  ingest:
    'its mode: `fast` reads turn by turn, `long-range` also across turns; from the acceptance of a document until its memories can be recalled',
  stream: 'the signal, such as `message`; from there to the bundle that answers it, or until it is done',
  graphql:
    'the name of the operation; `anonymous` where the query has none, `other` for names beyond what is kept apart',
} as const;
export type Operation = keyof typeof operations;
export const operationNames = Object.keys(operations) as [Operation, ...Operation[]];

/** The outcome of one call of an operation. */
export interface OperationOutcome {
  /** See `operations`; empty where it ended before that was known. */
  readonly variant: string;
  /** The sealed name of a variant that a caller named, whose key is a hash. Asked for once a sample. */
  readonly label?: () => Uint8Array;
  readonly ms: number;
  /** The call ended with an error: it is counted, and its duration is not. */
  readonly isError?: boolean;
  /** Memories that it returned, sent or stored. */
  readonly items?: number;
  /** Candidates and turns that an ingestion did not keep. */
  readonly discarded?: number;
  /** Memories that an ingestion ended by a newer value. */
  readonly superseded?: number;
}

/** Limits for variants that callers name: so many are kept apart for each day and instance, with so many characters. */
export const [namesAtMost, nameChars] = [100, 64];
/** The variant that counts the calls of all other names. */
export const otherNamesVariant = 'other';

/** The variants that a reader asks for: those that have every part of it, such as `fast`, or `store`. */
export function isVariantOf(variant: string, wanted: string): boolean {
  const parts = new Set(variant.split('/'));
  return wanted.split('/').every((part) => parts.has(part));
}

/** Over which times figures are told, and for how long they are kept so. */
export const timeBuckets = {
  minute: { ms: minuteMs, kept: 48 * 60, defaultCount: 60 },
  hour: { ms: hourMs, kept: 60 * 24, defaultCount: 24 },
  day: { ms: dayMs, kept: 2 * 365 + 1, defaultCount: 30 },
} as const satisfies Readonly<Record<string, { ms: number; kept: number; defaultCount: number }>>;
export type TimeBucket = keyof typeof timeBuckets;
export const timeBucketNames = Object.keys(timeBuckets) as [TimeBucket, ...TimeBucket[]];

/** The begin of the bucket that a time lies in (UTC). */
export const bucketStartOf = (bucket: TimeBucket, at: Date): Date =>
  new Date(Math.floor(at.getTime() / timeBuckets[bucket].ms) * timeBuckets[bucket].ms);
