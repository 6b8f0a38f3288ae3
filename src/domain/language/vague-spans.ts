import {
  endOfPeriod,
  monthOf,
  addToDate,
  truncateDate,
  utcDate,
  inferYear,
  type TenseHint,
  type Precision,
  type TimeSpan,
} from './calendar.ts';
import { dayMs } from '../time.ts';
import { anyWordOf, calendarNames, monthSource, weekdaySource } from './calendar-names.ts';
import { daysOfMonth, numericDay, weekdayOf } from './days-of-month.ts';
import { isVerb, nth, spanOfDays, to, year, type VagueSpan } from './vague-span.ts';

const seasons: Record<string, number> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
const thirds: Record<string, number> = {
  early: 0, 'the beginning of': 0, 'beginning of': 0, 'the start of': 0, 'start of': 0,
  mid: 1, 'the middle of': 1, 'middle of': 1,
  late: 2, 'the back end of': 2, 'back end of': 2,
}; // prettier-ignore
/** Matches which third of a span is meant. */
const partSource = `(${anyWordOf(thirds)})[- ]`;

/** "Next week on Wednesday". */
const weekdayOfWeek = (weekday: string, which: string, at: Date): TimeSpan =>
  dayAway((weekdayOf(weekday) + 6) % 7, unitSpan('week', steps[which.toLowerCase()] ?? 0, at).start);

export const vagueDatePhrases: readonly VagueSpan[] = [
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
    span([, number, named], at, leaning) {
      // The first week of a year is that of 4 January.
      const spanIn = (inYear: number) => {
        const start = addToDate(truncateDate(utcDate(inYear, 0, 4), 'week'), { days: 7 * (Number(number) - 1) });
        return { start, end: endOfPeriod(start, 'week') };
      };
      const isPast = leaning === 'past';
      return {
        ...spanIn(named ? Number(named) : inferYear(spanIn, at, isPast ? 'past' : 'future')),
        precision: 'week',
      };
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
    pattern: new RegExp(String.raw`\b${partSource}(?:in )?(${monthSource})\b${year}`, 'giu'),
    span: ([, part = '', month = '', named], at, leaning) => {
      const spanIn = (inYear: number) => ({
        start: utcDate(inYear, monthOf(month)),
        end: utcDate(inYear, monthOf(month) + 1),
      });
      return thirdOf(part, { ...spanIn(named ? Number(named) : inferYear(spanIn, at, leaning)), precision: 'month' });
    },
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:from |between )?(?:the )?${nth}${to}(?:the )?${nth}(?: of)? (${monthSource})\b${year}`,
      'giu',
    ),
    span: ([, first, last, month = '', named], at, leaning) =>
      Number(first) < Number(last) ? spanOfDays({ first, month, last, year: named }, at, leaning) : undefined,
  },
  {
    pattern: new RegExp(String.raw`\b(?:from |between )?(${monthSource}) ${nth}${to}${nth}\b(?!:)${year}`, 'giu'),
    span: ([, month = '', first, last, named], at, leaning) =>
      Number(first) < Number(last) ? spanOfDays({ first, month, last, year: named }, at, leaning) : undefined,
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:the )?${nth}(?: of)? )?(${monthSource})(?: ${nth})?,? (?:of )?(last|this|next) year\b`,
      'giu',
    ),
    span({ 1: before, 2: month = '', 3: behind, 4: which = '', index, input }, at) {
      const [inYear, day] = [at.getUTCFullYear() + (steps[which.toLowerCase()] ?? 0), before ?? behind];
      if (day) return numericDay(Number(day), monthOf(month) + 1, inYear);
      if (isVerb(month, input.slice(0, index))) return undefined;
      const start = utcDate(inYear, monthOf(month));
      return { start, end: endOfPeriod(start, 'month'), precision: 'month' };
    },
  },
  ...daysOfMonth,
  {
    pattern:
      /\b(this|last|next|past|coming|in|in the|during the|over the|the|back in the)\s+(spring|summer|autumn|fall|winter)(?: of ((?:19|20)\d\d))?\b/giu,
    span: ([, which = '', season = '', named], at, leaning) =>
      /^the$/iu.test(which) && !named
        ? undefined
        : seasonSpan(which.toLowerCase(), season.toLowerCase(), named, at, leaning),
  },
  {
    pattern: /\b(last|past|this|next|coming)\s+(weekend|week)\b/giu,
    span: ([, which = '', unit = ''], at) => unitSpan(unit.toLowerCase(), steps[which.toLowerCase()] ?? 0, at),
  },
  {
    pattern: /\b(last|past|previous|this|next|coming) quarter\b|\bQ([1-4])(?: (?:of )?((?:19|20)\d\d))?\b/gu,
    span: ([, which = '', quarter, named], at, leaning) => {
      const place = quarter ? Number(quarter) - 1 : Math.floor(at.getUTCMonth() / 3) + (steps[which] ?? 0);
      const spanIn = (inYear: number) => threeMonthsFrom(inYear, 3 * place);
      if (!quarter) return spanIn(at.getUTCFullYear());
      return spanIn(named ? Number(named) : inferYear(spanIn, at, leaning));
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
    pattern:
      /\b(\d{1,2}|a|one|two|three|four|five|six|seven|eight|nine|ten) (day|week|month|year)s? from (?:now|today)\b/giu,
    span: ([, count = '', unit = ''], at) => unitSpan(unit.toLowerCase(), numberOf(count.toLowerCase()), at),
  },
  {
    pattern: /\b(?:(early|mid|late)[- ])?(?:the )?((?:19|20)\d0)s\b/giu,
    span: ([, part, decade = '']) =>
      thirdOf(part, { start: utcDate(Number(decade)), end: utcDate(Number(decade) + 10), precision: 'year' }),
  },
  {
    pattern: /\b(?:in|since|during|from|until|of|by|back in|around)\s+((?:19|20)\d\d)\b(?![-/]\d)/giu,
    span: ([, named = '']) => ({ start: utcDate(Number(named)), end: utcDate(Number(named) + 1), precision: 'year' }),
  },
];

