export const streamCounters = [
  'streams',
  'bundles',
  'withdrawals',
  'throttles',
  'pushed',
  'pushed_tokens',
  'useful',
  'useful_tokens',
  'used',
  'used_from_bundle',
  'stale_serves',
  'stale_prevented',
] as const;
export type StreamCounter = (typeof streamCounters)[number];

/** Durations of streams, with the upper bounds of their histogram buckets; milliseconds. */
export const durationBuckets = {
  /** Milliseconds from a signal to the bundle that answers it. */
  latency: [5, 10, 20, 35, 50, 75, 100, 150, 250, 500, 1_000, 2_500, 5_000, 10_000],
  /** Milliseconds from the bundle that first brought a memory to the message that it was used for. */
  lead_time: [1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000],
} as const;
export type DurationMetric = keyof typeof durationBuckets;

/** The signals that are answered by a bundle or do something, as they are named on the wire. */
export type AnsweredSignal = 'session_start' | 'message' | 'partial_message' | 'tool_call' | 'context_used';

/** Counts what happens on streams, by their instance. */
export interface StreamMetrics {
  count(instanceNumber: bigint, counter: StreamCounter, by?: number): void;
  recordDuration(instanceNumber: bigint, duration: DurationMetric, ms: number): void;
  /** A signal was answered by a bundle of so many memories, or done. */
  recordSignal(instanceNumber: bigint, signal: AnsweredSignal, outcome: { ms: number; items: number }): void;
  /** Streams that are open now, of all instances. */
  opened(): void;
  closed(): void;
}

/** The prefix of these metrics within the usage of an instance. */
export const anticipationMetricPrefix = 'anticipation_';

/** Names that differ in the usage that is stored. */
const storedNames: Record<string, string> = { used: 'needed', used_from_bundle: 'foreseen', lead_time: 'lead' };

export const storedMetricName = (name: StreamCounter | DurationMetric) =>
  anticipationMetricPrefix + (storedNames[name] ?? name);

/** The metrics of a duration: the histogram bucket that it increments, and the sum that it is added to. */
export const durationMetricNames = (duration: DurationMetric, ms: number) => ({
  bound: `${storedMetricName(duration)}_ms_${durationBuckets[duration].find((bound) => ms <= bound) ?? 'more'}`,
  sum: sumOf(duration),
});

const sumOf = (duration: DurationMetric) => `${storedMetricName(duration)}_ms_sum`;

/** A distribution of times. Percentiles are upper bounds; the last bound stands for itself and all above. */
export interface DurationSummary {
  readonly count: number;
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** How well streams foresaw the memories that were used; a share of nothing is null. */
export interface StreamStatistics extends Readonly<Record<Uppercased<StreamCounter>, number>> {
  readonly coverage: number | null;
  readonly precision: number | null;
  readonly wastedTokens: number;
  readonly leadTime: DurationSummary;
  readonly latency: DurationSummary;
}

type Uppercased<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Uppercased<Tail>>}`
  : Name;

/** Computes the figures from counts by metric, of one day or of many together. */
export function streamStatisticsOf(counts: ReadonlyMap<string, number>): StreamStatistics {
  const of = (counter: StreamCounter) => counts.get(storedMetricName(counter)) ?? 0;
  return {
    streams: of('streams'),
    bundles: of('bundles'),
    withdrawals: of('withdrawals'),
    throttles: of('throttles'),
    pushed: of('pushed'),
    pushedTokens: of('pushed_tokens'),
    useful: of('useful'),
    usefulTokens: of('useful_tokens'),
    used: of('used'),
    usedFromBundle: of('used_from_bundle'),
    staleServes: of('stale_serves'),
    stalePrevented: of('stale_prevented'),
    coverage: share(of('used_from_bundle'), of('used')),
    precision: share(of('useful'), of('pushed')),
    wastedTokens: Math.max(0, of('pushed_tokens') - of('useful_tokens')),
    leadTime: spreadOf('lead_time', counts),
    latency: spreadOf('latency', counts),
  };
}

const share = (part: number, whole: number) => (whole ? Math.min(1, part / whole) : null);

function spreadOf(duration: DurationMetric, counts: ReadonlyMap<string, number>): DurationSummary {
  const bounds = durationBuckets[duration];
  const sorted = [...bounds, Infinity].map((bound) => counts.get(durationMetricNames(duration, bound).bound) ?? 0);
  const count = sorted.reduce((sum, each) => sum + each, 0);
  const below = (part: number) => {
    let seen = 0;
    const at = sorted.findIndex((each) => (seen += each) >= part * count);
    return count ? (bounds[at] ?? bounds.at(-1)!) : null;
  };
  return {
    count,
    mean: count ? (counts.get(sumOf(duration)) ?? 0) / count : null,
    p50: below(0.5),
    p95: below(0.95),
    p99: below(0.99),
  };
}
