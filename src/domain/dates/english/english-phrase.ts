import { addToDate, truncateDate, type TenseHint, type TimeSpan } from '../calendar.ts';

/** A notation of English that chrono does not read, or reads too exactly. */
export interface EnglishPhrase {
  pattern: RegExp;
  /** The time that the match names, where it was said at `at`; undefined for none. */
  span(match: RegExpExecArray, at: Date, tense: TenseHint): TimeSpan | undefined;
}

/** Matches a year that may follow, and captures it. */
export const yearSource = String.raw`(?:,? ((?:19|20)\d\d))?`;

/** How many units away a week, month or the like is, by the word before it: "last week", "next month". */
export const unitsAway: Record<string, number> = { last: -1, past: -1, previous: -1, this: 0, coming: 0, next: 1 };

/** The Saturday and Sunday of the week that holds the date. */
export function weekendOf(date: Date): TimeSpan {
  const saturday = addToDate(truncateDate(date, 'week'), { days: 5 });
  return { start: saturday, end: addToDate(saturday, { days: 2 }), precision: 'day' };
}