function dayAway(days: number, at: Date): TimeSpan {
  const start = addToDate(truncateDate(at, 'day'), { days });
  return { start, end: endOfPeriod(start, 'day'), precision: 'day' };
}

const steps: Record<string, number> = { last: -1, past: -1, previous: -1, this: 0, coming: 0, next: 1 };
const numberOf = (count: string): number => (count === 'a' ? 1 : Number(calendarNames.en.number[count] ?? count));

/** So many units before or after the one that holds `at`; a weekend is Saturday and Sunday. */
function unitSpan(unit: string, step: number, at: Date): TimeSpan {
  if (unit === 'weekend' || unit === 'week') {
    const start = addToDate(truncateDate(at, 'week'), { days: 7 * step });
    return unit === 'week'
      ? { start, end: endOfPeriod(start, 'week'), precision: 'week' }
      : { start: addToDate(start, { days: 5 }), end: addToDate(start, { days: 7 }), precision: 'day' };
  }
  const precision = unit as 'day' | 'month' | 'year';
  const start = addToDate(truncateDate(at, precision), { [`${precision}s`]: step });
  return { start, end: endOfPeriod(start, precision), precision };
}

function namedSpan(which: string, at: Date): TimeSpan {
  const named = /\d{4}/u.exec(which);
  if (named) return { start: utcDate(Number(named[0])), end: utcDate(Number(named[0]) + 1), precision: 'year' };
  const [word = '', unit = ''] = which.split(' ');
  return unitSpan(unit, steps[word] ?? 0, at);
}

/** "Early March" is its first third; all of the span when no part is named. */
function thirdOf(part: string | undefined, span: TimeSpan): TimeSpan {
  if (!part || !span.end) return span;
  const third = (span.end.getTime() - span.start.getTime()) / 3;
  const at = (n: number) => truncateDate(new Date(span.start.getTime() + n * third), 'day');
  const n = thirds[part.toLowerCase()] ?? 0;
  const finer: Partial<Record<Precision, Precision>> = { week: 'day', month: 'week' };
  const ofYear = third > 366 * dayMs ? 'year' : 'season';
  return { start: at(n), end: n === 2 ? span.end : at(n + 1), precision: finer[span.precision] ?? ofYear };
}

function threeMonthsFrom(inYear: number, month: number) {
  const start = utcDate(inYear, month);
  return { start, end: endOfPeriod(start, 'season'), precision: 'season' } as const;
}

function seasonSpan(which: string, season: string, named: string | undefined, at: Date, leaning: TenseHint): TimeSpan {
  const spanIn = (inYear: number) => threeMonthsFrom(inYear, seasons[season]!);
  if (named) return spanIn(Number(named));
  const current = at.getUTCFullYear();
  if (which === 'last' || which === 'past') return spanIn(spanIn(current).end > at ? current - 1 : current);
  if (which === 'next' || which === 'coming') return spanIn(spanIn(current).start <= at ? current + 1 : current);
  // "We went to Graz this winter", in November, tells of the last one.
  if (which !== 'this' || leaning !== 'either') return spanIn(inferYear(spanIn, at, leaning));
  // In January, "this winter" is the one that began in December.
  return spanIn(season === 'winter' && at.getUTCMonth() < 2 ? current - 1 : current);
}

function endOf(unit: string, which: string, at: Date): TimeSpan {
  const { start } = unitSpan(unit, steps[which.toLowerCase()] ?? 0, at);
  const end = endOfPeriod(start, unit as Precision);
  // A working week ends on its Friday.
  return { start: addToDate(end, { days: unit === 'week' ? -3 : -1 }), end, precision: 'day' };
}
