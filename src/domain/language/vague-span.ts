import { inferYear, monthOf, utcDate, type TenseHint, type TimeSpan } from './calendar.ts';

/** A time that chrono does not read, or reads too exactly. */
export interface VagueSpan {
  pattern: RegExp;
  /** `at` is when it was said. */
  span(match: RegExpExecArray, at: Date, leaning: TenseHint): TimeSpan | undefined;
}

/** Parts of such patterns. */
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
  leaning: TenseHint,
): TimeSpan | undefined {
  const [from, until] = [Number(first), Number(last)];
  if (from < 1 || from > 31 || until < 1 || until > 31) return undefined;
  const spanIn = (inYear: number) => ({
    start: utcDate(inYear, monthOf(month) - (from < until ? 0 : 1), from),
    end: utcDate(inYear, monthOf(month), until + 1),
  });
  return { ...spanIn(named ? Number(named) : inferYear(spanIn, at, leaning)), precision: 'day' };
}
