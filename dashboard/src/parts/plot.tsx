import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from './theme.ts';

/** An amount at each of the times of a chart, in its order; null: there is none. */
export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** A colour of the theme by the name of its custom property. */
export type Colours = (name: string) => string;

export type Look = Pick<UPlot.Options, 'scales' | 'series'> & { readonly format?: (value: number) => string };

const height = 220;

/** Draws series over times, anew when the theme or the width changes. `look` gives what differs between kinds of charts. */
export function Plot({
  times,
  series,
  rows,
  look,
  label,
}: {
  /** ISO 8601, ascending. */
  times: readonly string[];
  series: readonly Series[];
  /** What is drawn of the series: a row of numbers each. */
  rows: readonly (readonly (number | null)[])[];
  look: (colours: Colours) => Look;
  label: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const target = box.current!;
    const style = getComputedStyle(document.documentElement);
    const colour: Colours = (name) => style.getPropertyValue(`--${name}`).trim();
    const { format, ...drawn } = look(colour);
    const axis = {
      stroke: colour('muted'),
      grid: { stroke: colour('line'), width: 1 },
      ticks: { show: false },
      font: '11px Inter Variable, sans-serif',
    };
    const plot = new UPlot(
      {
        width: target.clientWidth,
        height,
        legend: { show: false },
        cursor: { show: false },
        axes: [
          { ...axis, grid: { show: false } },
          { ...axis, size: 56, ...(format ? { values: (_, ticks) => ticks.map(format) } : {}) },
        ],
        ...drawn,
      },
      [times.map((at) => Date.parse(at) / 1_000), ...rows] as UPlot.AlignedData,
      target,
    );
    const resized = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height }));
    resized.observe(target);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [times, rows, theme]);
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
