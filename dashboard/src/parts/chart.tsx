import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from './theme.ts';

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

const height = 220;

/** Amounts by day, one colour on another. `days`: the beginnings of the days, ISO 8601. */
export default function StackedBars({
  days,
  series,
  label,
}: {
  days: readonly string[];
  series: readonly Series[];
  label: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const target = box.current!;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
    const stacked = stack(series);
    const axis = {
      stroke: colour('muted'),
      grid: { stroke: colour('line'), width: 1 },
      ticks: { show: false },
      font: '11px Inter Variable, sans-serif',
    };
    const bars = UPlot.paths.bars!({ size: [0.62, 26], radius: 0.15 });
    const plot = new UPlot(
      {
        width: target.clientWidth,
        height,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: true }, y: { range: (_, __, most) => [0, Math.max(4, most * 1.08)] } },
        axes: [
          { ...axis, grid: { show: false } },
          { ...axis, size: 44 },
        ],
        // The largest sum is drawn first, so that each smaller one covers what is not its own.
        series: [
          {},
          ...stacked.map((_, n) => ({
            fill: colour(`series-${stacked.length - n}`),
            width: 0,
            paths: bars,
            points: { show: false },
          })),
        ],
      },
      [days.map((day) => Date.parse(day) / 1_000), ...stacked.toReversed()] as UPlot.AlignedData,
      target,
    );
    const resized = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height }));
    resized.observe(target);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [days, series, theme]);
  return (
    <figure className="stack">
      <div ref={box} className="chart" role="img" aria-label={label} />
      <figcaption className="legend">
        {series.map(({ name }, n) => (
          <span key={name}>
            <i className={`series-${n + 1}`} />
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** Each series with those before it added. */
function stack(series: readonly Series[]): number[][] {
  let below: number[] = [];
  return series.map(({ values }) => (below = values.map((value, n) => value + (below[n] ?? 0))));
}
