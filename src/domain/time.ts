/** Lengths of time in milliseconds. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The day of a time in UTC, such as `2026-01-05`. */
export const isoDayOf = (time: Date): string => time.toISOString().slice(0, 10);
