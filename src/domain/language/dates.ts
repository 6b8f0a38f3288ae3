import type { ParsedResult } from 'chrono-node';
import * as en from 'chrono-node/en'; // the package's root loads every language, in every process and thread
import { endOfPeriod, addToDate, truncateDate, type SaidAt, type TenseHint, type Precision } from './calendar.ts';
import { dayMs } from '../time.ts';
import { anyWordOf, calendarNames, monthSource, weekdaySource } from './calendar-names.ts';
import { inferHalfOfDay, isClockHour } from './clock-times.ts';
import { endsDay } from './days-of-month.ts';
import { datesInEnglish, foreignHint } from './foreign-dates.ts';
import { withHours, type DateMention } from './hours-of-days.ts';
import { isPersonalMonth } from './name-cues.ts';
import { isRoutineDay, recurringDaysIn, tellsRoutine } from './routine-times.ts';
import { languageOf } from './sentence-language.ts';
import { isSlashDate, monthFirst } from './slash-dates.ts';
import { vagueDatePhrases } from './vague-spans.ts';

// chrono is only asked where one of these occurs: it runs some forty expressions over the text.
const hint = new RegExp(
  String.raw`\d|\b(?:to(?:day|night|morrow)|yesterday|(?:mon|tue|wed|thu|fri|sat|sun)(?:s|nes|r|rs|ur)?(?:day)?|${monthSource}|weekend|spring|summer|autumn|fall|winter|ago|(?:last|next|this|past|coming|in|end of)\b.{0,20}\b(?:night|week|month|year|decade)s?|month-end|year-end|fortnight|noon|midnight|quarter|from (?:now|today)|(?:before last|after next)|(?:this|over the) \p{L}+)\b`,
  'iu',
);
// Ordinary words that chrono reads as dates, and lengths of time, which name no date; "a day earlier" counts from another.
const noDate =
  /^(?:now|sun|sat|mon|wed|mar|dec|second|the second|may|march|(?:the )?last day|\d{1,2}|\d{1,2}\.\d+|(?:for|within)\b.*|.*\b(?:earlier|later))$/u;
