import {
  addToDate,
  endOfPeriod,
  inYear,
  monthOf,
  periodFrom,
  truncateDate,
  utcDate,
  weekdayOf,
  type TenseHint,
  type Precision,
  type TimeSpan,
} from '../calendar.ts';
import { dayMs } from '../../time.ts';
import { anyWordOf, calendarNames, monthSource, weekdaySource } from '../../language/calendar-names.ts';
import { unitsAway, weekendOf, yearSource, type EnglishPhrase } from './english-phrase.ts';

const { number: numbers } = calendarNames.en;
const seasons: Record<string, number> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
const thirds: Record<string, number> = {
  early: 0, 'the beginning of': 0, 'beginning of': 0, 'the start of': 0, 'start of': 0,
  mid: 1, 'the middle of': 1, 'middle of': 1,
  late: 2, 'the back end of': 2, 'back end of': 2,
}; // prettier-ignore
/** Matches which third of a span is meant. */
const partSource = `(${anyWordOf(thirds)})[- ]`;

/** A weekday of the last, this or the next week: "Next week on Wednesday". */
const weekdayOfWeek = (weekday: string, which: string, at: Date): TimeSpan =>
  dayAway((weekdayOf(weekday) + 6) % 7, unitSpan('week', unitsAway[which.toLowerCase()] ?? 0, at).start);

