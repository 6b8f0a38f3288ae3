import type { ParsedResult } from 'chrono-node';
import * as en from 'chrono-node/en'; // the package's root loads every language, in every process and thread
import {
  endOfPeriod,
  dayMs,
  addToDate,
  truncateDate,
  type TenseHint,
  type Precision,
  type TimeSpan,
} from './calendar.ts';
import { inferHalfOfDay, isClockHour } from './clock-times.ts';
import { isPersonalMonth } from './name-cues.ts';
import { vagueDatePhrases } from './vague-spans.ts';

/** A time that a text names, and where. */
export interface DateMention extends TimeSpan {
  text: string;
  index: number;
}

// chrono is only asked where one of these occurs: it runs some forty expressions over the text.
const hint =
  /\d|\b(?:to(?:day|night|morrow)|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|weekend|spring|summer|autumn|fall|winter|ago|(?:last|next|this|past|coming|in|end of)\b.{0,20}\b(?:night|week|month|year|decade)s?|month-end|year-end|noon|midnight|quarter|from (?:now|today)|(?:before last|after next)|(?:this|over the) \p{L}+)\b/iu;
// Ordinary words that chrono reads as dates, and lengths of time, which name no date.
const noDate = /^(?:now|sun|sat|mon|wed|mar|dec|second|the second|may|march|\d{1,2}|\d{1,2}\.\d+|(?:for|within)\b.*)$/u;
const recurring = /\b(?:every|each|most|on all|any)(?: (?:other|single|second))?\s+$/iu;

/**
 * The dates a text names, in the order of their place; `at` is when it was said. `leaning` is that of all of them, or
 * tells it by their place. Recurring days are not dates.
 */
export function findDates(text: string, at: Date, leaning: TenseHint | ((index: number) => TenseHint)): DateMention[] {
  if (!hint.test(text)) return [];
  const leaningAt = (index: number) => (typeof leaning === 'string' ? leaning : leaning(index));
  const found: DateMention[] = [];
  for (const { pattern, span } of vagueDatePhrases) {
    for (const match of text.matchAll(pattern)) {
      const mention = span(match, at, leaningAt(match.index));
      if (mention && !overlaps(found, match.index, match[0]))
        found.push({ text: match[0], index: match.index, ...mention });
    }
  }
  // The American parser: the British one reads "March 15" as a month of 2015. "14 March" is understood by both.
  for (const result of en.casual.parse(text, { instant: at, timezone: 0 })) {
    const [before, rest] = [text.slice(0, result.index), text.slice(result.index + result.text.length)];
    if (noDate.test(result.text) || recurring.test(before)) continue;
    if (!isNamedTime(result) && !(/^at \d{1,2}$/u.test(result.text) && isClockHour(before, rest))) continue;
    if (/^['’]s\b/u.test(rest)) continue; // "this year's harvest" is no date
    if (isPersonalMonth(result.text, { before, rest }) || overlaps(found, result.index, result.text)) continue;
    found.push(mentionOf(result, { text, at, leaning: leaningAt(result.index) }));
  }
  return found.toSorted((a, b) => a.index - b.index);
}

/** Bare numbers ("from 1.8 to 1.2") are read as hours: a time of day has to look like one. */
function isNamedTime(result: ParsedResult): boolean {
  return (
    isDated(result) ||
    /\d:\d\d|\d ?[ap]\.?m\b|\b(?:noon|midnight|morning|afternoon|evening|night|o'clock)\b|tonight/iu.test(result.text)
  );
}

const isDated = ({ start }: ParsedResult): boolean =>
  (['day', 'weekday', 'month', 'year'] as const).some((part) => start.isCertain(part));

interface Said {
  text: string;
  at: Date;
  leaning: TenseHint;
}

function mentionOf(result: ParsedResult, { text: said, at, leaning }: Said): DateMention {
  const { text, index, start } = result;
  const half =
    start.isCertain('hour') && !start.isCertain('meridiem')
      ? inferHalfOfDay(start.get('hour') ?? 0, { written: text, clause: said })
      : 'as written';
  const precision = half === 'unknown' && isDated(result) ? 'day' : precisionOf(result);
  const afternoon = half === 'afternoon' ? dayMs / 2 : 0;
  const read = truncateDate(new Date(start.date().getTime() + afternoon), precision);
  const from = nearest(read, result, { precision, at, leaning });
  const shift = from.getTime() - read.getTime() + afternoon;
  const last = result.end ? truncateDate(new Date(result.end.date().getTime() + shift), precision) : from;
  return {
    text,
    index,
    start: from,
    ...(precision === 'minute' ? {} : { end: endOfPeriod(last > from ? last : from, precision) }),
    precision,
  };
}

/** The last such date for a report, the coming one for a plan; what is named in full, or from today, stays. */
function nearest(
  read: Date,
  result: ParsedResult,
  { precision, at, leaning }: { precision: Precision; at: Date; leaning: TenseHint },
): Date {
  if (result.start.isCertain('year')) return read;
  // A plan may speak of "last Friday", which lies before it all the same.
  const isPast = leaning === 'past' || /^(?:on )?(?:last|past|previous)\b/iu.test(result.text);
  if (isPast) return read > at ? stepped(read, result, -1) : read;
  const isOver = precision === 'minute' ? read < at : endOfPeriod(read, precision) <= at;
  return isOver && isBare.test(result.text) ? stepped(read, result, 1) : read;
}

const isBare = /^(?!.*\b(?:ago|last|past|previous|next|back|earlier|yesterday|today|tomorrow|tonight)\b)/isu;

/** Moves a date by a year, or by a week when only its weekday is named, or by a day for an hour. */
function stepped(date: Date, { start, text }: ParsedResult, step: 1 | -1): Date {
  const by = (days: number) => new Date(date.getTime() + step * days * dayMs);
  if (start.isCertain('month')) {
    const day = addToDate(date, { years: step });
    return new Date(day.getTime() + (date.getTime() % dayMs));
  }
  if (start.isCertain('weekday')) return by(7);
  return /^at \d/u.test(text) && !start.isCertain('day') ? by(1) : date;
}

function precisionOf({ text, start }: ParsedResult): Precision {
  // "three weeks ago" is not said to the day.
  const unit =
    /\b(week|month|year)s?\s+(?:ago|back|earlier|later|from now)\b|\b(?:in|last|next|this|past)\b.*\b(week|month|year)s?\b/iu.exec(
      text,
    );
  if (unit) return (unit[1] ?? unit[2] ?? 'day').toLowerCase() as Precision;
  if (start.isCertain('minute')) return 'minute';
  if (start.isCertain('hour')) return 'hour';
  if (start.isCertain('day') || start.isCertain('weekday')) return 'day';
  return start.isCertain('month') ? 'month' : 'year';
}

function overlaps(found: readonly DateMention[], index: number, text: string): boolean {
  return found.some((other) => index < other.index + other.text.length && other.index < index + text.length);
}
