const zoned =
  /(?:\dZ|(?<=:\d\d(?:\.\d{1,9})?\s?)[+-]\d\d:?\d\d|\b(?:(?:UTC?|GMT)(?:[+-]\d{1,2}(?::?\d\d)?)?|[ECMP][SD]T))(?:\s*\([^)]*\))?$/iu;

/** The longest text of a time, in characters: a longer one is no date, and would take long to read. */
const longestTime = 100;

/** Parses a time in figures or of a mail. Without a zone it is in UTC, wherever this runs. */
export function parseTime(text: string): Date {
  const written = text.slice(0, longestTime);
  if (zoned.test(written) || /^\d{4}(?:-\d\d){0,2}$/u.test(written)) return new Date(written);
  return new Date(/\dT\d/u.test(written) ? `${written}Z` : `${written} UTC`);
}