/** "Till sat", "to sun": days all the same. */
const namesDay = /\b(?:by|to|till|until|for|from|before|after|this|next|last|or)\s$/iu;
// "4 december 12 noon", "12 dec, 30 min": chrono takes the number for a year, unless this stands before it.
const afterDayOfMonth = new RegExp(
  String.raw`(?<=\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${monthSource})|(?:${monthSource}) \d{1,2}(?:st|nd|rd|th)?),?)\s(?=(\d{1,3})(?![\d:])(\s?(?:[ap]\.?m\b|noon\b|midnight\b|o['’]clock\b))?)`,
  'giu',
);
// "From 3 June": chrono takes the day for an hour.
const fromDayOfMonth = new RegExp(String.raw`\bfrom(?=\s\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${monthSource})\b)`, 'giu');
const shortYear = /^,? ?['’](\d\d)(?!\d)/u;

/**
 * The dates a text names, in the order of their place. `leaning` is that of all of them, or tells it by their place.
 * Recurring days are not dates.
 */
export function findDates(
  text: string,
  said: SaidAt,
  leaning: TenseHint | ((index: number) => TenseHint),
): DateMention[] {
  if (!hint.test(text) && !foreignHint.test(text)) return [];
  const language = languageOf(text);
  const leaningAt = (index: number) => (typeof leaning === 'string' ? leaning : leaning(index));
  if (language === 'en') return findEnglishDates(text, { ...said, clause: text, leaningAt });
  const dates = datesInEnglish(text, language, said);
  const found = findEnglishDates(dates.text, {
    at: said.at,
    clause: text,
    leaningAt: (index) => dates.leaningAt(index) ?? leaningAt(dates.placeOf(index, 1).start),
  });
  return found.map((mention) => {
    const { start, end } = dates.placeOf(mention.index, mention.text.length);
    return { ...mention, text: text.slice(start, end), index: start };
  });
}

/** When and how a text is said: `clause` as it was said, which another language may have. */
interface Reading extends SaidAt {
  clause: string;
  leaningAt: (index: number) => TenseHint;
}

/** The time that holds no more, beside the one that does: "moved from the 9th to the 16th", "the 16th instead of the 9th". */
const formerTime = new RegExp(
  [
    String.raw`(?<=\b(?:moved|moves|shifted|changed|switched|rescheduled|postponed|delayed|pushed(?: back)?|put back|brought forward)\b[^.;!?]{0,30}\bfrom\s)[^.;!?]{1,40}?(?=\sto\s)`,
    String.raw`(?<=\b(?:instead of|rather than|,? (?:and )?not)\s)(?:on |at |the ){0,2}(?:(?:${monthSource}) \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${monthSource})|\d{1,2}(?:st|nd|rd|th)|(?:${weekdaySource}))(?=\s*(?:[.,;!?)]|$))`,
  ].join('|'),
  'giu',
);
const blanked = (words: string): string => '·'.repeat(words.length);

const { number: numbers } = calendarNames.en;
const minutesOf: Readonly<Record<string, number>> = { five: 5, ten: 10, quarter: 15, twenty: 20, 'twenty-five': 25 };
/** "Half past six", "half four" (British: half past four), "quarter to nine"; "ten to five" may be a number of something. */
const spokenTime = new RegExp(
  String.raw`\b(?:(?:at |by |from |until |till |around |about )?(?:(?<half>half)(?: past)?|(?:a )?(?<quarter>quarter) (?<side>past|to))|(?:at|by|until|till|around|about) (?<minutes>five|ten|twenty(?:-five)?) (?<way>past|to)) (?<hour>${anyWordOf(numbers)}|1[0-2]|[1-9])(?!\s*(?:%|[a-z]*(?:hours?|minutes?|years?|weeks?|months?|days?|percent|people|of)\b)|[:.]\d)\b`,
  'giu',
);

/** "About five to six guests", "the first half 3 goals": an hour only where no thing follows that it could be a number of. */
const mayCount = /^(?!.*\b(?:quarter|past)\b)/iu;
const endsHour = new RegExp(
  String.raw`^(?:${endsDay}|\s(?:today|tonight|tomorrow|this|next|sharp|${weekdaySource}|[ap]\.?m|o['’]clock)\b)`,
  'iu',
);

/** The hours that are told in words: of the day on which it is said, until a date beside them tells another. */
function findSpokenTimes(text: string, at: Date, clause: string): DateMention[] {
  return [...text.matchAll(spokenTime)].flatMap((match) => {
    if (mayCount.test(match[0]) && !endsHour.test(text.slice(match.index + match[0].length))) return [];
    const { half, quarter, minutes = quarter, side, way = side, hour: said = '' } = match.groups!;
    const named = Number(numbers[said.toLowerCase()] ?? said);
    const past = half ? 30 : (way?.toLowerCase() === 'past' ? 1 : -1) * (minutesOf[minutes?.toLowerCase() ?? ''] ?? 0);
    const ofDay = named * 60 + past;
    const isAfternoon = inferHalfOfDay(Math.floor(ofDay / 60), { written: match[0], clause }) === 'afternoon';
    const start = new Date(truncateDate(at, 'day').getTime() + (ofDay + (isAfternoon ? 12 * 60 : 0)) * 60_000);
    return [{ text: match[0], index: match.index, start, precision: 'minute' as const }];
  });
}

function findEnglishDates(given: string, { at, dateOrder, clause, leaningAt }: Reading): DateMention[] {
  const text = given.replace(formerTime, blanked).replace(recurringDaysIn(clause), blanked);
  const found: DateMention[] = [];
  const hours: DateMention[] = findSpokenTimes(text, at, clause);
  for (const { pattern, span } of vagueDatePhrases) {
    for (const match of text.matchAll(pattern)) {
      const mention = span(match, at, leaningAt(match.index));
      if (mention && !overlaps(found, match.index, match[0]))
        found.push({ text: match[0], index: match.index, ...mention });
    }
  }
  const readable = (dateOrder === 'day-first' ? monthFirst(text) : text)
    .replace(/\b(wed)s\b/giu, '$1 ')
    .replace(fromDayOfMonth, blanked)
    .replace(afterDayOfMonth, (_, _number: string, unit?: string) => (unit ? '∙' : '|'));
  // The American parser: the British one reads "March 15" as a month of 2015. "14 March" is understood by both.
  for (const result of en.casual.parse(readable, { instant: at, timezone: 0 })) {
    const written = text.slice(result.index, result.index + result.text.length);
    const [before, rest] = [text.slice(0, result.index), text.slice(result.index + written.length)];
    if (overlaps([...found, ...hours], result.index, written) || namesNoDate(result, { clause, written, before, rest }))
      continue;
    const [, year] = shortYear.exec(rest) ?? [];
    const mention = mentionOf(result, {
      clause,
      written,
      before,
      at,
      leaning: leaningAt(result.index),
      ...(year && result.start.isCertain('month') ? { year: 2000 + Number(year) } : {}),
    });
    (isDated(result) ? found : hours).push(mention);
  }
  // The hour of a routine is one of every day, unless a day is named.
  const timed = found.length || !tellsRoutine(clause) ? hours : [];
  return withHours(found, timed, text).toSorted((a, b) => a.index - b.index);
}

/** What chrono takes for a time, with the words around it. */
interface Surroundings {
  clause: string;
  /** The words that name the time. */
  written: string;
  before: string;
  rest: string;
}

function namesNoDate(result: ParsedResult, { clause, written, before, rest }: Surroundings): boolean {
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
/** "Thursday's no good", "Sunday's the one": the "'s" is a verb. */
const contracted = /^['’]s\s(?:the|a|my|our|when|no|not|good|fine|best|free|off|out|ok|okay)\b/u;

const isWeekday = ({ start }: ParsedResult): boolean => start.isCertain('weekday') && !start.isCertain('day');

/** Bare numbers ("from 1.8 to 1.2") are read as hours: a time of day has to look like one. */
const isNamedTime = ({ start, text }: ParsedResult): boolean =>
  start.isCertain('hour') &&
  /\d:\d\d|\d ?[ap]\.?m\b|\b(?:noon|midnight|morning|afternoon|evening|night|o'clock)\b|tonight/iu.test(text);

const isDated = ({ start }: ParsedResult): boolean =>
  (['day', 'weekday', 'month', 'year'] as const).some((part) => start.isCertain(part));

interface Said {
  clause: string;
  /** Named behind an apostrophe, which chrono does not read. */
  year?: number;
  /** The words that name the time, and those before them. */
  written: string;
  before: string;
  at: Date;
  leaning: TenseHint;
}

function mentionOf(result: ParsedResult, said: Said): DateMention {
  const { index, start } = result;
  const { written, clause, year } = said;
  const half =
    start.isCertain('hour') && !start.isCertain('meridiem')
      ? inferHalfOfDay(start.get('hour') ?? 0, { written, clause })
      : 'as written';
  const precision = half === 'unknown' && isDated(result) ? 'day' : precisionOf(result);
  const afternoon = half === 'afternoon' ? dayMs / 2 : 0;
  const date = new Date(start.date().getTime() + afternoon);
  if (year) date.setUTCFullYear(year);
  // chrono counts "in a month" from 31 January to 31 February, which is a day of March.
  const isOverflow = !start.isCertain('day') && said.at.getUTCDate() - date.getUTCDate() > 25;
  if (isOverflow && relativeMonth.test(result.text)) date.setUTCDate(0);
  const read = truncateDate(date, precision);
  const from = year ? read : resolve(read, result, { ...said, precision });
  const shift = from.getTime() - read.getTime() + afternoon;
  const last = result.end ? truncateDate(new Date(result.end.date().getTime() + shift), precision) : from;
  return {
    text: written,
    index,
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
  { precision, at, leaning, before }: Said & { precision: Precision },
): Date {
  const { start, text } = result;
  if (start.isCertain('year')) return read;
  // A plan may speak of "last Friday", which lies before it all the same.
  if (leaning === 'past' || /^(?:on )?(?:last|past|previous)\b/iu.test(text))
    return read > at ? stepped(read, result, -1) : read;
  if (!isBare.test(text) || (leaning === 'either' && start.isCertain('month'))) return read;
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

function overlaps(found: readonly DateMention[], index: number, text: string): boolean {
  return found.some((other) => index < other.index + other.text.length && other.index < index + text.length);
}
