import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../generated/index.ts';
import type { LatencyQuery, MeasuredOperation, OverviewQuery } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { Lines, StackedBars } from '../parts/chart.tsx';
import { Choice } from '../parts/fields.tsx';
import { formatCount, formatMs, formatShare, inWords } from '../parts/format.ts';
import { Failed, Loading } from '../parts/parts.tsx';
import { text } from '../text.ts';

type InstanceOverview = NonNullable<OverviewQuery['instance']>;

const dayMs = 86_400_000;
const types = ['FACTS', 'PREFERENCES', 'EPISODES', 'EMOTIONS', 'TEMPORAL_EVENTS'] as const;

/** The beginnings of the last steps of this length in UTC, the present one last. */
function lastSteps(count: number, lengthMs: number): string[] {
  const present = Math.floor(Date.now() / lengthMs) * lengthMs;
  return Array.from({ length: count }, (_, n) => new Date(present - (count - 1 - n) * lengthMs).toISOString());
}

/** Memories by type on every one of the last thirty days, those without memories too. */
export function Growth({ of }: { of: InstanceOverview['memoriesByDay'] }) {
  const { times, series } = useMemo(() => {
    const days = lastSteps(30, dayMs);
    const counts = new Map(of.map(({ day, type, count }) => [`${day}/${type}`, count]));
    const values = (type: string) => days.map((day) => counts.get(`${day}/${type}`) ?? 0);
    return { times: days, series: types.map((type) => ({ name: inWords(type), values: values(type) })) };
  }, [of]);
  return <StackedBars times={times} series={series} label={text.overview.byDay} />;
}

/** Which share of what was used was in the bundle by then, and which share of what was sent was used, by day. */
export function ForesightByDay({ of }: { of: InstanceOverview['anticipation']['days'] }) {
  const { times, series } = useMemo(() => {
    const days = lastSteps(30, dayMs);
    const known = new Map(of.map(({ day, figures }) => [day, figures]));
    const values = (pick: 'coverage' | 'precision') => days.map((day) => known.get(day)?.[pick] ?? null);
    return {
      times: days,
      series: [
        { name: text.overview.coverage, values: values('coverage') },
        { name: text.overview.precision, values: values('precision') },
      ],
    };
  }, [of]);
  return <Lines times={times} series={series} label={text.overview.anticipation} format={formatShare} max={1} />;
}

const Latency = graphql(`
  query Latency($instance: ID!, $operation: MeasuredOperation!, $bucket: TimeBucket!, $from: DateTime!) {
    instance(id: $instance) {
      latency(operation: $operation, bucket: $bucket, from: $from) {
        start
        count
        errors
        items
        discarded
        superseded
        p50
        p95
        p99
      }
    }
  }
`);

type LatencyPoint = NonNullable<LatencyQuery['instance']>['latency'][number];

const operations = ['CONTEXT_FETCH', 'INGEST', 'STREAM', 'COMPACT', 'GRAPHQL'] as const satisfies MeasuredOperation[];
const spans = {
  DAY: { bucket: 'HOUR', count: 24, lengthMs: 3_600_000 },
  MONTH: { bucket: 'DAY', count: 30, lengthMs: dayMs },
} as const;

/** Asks for the calls of an operation in each step of a span. */
function useLatency(operation: MeasuredOperation, span: keyof typeof spans) {
  const instance = useInstance();
  const { bucket, count, lengthMs } = spans[span];
  const times = useMemo(() => lastSteps(count, lengthMs), [span]);
  const [{ data, error }] = useQuery({ query: Latency, variables: { instance, operation, bucket, from: times[0]! } });
  const points = useMemo(() => {
    const known = new Map(data?.instance?.latency.map((point) => [point.start, point]));
    return times.map((at) => known.get(at));
  }, [data, times]);
  return { times, points, error, isLoading: !data };
}

const sum = (points: readonly (LatencyPoint | undefined)[], pick: (point: LatencyPoint) => number) =>
  points.reduce((total, point) => total + (point ? pick(point) : 0), 0);

/** How long calls took, over a day or a month. */
export function LatencyChart() {
  const [operation, setOperation] = useState<MeasuredOperation>('CONTEXT_FETCH');
  const [span, setSpan] = useState<keyof typeof spans>('DAY');
  const { times, points, error, isLoading } = useLatency(operation, span);
  const series = useMemo(
    () =>
      (['p50', 'p95', 'p99'] as const).map((name) => ({
        name,
        values: points.map((point) => point?.[name] ?? null),
      })),
    [points],
  );
  const calls = sum(points, ({ count }) => count);
  return (
    <section className="card stack">
      <div className="page-head">
        <div>
          <h2>{text.overview.latencyTitle}</h2>
          <p className="muted number">
            {text.overview.calls(formatCount(calls), formatCount(sum(points, ({ errors }) => errors)))}
          </p>
        </div>
        <div className="actions">
          <Choice
            label={text.overview.operation}
            value={operation}
            options={operations}
            any={null}
            onChange={(value) => value && setOperation(value)}
          />
          <Choice
            label={text.overview.span}
            value={span}
            options={['DAY', 'MONTH']}
            any={null}
            onChange={(value) => value && setSpan(value)}
          />
        </div>
      </div>
      {error && <Failed error={error} />}
      {isLoading && !error && <Loading />}
      {!isLoading && calls === 0 && <p className="muted">{text.overview.noCalls}</p>}
      {calls > 0 && <Lines times={times} series={series} label={text.overview.latencyTitle} format={formatMs} />}
    </section>
  );
}

/** What ingestions stored, what they refused, and what their memories replaced, by day. */
export function WriteGate() {
  const { times, points, error } = useLatency('INGEST', 'MONTH');
  const series = useMemo(
    () =>
      (['items', 'discarded', 'superseded'] as const).map((name) => ({
        name: text.overview.gate[name],
        values: points.map((point) => point?.[name] ?? 0),
      })),
    [points],
  );
  const stored = sum(points, ({ items }) => items);
  const refused = sum(points, ({ discarded }) => discarded);
  if (error) return <Failed error={error} />;
  if (stored + refused === 0) return null;
  return (
    <section className="card">
      <h2>{text.overview.gateTitle}</h2>
      <p className="muted">{text.overview.gateHelp(formatCount(refused), formatShare(refused / (stored + refused)))}</p>
      <StackedBars times={times} series={series} label={text.overview.gateTitle} />
    </section>
  );
}
