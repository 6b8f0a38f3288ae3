import { dayMs, hourMs, minuteMs } from '../time.ts';
import { englishMonths, englishWeekdays } from '../language/calendar-names.ts';

/** The precisions of a time, the finest first. */
export const precisions = ['minute', 'hour', 'day', 'week', 'month', 'season', 'year'] as const;
export type Precision = (typeof precisions)[number];

/** A point or span in time, its bounds in UTC, as exact as it was said. */
export interface TimeSpan {
  start: Date;
  /** The exclusive end; undefined for a point. */
  end?: Date;
  precision: Precision;
}

/**
 * The side of today on which an incomplete date ("on Friday", "in May") lies: the future for a plan, the past for a
 * report. For `either`, a weekday or a day of the month is the next one, and a day of a month the nearest.
 */
export type TenseHint = 'past' | 'future' | 'either';

/** The order of the numbers of "3/12": 3 December with the day first, 12 March with the month first. */
export type DateOrder = 'day-first' | 'month-first';

/** When a text was said, and how its speaker writes dates in figures. Default: as is usual in its language. */
export interface SaidAt {
  readonly at: Date;
  readonly dateOrder?: DateOrder;
}

export const utcDate = (year: number, month = 0, day = 1): Date => new Date(Date.UTC(year, month, day));

export function addToDate(date: Date, by: { years?: number; months?: number; days?: number }): Date {
  return utcDate(
    date.getUTCFullYear() + (by.years ?? 0),
    date.getUTCMonth() + (by.months ?? 0),
    date.getUTCDate() + (by.days ?? 0),
  );
}

/** The beginning of the span of this precision that holds the date; weeks begin on Monday. */
export function truncateDate(date: Date, precision: Precision): Date {
  if (precision === 'minute' || precision === 'hour') return date;
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (precision === 'year') return utcDate(year);
  if (precision === 'month' || precision === 'season') return utcDate(year, month);
  return precision === 'week' ? utcDate(year, month, day - ((date.getUTCDay() + 6) % 7)) : utcDate(year, month, day);
}

/** The end of a span of this precision that begins at the date. */
export function endOfPeriod(date: Date, precision: Precision): Date {
  if (precision === 'year') return addToDate(date, { years: 1 });
  if (precision === 'season') return addToDate(date, { months: 3 });
  if (precision === 'month') return addToDate(date, { months: 1 });
  return new Date(date.getTime() + { week: 7 * dayMs, day: dayMs, hour: hourMs, minute: minuteMs }[precision]);
}

/** The span of this precision that begins at the date. */
export const periodFrom = (start: Date, precision: Precision): Required<TimeSpan> => ({
  start,
  end: endOfPeriod(start, precision),
  precision,
});

/** The number of a weekday, from 0 for Sunday; -1 for any other word. */
export const weekdayOf = (name: string): number =>
  englishWeekdays.findIndex((day) => day.toLowerCase() === name.toLowerCase());

/** The number of a month by its name or abbreviation, from 0; -1 for any other word. */
export const monthOf = (name: string): number =>
  englishMonths.findIndex((month) => month.slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase());

/** A span in the year that is named, or else in the year where its tense puts it. */
export const inYear = <Span extends Bounds>(
  spanIn: (year: number) => Span,
  named: string | undefined,
  at: Date,
  tense: TenseHint,
): Span => spanIn(named ? Number(named) : inferYear(spanIn, at, tense));

type Bounds = Pick<Required<TimeSpan>, 'start' | 'end'>;

/** The year in which a date without one lies: the latest that has begun, the next that is not over, or the nearest. */
function inferYear(spanIn: (year: number) => Bounds, at: Date, tense: TenseHint): number {
  const year = at.getUTCFullYear();
  if (tense === 'either') {
    const distance = (other: number) => Math.abs(spanIn(other).start.getTime() - at.getTime());
    return [year, year - 1, year + 1].reduce((best, other) => (distance(other) < distance(best) ? other : best));
  }
  if (tense === 'past') return spanIn(year).start > at ? year - 1 : year;
  // A winter is of the year in which it begins.
  return [year - 1, year].find((other) => spanIn(other).end > at) ?? year + 1;
}
