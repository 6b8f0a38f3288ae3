import type { ParsedResult } from 'chrono-node';
import * as en from 'chrono-node/en'; // the package's root loads every language, in every process and thread
import { monthSource, weekdaySource } from '../../language/calendar-names.ts';
import { isPersonalMonth } from '../../language/name-cues.ts';
import { spansOverlap, type TextSpan } from '../../language/text-span.ts';
import { dayMs } from '../../time.ts';
import { withHours, type DateMention } from '../attach-hours.ts';
import {
  addToDate,
  endOfPeriod,
  truncateDate,
  type Precision,
  type SaidAt,
  type TenseHint,
  type TimeSpan,
} from '../calendar.ts';
import { findSpokenTimes, inferHalfOfDay, isClockHour } from './clock-times.ts';
import { isRoutineDay, recurringDaysIn, tellsRoutine } from '../recurring-times.ts';
import { isSlashDate, monthFirst } from '../slash-dates.ts';
import { daysOfMonth } from './days-of-month.ts';
import { periods } from './periods.ts';

// Ordinary words that chrono reads as dates, and lengths of time, which name no date; "a day earlier" counts from
// another.
const noDate =
  /^(?:now|sun|sat|mon|wed|mar|dec|second|the second|may|march|(?:the )?last day|\d{1,2}|\d{1,2}\.\d+|(?:for|within)\b.*|.*\b(?:earlier|later))$/u;