/** Periods that are named whole or by a part of them. */
export const periods: readonly EnglishPhrase[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:on )?(${weekdaySource})(?:,? of)? (last|this|next) week|(last|this|next) week,? (?:on )?(${weekdaySource}))\b`,
      'giu',
    ),
    span: ([, day, which, leadingWhich, trailingDay], at) =>
      weekdayOfWeek(day ?? trailingDay ?? '', which ?? leadingWhich ?? '', at),
  },
  {
    // "Tuesday week", "a fortnight on Thursday", "a week tomorrow": counted from the coming one.
    pattern: new RegExp(
      String.raw`\b(?<!\b(?:every|each|last) )(?:(?:on )?(${weekdaySource}|tomorrow|today) (week|fortnight)|a (week|fortnight) (?:(?:on|from) )?(?:(${weekdaySource})(?! (?:morning|afternoon|evening|night)s?\b)|(today|tomorrow)))(?=\s*(?:[.,;!?)]|$)|\s(?:at|for|with|we|I|is|in)\b)`,
      'giu',
    ),
    span([, named, unit, leadingUnit, weekday, near], at) {
      const day = named ?? weekday ?? near ?? '';
      const isNear = weekdayOf(day) < 0;
      const away = isNear ? Number(/^tom/iu.test(day)) : ((weekdayOf(day) - at.getUTCDay() + 6) % 7) + 1;
      const weeks = /^f/iu.test(unit ?? leadingUnit ?? '') ? 2 : 1;
      return dayAway(away + 7 * weeks, at);
    },
  },
  {
    pattern: /\b(?:in a fortnight(?:['’]s time)?|a fortnight (from now|ago))\b/giu,
    span: ([whole], at) => dayAway(/ago$/iu.test(whole) ? -14 : 14, at),
  },
  {
    pattern: /\b(?:[Cc]alendar week|CW) ?([1-9]|[1-4]\d|5[0-3])\b(?:[ /](?:of )?((?:19|20)\d\d))?/gu,
    span([, number, named], at, tense) {
      // The first week of a year is that of 4 January.
      const spanIn = (ofYear: number) =>
        periodFrom(addToDate(truncateDate(utcDate(ofYear, 0, 4), 'week'), { days: 7 * (Number(number) - 1) }), 'week');
      return inYear(spanIn, named, at, tense === 'past' ? 'past' : 'future');
    },
  },
  {
    pattern: /\bthe (day|week|weekend|month|year) (before last|after next)\b/giu,
    span: ([, unit = '', which = ''], at) => unitSpan(unit.toLowerCase(), /^b/iu.test(which) ? -2 : 2, at),
  },
  {
    pattern: new RegExp(
      String.raw`\b${partSource}((?:last|this|next) (?:week|month|year)|(?:in )?(?:19|20)\d\d)\b(?!s)`,
      'giu',
    ),
    span: ([, part = '', which = ''], at) => thirdOf(part, namedSpan(which.toLowerCase(), at)),
  },
  {
    pattern: new RegExp(String.raw`\b${partSource}(?:in )?(${monthSource})\b${yearSource}`, 'giu'),
    span: ([, part = '', month = '', named], at, tense) =>
      thirdOf(
        part,
        inYear((ofYear) => periodFrom(utcDate(ofYear, monthOf(month)), 'month'), named, at, tense),
      ),
  },
  {
    pattern:
      /\b(this|last|next|past|coming|in|in the|during the|over the|the|back in the)\s+(spring|summer|autumn|fall|winter)(?: of ((?:19|20)\d\d))?\b/giu,
    span: ([, which = '', season = '', named], at, tense) =>
      /^the$/iu.test(which) && !named
        ? undefined
        : seasonSpan(which.toLowerCase(), season.toLowerCase(), named, at, tense),
  },
  {
    pattern: /\b(last|past|this|next|coming)\s+(weekend|week)\b/giu,
    span: ([, which = '', unit = ''], at) => unitSpan(unit.toLowerCase(), unitsAway[which.toLowerCase()] ?? 0, at),
  },
  {
    pattern: /\b(last|past|previous|this|next|coming) quarter\b|\bQ([1-4])(?: (?:of )?((?:19|20)\d\d))?\b/gu,
    span: ([, which = '', quarter, named], at, tense) => {
      const place = quarter ? Number(quarter) - 1 : Math.floor(at.getUTCMonth() / 3) + (unitsAway[which] ?? 0);
      const spanIn = (ofYear: number) => periodFrom(utcDate(ofYear, 3 * place), 'season');
      return quarter ? inYear(spanIn, named, at, tense) : spanIn(at.getUTCFullYear());
    },
  },
  {
    pattern:
      /\b(?:(?:the )?end of (?:the |this |(next |last ))?(week|month|year)|(?<!financial |fiscal |tax )(month|year)-end)\b(?!\s*(?:is|falls|being|:|=))/giu,
    span: ([, which = '', unit, hyphened], at) => endOf((unit ?? hyphened ?? '').toLowerCase(), which.trim(), at),
  },
  {
    pattern: /\bthis (morning|afternoon|arvo|evening)\b/giu,
    span: (_, at) => dayAway(0, at),
  },
  {
    pattern: new RegExp(
      String.raw`\b(\d{1,2}|a|${anyWordOf(numbers)}) (day|week|month|year)s? from (?:now|today)\b`,
      'giu',
    ),
    span: ([, count = '', unit = ''], at) =>
      unitSpan(unit.toLowerCase(), Number(count === 'a' ? 1 : (numbers[count.toLowerCase()] ?? count)), at),
  },
  {
    pattern: /\b(?:(early|mid|late)[- ])?(?:the )?((?:19|20)\d0)s\b/giu,
    span: ([, part, decade = '']) =>
      thirdOf(part, { start: utcDate(Number(decade)), end: utcDate(Number(decade) + 10), precision: 'year' }),
  },
  {
    pattern: /\b(?:in|since|during|from|until|of|by|back in|around)\s+((?:19|20)\d\d)\b(?![-/]\d)/giu,
    span: ([, named = '']) => periodFrom(utcDate(Number(named)), 'year'),
  },
];

const dayAway = (days: number, at: Date): TimeSpan => unitSpan('day', days, at);

/** The unit that comes `step` units after the one that holds `at`, or before it. */
function unitSpan(unit: string, step: number, at: Date): TimeSpan {
  if (unit === 'weekend') return weekendOf(addToDate(at, { days: 7 * step }));
  const precision = unit as 'day' | 'week' | 'month' | 'year';
  const by = precision === 'week' ? { days: 7 * step } : { [`${precision}s`]: step };
  return periodFrom(addToDate(truncateDate(at, precision), by), precision);
}

function namedSpan(which: string, at: Date): TimeSpan {
  const named = /\d{4}/u.exec(which);
  if (named) return periodFrom(utcDate(Number(named[0])), 'year');
  const [word = '', unit = ''] = which.split(' ');
  return unitSpan(unit, unitsAway[word] ?? 0, at);
}

/** A third of a span, the first for "early March"; all of it when no part is named. */
function thirdOf(part: string | undefined, span: TimeSpan): TimeSpan {
  if (!part || !span.end) return span;
  const third = (span.end.getTime() - span.start.getTime()) / 3;
  const at = (n: number) => truncateDate(new Date(span.start.getTime() + n * third), 'day');
  const n = thirds[part.toLowerCase()] ?? 0;
  const finer: Partial<Record<Precision, Precision>> = { week: 'day', month: 'week' };
  const ofYear = third > 366 * dayMs ? 'year' : 'season';
  return { start: at(n), end: n === 2 ? span.end : at(n + 1), precision: finer[span.precision] ?? ofYear };
}

function seasonSpan(which: string, season: string, named: string | undefined, at: Date, tense: TenseHint): TimeSpan {
  const spanIn = (ofYear: number) => periodFrom(utcDate(ofYear, seasons[season]), 'season');
  if (named) return spanIn(Number(named));
  const current = at.getUTCFullYear();
  if (which === 'last' || which === 'past') return spanIn(spanIn(current).end > at ? current - 1 : current);
  if (which === 'next' || which === 'coming') return spanIn(spanIn(current).start <= at ? current + 1 : current);
  // "We went to Graz this winter", in November, tells of the last one.
  if (which !== 'this' || tense !== 'either') return inYear(spanIn, undefined, at, tense);
  // In January, "this winter" is the one that began in December.
  return spanIn(season === 'winter' && at.getUTCMonth() < 2 ? current - 1 : current);
}

function endOf(unit: string, which: string, at: Date): TimeSpan {
  const { start } = unitSpan(unit, unitsAway[which.toLowerCase()] ?? 0, at);
  const end = endOfPeriod(start, unit as Precision);
  // A working week ends on its Friday.
  return { start: addToDate(end, { days: unit === 'week' ? -3 : -1 }), end, precision: 'day' };
}
