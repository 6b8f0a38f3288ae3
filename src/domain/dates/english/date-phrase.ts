import { addToDate, inYear, monthOf, truncateDate, utcDate, type TenseHint, type TimeSpan } from '../calendar.ts';

/** A notation of English that chrono does not read, or reads too exactly. */
export interface EnglishPhrase {
  pattern: RegExp;
  /** The time that the match names, where it was said at `at`; undefined for none. */
  span(match: RegExpExecArray, at: Date, tense: TenseHint): TimeSpan | undefined;
}

/** Parts of such patterns: a day of a month, the words between two days, and a year that may follow. */
export const nth = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
export const to = String.raw`\s*(?:-|–|—|to|until|till|through|and)\s*`;
export const year = String.raw`(?:,? ((?:19|20)\d\d))?`;

/**
 * Whether "may" or "march" is a verb, as in "we may next year": in small letters it is a month only behind a number or a
 * preposition.
 */
export const isVerb = (month: string, before: string): boolean =>
  /^(?:may|march)$/u.test(month) &&
  !/(?:\d(?:st|nd|rd|th)?|\b(?:in|of|by|since|until|till|from|for|before|after|during))\s$/iu.test(before);

/**
 * The days from one number to another of a month, such as "3-5 May"; where the first number is no lower, it is one of the
 * month before: "from the 14th to Jan 4". `year`: where it is named.
 */
export function spanOfDays(
  { first, month, last, year: named }: Record<'first' | 'last' | 'year', string | undefined> & { month: string },
  at: Date,
  tense: TenseHint,
): TimeSpan | undefined {
  const [from, until] = [Number(first), Number(last)];
  if (from < 1 || from > 31 || until < 1 || until > 31) return undefined;
  const spanIn = (ofYear: number) => ({
    start: utcDate(ofYear, monthOf(month) - (from < until ? 0 : 1), from),
    end: utcDate(ofYear, monthOf(month), until + 1),
    precision: 'day' as const,
  });
  return inYear(spanIn, named, at, tense);
}

/** The Saturday and Sunday of the week that holds the date. */
export function weekendOf(date: Date): TimeSpan {
  const saturday = addToDate(truncateDate(date, 'week'), { days: 5 });
  return { start: saturday, end: addToDate(saturday, { days: 2 }), precision: 'day' };
}