/** Words before a short weekday that make it a date: "Till sat", "to sun". */
const namesDay = /\b(?:by|to|till|until|for|from|before|after|this|next|last|or)\s$/iu;
// "4 december 12 noon", "12 dec, 30 min": chrono takes the number for a year, unless this stands before it.
const afterDayOfMonth = new RegExp(
  String.raw`(?<=\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${monthSource})|(?:${monthSource}) \d{1,2}(?:st|nd|rd|th)?),?)\s(?=(\d{1,3})(?![\d:])(\s?(?:[ap]\.?m\b|noon\b|midnight\b|o['’]clock\b))?)`,
  'giu',
);
// "From 3 June": chrono takes the day for an hour.
const fromDayOfMonth = new RegExp(String.raw`\bfrom(?=\s\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${monthSource})\b)`, 'giu');
/** "12 May '24": chrono does not read a year behind an apostrophe. */
const shortYear = /^,? ?['’](\d\d)(?!\d)/u;

/** When and in what words a text was said whose dates are read. */
interface TextContext extends SaidAt {
  /** The words as they were said, which may be in another language. */
  clause: string;
  tenseAt: (index: number) => TenseHint;
}

/** Matches a time that is no longer valid: "moved from the 9th to the 16th", "the 16th instead of the 9th". */
const formerTime = new RegExp(
  [
    String.raw`(?<=\b(?:moved|moves|shifted|changed|switched|rescheduled|postponed|delayed|pushed(?: back)?|put back|brought forward)\b[^.;!?]{0,30}\bfrom\s)[^.;!?]{1,40}?(?=\sto\s)`,
    String.raw`(?<=\b(?:instead of|rather than|,? (?:and )?not)\s)(?:on |at |the ){0,2}(?:(?:${monthSource}) \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${monthSource})|\d{1,2}(?:st|nd|rd|th)|(?:${weekdaySource}))(?=\s*(?:[.,;!?)]|$))`,
  ].join('|'),
  'giu',
);
const blanked = (words: string): string => '·'.repeat(words.length);

/** Where two phrases share words, the first one has them: "late May next year" is a May, and not next year. */
const phrases = [...daysOfMonth, ...periods];

/** Reads dates in English: by patterns of our own, then by chrono. */
export function findEnglishDates(given: string, { at, dateOrder, clause, tenseAt }: TextContext): DateMention[] {
  const text = given.replace(formerTime, blanked).replace(recurringDaysIn(clause), blanked);
  const found: DateMention[] = [];
  const hours: DateMention[] = findSpokenTimes(text, at, clause);
  for (const { pattern, span } of phrases) {
    for (const match of text.matchAll(pattern)) {
      const mention = span(match, at, tenseAt(match.index));
      const words = { start: match.index, end: match.index + match[0].length };
      if (mention && !isTaken(words, found)) found.push({ words, ...mention });
    }
  }
  const readable = (dateOrder === 'day-first' ? monthFirst(text) : text)
    .replace(/\b(wed)s\b/giu, '$1 ')
    .replace(fromDayOfMonth, blanked)
    .replace(afterDayOfMonth, (_, _number: string, unit?: string) => (unit ? '∙' : '|'));
  // The American parser: the British one reads "March 15" as a month of 2015. "14 March" is understood by both.
  for (const result of en.casual.parse(readable, { instant: at, timezone: 0 })) {
    const words = { start: result.index, end: result.index + result.text.length };
    const written = text.slice(words.start, words.end);
    const [before, rest] = [text.slice(0, words.start), text.slice(words.end)];
    const context = { clause, written, before, rest, at, tense: tenseAt(words.start) };
    if (isTaken(words, [...found, ...hours]) || namesNoDate(result, context)) continue;
    (isDated(result) ? found : hours).push({ words, ...timeOf(result, context) });
  }
  // The hour of a routine is one of every day, unless a day is named.
  const timed = found.length || !tellsRoutine(clause) ? hours : [];
  return withHours(found, timed, text).toSorted((a, b) => a.words.start - b.words.start);
}

/** The words around a time that chrono found, and when they were said. */
interface ResultContext {
  clause: string;
  /** The words that name the time, those before them and those behind. */
  written: string;
  before: string;
  rest: string;
  at: Date;
  tense: TenseHint;
}

function namesNoDate(result: ParsedResult, { clause, written, before, rest }: ResultContext): boolean {
  if (noDate.test(written) && !(shortDay.test(written) && namesDay.test(before))) return true;
  if (/^['’]s\b/u.test(rest) && !contracted.test(rest)) return true; // "this year's harvest"
  const slashed = /\d+\/[\d/]+/u.exec(written);
  const [ahead, behind] = written.split(slashed?.[0] ?? written);
  if (slashed && !isSlashDate(slashed[0], before + ahead, behind + rest)) return true;
  if (isPersonalMonth(written, { before, rest })) return true;
  if (isDated(result)) return isWeekday(result) && isRoutineDay(written, before, rest);
  return tellsRoutine(clause) || !(isNamedTime(result) || (/^at \d{1,2}$/u.test(written) && isClockHour(before, rest)));
}

const shortDay = /^(?:sun|sat|mon|wed)$/iu;
/** Matches words behind an "'s" that is a verb: "Thursday's no good", "Sunday's the one". */
const contracted = /^['’]s\s(?:the|a|my|our|when|no|not|good|fine|best|free|off|out|ok|okay)\b/u;

const isWeekday = ({ start }: ParsedResult): boolean => start.isCertain('weekday') && !start.isCertain('day');

/** Whether a time of day looks like one: chrono reads bare numbers ("from 1.8 to 1.2") as hours. */
const isNamedTime = ({ start, text }: ParsedResult): boolean =>
  start.isCertain('hour') &&
  /\d:\d\d|\d ?[ap]\.?m\b|\b(?:noon|midnight|morning|afternoon|evening|night|o'clock)\b|tonight/iu.test(text);

const isDated = ({ start }: ParsedResult): boolean =>
  (['day', 'weekday', 'month', 'year'] as const).some((part) => start.isCertain(part));

function timeOf(result: ParsedResult, context: ResultContext): TimeSpan {
  const { start } = result;
  const { written, clause, rest, at } = context;
  const [, year] = (start.isCertain('month') && shortYear.exec(rest)) || [];
  const half =
    start.isCertain('hour') && !start.isCertain('meridiem')
      ? inferHalfOfDay(start.get('hour') ?? 0, { written, clause })
      : 'as written';
  const precision = half === 'unknown' && isDated(result) ? 'day' : precisionOf(result);
  const afternoon = half === 'afternoon' ? dayMs / 2 : 0;
  const date = new Date(start.date().getTime() + afternoon);
  if (year) date.setUTCFullYear(2000 + Number(year));
  // chrono counts "in a month" from 31 January to 31 February, which is a day of March.
  const isOverflow = !start.isCertain('day') && at.getUTCDate() - date.getUTCDate() > 25;
  if (isOverflow && relativeMonth.test(result.text)) date.setUTCDate(0);
  const read = truncateDate(date, precision);
  const from = year ? read : resolve(read, result, { ...context, precision });
  const shift = from.getTime() - read.getTime() + afternoon;
  const last = result.end ? truncateDate(new Date(result.end.date().getTime() + shift), precision) : from;
  return {
    start: from,
    ...(precision === 'minute' ? {} : { end: endOfPeriod(last > from ? last : from, precision) }),
    precision,
  };
}

const relativeMonth = /\bmonths?\s(?:ago|back|from now)\b|\b(?:in|last|next|past|previous|coming)\b.*\bmonths?\b/iu;

/**
 * The last such date for a report, the coming one for a plan; what is named in full, or from today, stays. chrono reads
 * the nearest, which a day of a month is where nothing tells.
 */
function resolve(
  read: Date,
  result: ParsedResult,
  { precision, at, tense, before }: ResultContext & { precision: Precision },
): Date {
  const { start, text } = result;
  if (start.isCertain('year')) return read;
  // A plan may speak of "last Friday", which lies before it all the same.
  if (tense === 'past' || /^(?:on )?(?:last|past|previous)\b/iu.test(text))
    return read > at ? stepped(read, result, -1) : read;
  if (!isBare.test(text) || (tense === 'either' && start.isCertain('month'))) return read;
  // On a Friday, "on Friday" is not today.
  const isToday =
    ['day', 'hour', 'minute'].includes(precision) &&
    truncateDate(read, 'day').getTime() === truncateDate(at, 'day').getTime();
  if (
    isToday &&
    start.isCertain('weekday') &&
    (/^on\b/iu.test(text) || /\b(?:on|to|till|until|for|by|before) $/iu.test(before))
  )
    return stepped(read, result, 1);
  const isOver = precision === 'minute' ? read < at : endOfPeriod(read, precision) <= at;
  return isOver ? stepped(read, result, 1) : read;
}

const isBare = /^(?!.*\b(?:ago|last|past|previous|next|back|yesterday|today|tomorrow|tonight)\b)/isu;

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
    /\b(week|month|year)s?\s+(?:ago|back|from now)\b|\b(?:in|last|next|this|past)\b.*\b(week|month|year)s?\b/iu.exec(
      text,
    );
  if (unit) return (unit[1] ?? unit[2] ?? 'day').toLowerCase() as Precision;
  if (start.isCertain('minute')) return 'minute';
  if (start.isCertain('hour')) return 'hour';
  if (start.isCertain('day') || start.isCertain('weekday')) return 'day';
  return start.isCertain('month') ? 'month' : 'year';
}

const isTaken = (words: TextSpan, found: readonly DateMention[]): boolean =>
  found.some((other) => spansOverlap(words, other.words));
