import { useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { text } from '../text.ts';
import { formatCount, formatDateTime } from './format.ts';
import { useTheme } from './theme.ts';

/** An amount at each of the times of a chart, in its order; null: there is none. */
export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** A colour of the theme by the name of its custom property. */
export type Colours = (name: string) => string;

export type Look = Pick<UPlot.Options, 'scales' | 'series'>;

const height = 220;

/**
 * Draws series over times, anew when the theme or the width changes. `look` gives what differs between kinds of charts.
 * The values are told in words too: those under the pointer in the legend, and all of them to who hears the page.
 */
export function Plot({
  times,
  series,
  rows,
  look,
  label,
  format = formatCount,
}: {
  /** ISO 8601, ascending. */
  times: readonly string[];
  series: readonly Series[];
  /** What is drawn of the series: a row of numbers each. */
  rows: readonly (readonly (number | null)[])[];
  look: (colours: Colours) => Look;
  label: string;
  format?: ((value: number) => string) | undefined;
}) {
  const [pointed, setPointed] = useState(-1);
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const target = box.current!;
    const style = getComputedStyle(document.documentElement);
    const colour: Colours = (name) => style.getPropertyValue(`--${name}`).trim();
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
        cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
        hooks: { setCursor: [({ cursor }) => setPointed(cursor.idx ?? -1)] },
        axes: [
          { ...axis, grid: { show: false } },
          { ...axis, size: 56, values: (_, ticks) => ticks.map(format) },
        ],
        ...look(colour),
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
  const at = times[pointed];
  const told = (value: number | null | undefined) => (typeof value === 'number' ? format(value) : text.common.none);
  return (
    <figure className="stack">
      <div ref={box} className="chart" role="img" aria-label={label} />
      <div className="hidden">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{text.overview.time}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((time, n) => (
              <tr key={time}>
                <th scope="row">{formatDateTime(time)}</th>
                {series.map(({ name, values }) => (
                  <td key={name}>{told(values[n])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <figcaption className="legend number">
        {series.map(({ name, values }, n) => (
          <span key={name}>
            <i className={`series-${n + 1}`} />
            {name} {at && told(values[pointed])}
          </span>
        ))}
        {at && <time dateTime={at}>{formatDateTime(at)}</time>}
      </figcaption>
    </figure>
  );
}
