import type { TenseHint, TimeSpan } from './calendar.ts';

/** A time that chrono does not read, or reads too exactly. */
export interface VagueSpan {
  pattern: RegExp;
  /** `at` is when it was said. */
  span(match: RegExpExecArray, at: Date, leaning: TenseHint): TimeSpan | undefined;
}

/** Parts of such patterns. */
export const months =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec';
export const nth = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
export const to = String.raw`\s*(?:-|–|—|to|until|till|through|and)\s*`;
export const year = String.raw`(?:,? ((?:19|20)\d\d))?`;
