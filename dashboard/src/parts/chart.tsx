import { useMemo } from 'react';
import UPlot from 'uplot';
import { Plot, type Look, type Series } from './plot.tsx';

interface ChartProps {
  /** ISO 8601, ascending. */
  readonly times: readonly string[];
  readonly series: readonly Series[];
  readonly label: string;
}

/** Amounts over time, one colour on another. */
export function StackedBars({ times, series, label }: ChartProps) {
  // The largest sum is drawn first, so that each smaller one covers what is not its own.
  const rows = useMemo(() => stack(series).toReversed(), [series]);
  const bars = UPlot.paths.bars!({ size: [0.62, 26], radius: 0.15 });
  const look = (colour: (name: string) => string): Look => ({
    scales: { x: { time: true, range: withRoom(times) }, y: { range: (_, __, max) => [0, Math.max(4, max * 1.08)] } },
    series: [
      {},
      ...rows.map((_, n) => ({
        fill: colour(`series-${rows.length - n}`),
        width: 0,
        paths: bars,
        points: { show: false },
      })),
    ],
  });
  return <Plot times={times} series={series} rows={rows} look={look} label={label} />;
}

/** The range of the times with half a step at either end, so that the first and the last bar are whole. */
function withRoom(times: readonly string[]): UPlot.Scale.Range {
  const [first, second] = times.map((at) => Date.parse(at) / 1_000);
  const half = first === undefined || second === undefined ? 0 : (second - first) / 2;
  return (_, min, max) => [min - half, max + half];
}

/** Each series with those before it added. */
function stack(series: readonly Series[]): number[][] {
  let below: number[] = [];
  return series.map(({ values }) => (below = values.map((value, n) => (value ?? 0) + (below[n] ?? 0))));
}

/** Values over time as lines, with gaps where there is none. `max`: the top of the scale, where it is known. */
export function Lines({
  times,
  series,
  label,
  format,
  max,
}: ChartProps & { format: (value: number) => string; max?: number }) {
  const rows = useMemo(() => series.map(({ values }) => values), [series]);
  const look = (colour: (name: string) => string): Look => ({
    scales: { x: { time: true }, y: { range: (_, __, highest) => [0, max ?? Math.max(1, (highest ?? 0) * 1.1)] } },
    series: [
      {},
      ...series.map((_, n) => ({
        stroke: colour(`series-${n + 1}`),
        width: 2,
        points: { show: true, size: 5, fill: colour(`series-${n + 1}`) },
      })),
    ],
  });
  return <Plot times={times} series={series} rows={rows} look={look} label={label} format={format} />;
}
