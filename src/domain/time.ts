/** Lengths of time in milliseconds. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The day of a time in UTC, such as `2026-01-05`. */
export const isoDayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** Times that the database stores, and ISO 8601 writes in four digits, in every zone. */
const [firstTime, lastTime] = [Date.parse('0002-01-01'), Date.parse('9998-12-31')];

/** The error text for a time that cannot be stored. */
export const unstorableTime = 'must be in the years 2 to 9998';

/** Whether a time that a caller gives, or a text names, can be kept: it is in the years 2 to 9998. */
export const isStorableTime = (time: Date): boolean => time.getTime() > firstTime && time.getTime() < lastTime;
