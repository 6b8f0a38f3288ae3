import { endOfPeriod, truncateDate, type TimeSpan } from './calendar.ts';
import type { TextSpan } from '../language/text-span.ts';
import { dayMs } from '../time.ts';

/** A time that a text names, and the words that name it. */
export interface DateMention extends TimeSpan {
  words: TextSpan;
  /** Set for an hour without a day, which is taken for one of today. */
  isTimeOnly?: true;
}

/** Puts hours on the days that are named beside them: "The one on the 3rd moves to 5 pm". */
export function withHours(days: readonly DateMention[], hours: readonly DateMention[], text: string): DateMention[] {
  const dated = [...days];
  for (const hour of hours) {
    const places = dated.flatMap((day, place) => (isOneDay(day) && isNear(day, hour, text) ? [place] : []));
    const place = places.toSorted((a, b) => distance(dated[a]!, hour) - distance(dated[b]!, hour))[0];
    if (place === undefined) dated.push({ ...hour, isTimeOnly: true });
    else dated[place] = atHour(dated[place]!, hour, text);
  }
  return dated;
}

const isOneDay = ({ start, end, precision }: DateMention): boolean =>
  precision === 'day' && end?.getTime() === start.getTime() + dayMs;

/** Puts an hour on the day of another time. */
export const onDayOf = (day: DateMention, { end, ...hour }: DateMention): DateMention => {
  const start = new Date(truncateDate(day.start, 'day').getTime() + (hour.start.getTime() % dayMs));
  return { ...hour, start, ...(end ? { end: endOfPeriod(start, hour.precision) } : {}) };
};

const beginsHour = /^(?:at|from)\b/iu;
/** Words between a day and an hour of it: "Riga, 18 May, sub 3:40" has none. */
const leadsToHour = /(?:[,;:(–—-]|\b(?:at|from|to|till|until|by|for|around|about|after|before)|@)\s*$/iu;

function isNear(day: DateMention, hour: DateMention, text: string): boolean {
  const between = text.slice(...gap(day, hour));
  const isAfterDay = day.words.start < hour.words.start;
  if (isAfterDay && between.trim() && !beginsHour.test(text.slice(hour.words.start)) && !leadsToHour.test(between))
    return false;
  return !/[.;!?]\s|\b(?:and|but|so|then)\s+(?:I|we|my|our)\b/u.test(between);
}

const distance = (one: DateMention, other: DateMention): number => Math.abs(one.words.start - other.words.start);

/** From where to where the words between two mentions stand. */
const gap = ({ words: one }: DateMention, { words: other }: DateMention): [number, number] =>
  one.start < other.start ? [one.end, other.start] : [other.end, one.start];

function atHour(day: DateMention, hour: DateMention, text: string): DateMention {
  const start = new Date(day.start.getTime() + (hour.start.getTime() % dayMs));
  const isJoined = /^[\s,]*(?:(?:on|at)\s)?$/u.test(text.slice(...gap(day, hour)));
  const words = isJoined
    ? { start: Math.min(day.words.start, hour.words.start), end: Math.max(day.words.end, hour.words.end) }
    : day.words;
  const { precision } = hour;
  return { words, start, precision, ...(precision === 'minute' ? {} : { end: endOfPeriod(start, precision) }) };
}
