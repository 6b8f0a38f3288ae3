import { englishMonths, monthSource, weekdaySource } from '../../language/calendar-names.ts';
import {
  addToDate,
  inYear,
  monthOf,
  periodFrom,
  truncateDate,
  utcDate,
  weekdayOf,
  type TenseHint,
  type TimeSpan,
} from '../calendar.ts';
import { unitsAway, weekendOf, yearSource, type EnglishPhrase } from './english-phrase.ts';

/** Words before an ordinal that is no day: a rank, a chapter, or the name of a king. */
const ranked = String.raw`\b(?:this|that|which|these|one) (?:is|was) |\b(?:came|come|comes|finish\p{L}*|plac\p{L}*|rank\p{L}*|being|chapter|in|Henry|George|Edward|Louis|Charles|James|Richard|William|Elizabeth) `;
/** Matches the end of an ordinal that is a day: no noun follows that it could number. */
export const dayEndSource = String.raw`(?=\s*(?:[.,;:!?)|]|$)|\s[–—-]\s|\s(?:at|and|or|with|to|but|so|because|when|while|if|as|than|that|who|we|i|my|our|you|your|he|she|they|it|there|is|are|was|were|will|would|has|had|have|can|could|until|till|through|from|for|after|before|instead|now|then|please|not|both|unless|since|by|on|around|about|in(?! (?:line|a row|place|the (?:row|series|list|queue)))|\d{1,2}(?:[:.]\d\d)?\s?[ap]m|\d{1,2}:\d\d)\b)`;

/** Matches the number of a day, and captures it. */
const nth = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
/** Matches the words between the two days of a span. */
const to = String.raw`\s*(?:-|–|—|to|until|till|through|and)\s*`;

/** Days that are named by their number or weekday in a month. */
export const daysOfMonth: readonly EnglishPhrase[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:from |between )?(?:the )?${nth}${to}(?:the )?${nth}(?: of)? (${monthSource})\b${yearSource}`,
      'giu',
    ),
    span: ([, first, last, month = '', named], at, tense) =>
      Number(first) < Number(last) ? spanOfDays({ first, month, last, year: named }, at, tense) : undefined,
  },
  {
    pattern: new RegExp(String.raw`\b(?:from |between )?(${monthSource}) ${nth}${to}${nth}\b(?!:)${yearSource}`, 'giu'),
    span: ([, month = '', first, last, named], at, tense) =>
      Number(first) < Number(last) ? spanOfDays({ first, month, last, year: named }, at, tense) : undefined,
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:the )?${nth}(?: of)? )?(${monthSource})(?: ${nth})?,? (?:of )?(last|this|next) year\b`,
      'giu',
    ),
    span({ 1: before, 2: month = '', 3: behind, 4: which = '', index, input }, at) {
      const [ofYear, day] = [at.getUTCFullYear() + (unitsAway[which.toLowerCase()] ?? 0), before ?? behind];
      if (day) return numericDay(Number(day), monthOf(month) + 1, ofYear);
      return isVerb(month, input.slice(0, index)) ? undefined : periodFrom(utcDate(ofYear, monthOf(month)), 'month');
    },
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:from |between )?the ${nth}${to}(${monthSource}) ${nth}\b(?!:)${yearSource}`,
      'giu',
    ),
    span: ([, first, month = '', last, named], at, tense) => spanOfDays({ first, month, last, year: named }, at, tense),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:week(end)? (?:of|around|commencing|beginning|starting)|w/c) (?:the )?(?=\d{1,2}(?:(?:st|nd|rd|th)\b|(?: of)? (?:${monthSource})\b))${nth}(?:(?: of)? (${monthSource}))?\b${yearSource}`,
      'giu',
    ),
    span: ([, weekend, number, month, named], at, tense) =>
      weekOf({ isWeekend: weekend !== undefined, number: Number(number), month, named }, at, tense),
  },
  {
    pattern: new RegExp(
      String.raw`\b(first|second|third|fourth|last) (${weekdaySource}) (?:of|in) (the month|this month|next month|(?:${monthSource})\b)`,
      'giu',
    ),
    span: ([, which = '', day = '', month = ''], at, tense) =>
      weekdayOfMonth(which.toLowerCase(), weekdayOf(day), month.toLowerCase(), at, tense),
  },
  {
    // Written with points, the day comes first: "4.12.26".
    pattern:
      /(?<![\d.\p{L}])(?<!\b(?:version|release|ubuntu|v|node|python) )(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d|\d\d)(?![.\d])/giu,
    span: ([, day, month, named = '']) => numericDay(Number(day), Number(month), Number(named)),
  },
  {
    pattern: /\b(?:on )?the (\d{1,2})(?:st|nd|rd|th) of (next|last) month\b/giu,
    span([, day, which = ''], at) {
      const month = utcDate(at.getUTCFullYear(), at.getUTCMonth() + (/^n/iu.test(which) ? 1 : -1));
      return numericDay(Number(day), month.getUTCMonth() + 1, month.getUTCFullYear());
    },
  },
  {
    // "From the 8th to the 15th", where the month may stand before: "in August, from the 8th to the 15th".
    pattern: new RegExp(
      String.raw`(?:\b(${monthSource})(?: \p{L}+)?,? )?(?:\bfrom |\bbetween )?\bthe (\d{1,2})(?:st|nd|rd|th)${to}(?:the )?(\d{1,2})(?:st|nd|rd|th)${dayEndSource}`,
      'giu',
    ),
    span({ 1: month, 2: first, 3: last, index, input }, at, tense) {
      if (month && !isVerb(month, input.slice(0, index))) {
        const until = Number(first) < Number(last) ? month : englishMonths[(monthOf(month) + 1) % 12]!;
        return spanOfDays({ first, month: until, last, year: undefined }, at, tense);
      }
      const start = dayOfMonth(Number(first), at, tense)?.start;
      const end = start && dayOfMonth(Number(last), start, 'future')?.end;
      return end && { start, end, precision: 'day' };
    },
  },
  {
    // "On the 5th", "Friday the 4th", but not "on the 5th floor" or "for the 2nd time".
    pattern: new RegExp(
      String.raw`(?:\b(${weekdaySource}),? (?:the )?|(?<=\b(?:on|by|before|until|till|from|since|for|to|after) )(?:the )?|\b(?<!${ranked})the )(\d{1,2})(?:st|nd|rd|th)(?: of (?:the|this) month)?${dayEndSource}`,
      'giu',
    ),
    span: ([, day, number], at, tense) =>
      (day && dayOfMonth(Number(number), at, tense, weekdayOf(day))) || dayOfMonth(Number(number), at, tense),
  },
];

/**
 * Whether "may" or "march" is a verb, as in "we may next year": in small letters it is a month only behind a number or
 * a preposition.
 */
const isVerb = (month: string, before: string): boolean =>
  /^(?:may|march)$/u.test(month) &&
  !/(?:\d(?:st|nd|rd|th)?|\b(?:in|of|by|since|until|till|from|for|before|after|during))\s$/iu.test(before);

/**
 * The days from one number to another of a month, such as "3-5 May"; where the first number is no lower, it is one of
 * the month before: "from the 14th to Jan 4". `year`: where it is named.
 */
function spanOfDays(
  { first, month, last, year: named }: Record<'first' | 'last' | 'year', string | undefined> & { month: string },
  at: Date,
  tense: TenseHint,
): TimeSpan | undefined {
  const [from, until] = [Number(first), Number(last)];
  if (from < 1 || from > 31 || until < 1 || until > 31) return undefined;
  const spanIn = (ofYear: number) => ({
    start: utcDate(ofYear, monthOf(month) - (from < until ? 0 : 1), from),
    end: utcDate(ofYear, monthOf(month), until + 1),
    precision: 'day' as const,
  });
  return inYear(spanIn, named, at, tense);
}

/** The week, or the weekend, of the day with this number: of this month or the next where none is named. */
function weekOf(
  day: { isWeekend: boolean; number: number; month: string | undefined; named: string | undefined },
  at: Date,
  tense: TenseHint,
): TimeSpan | undefined {
  const { isWeekend, number, month, named } = day;
  const spanIn = (ofYear: number) => periodFrom(utcDate(ofYear, monthOf(month ?? ''), number), 'day');
  const found = month ? inYear(spanIn, named, at, tense) : dayOfMonth(number, at, tense);
  if (!found || number < 1 || number > 31) return undefined;
  return isWeekend ? weekendOf(found.start) : periodFrom(truncateDate(found.start, 'week'), 'week');
}

const ordinals = ['first', 'second', 'third', 'fourth'];

/** The "last Friday of the month": of this month, or of the next where it is over and should be to come. */
function weekdayOfMonth(which: string, weekday: number, month: string, at: Date, tense: TenseHint): TimeSpan {
  const inMonth = (ofYear: number, number: number) => {
    const end = utcDate(ofYear, number + 1);
    const first = utcDate(ofYear, number);
    const start =
      which === 'last'
        ? addToDate(end, { days: -1 - ((end.getUTCDay() + 6 - weekday) % 7) })
        : addToDate(first, { days: ((weekday - first.getUTCDay() + 7) % 7) + 7 * ordinals.indexOf(which) });
    return periodFrom(start, 'day');
  };
  const [thisYear, thisMonth] = [at.getUTCFullYear(), at.getUTCMonth()];
  if (month === 'next month') return inMonth(thisYear, thisMonth + 1);
  if (!month.endsWith('month')) return inYear((ofYear) => inMonth(ofYear, monthOf(month)), undefined, at, tense);
  const current = inMonth(thisYear, thisMonth);
  if (tense === 'past') return current.start > at ? inMonth(thisYear, thisMonth - 1) : current;
  return current.end <= at && month === 'the month' ? inMonth(thisYear, thisMonth + 1) : current;
}

/** A day by its numbers, with the year in four digits or two; undefined where there is no such day. */
function numericDay(day: number, month: number, named: number): TimeSpan | undefined {
  const start = utcDate(named < 100 ? 2000 + named : named, month - 1, day);
  if (start.getUTCDate() !== day || start.getUTCMonth() !== month - 1) return undefined;
  return periodFrom(start, 'day');
}

/**
 * The last or the coming day of this number, as its month has it: there is no 31st of June; where a weekday is named,
 * too, the first that is one.
 */
function dayOfMonth(number: number, at: Date, tense: TenseHint, weekday?: number): TimeSpan | undefined {
  if (number < 1 || number > 31) return undefined;
  const step = tense === 'past' ? -1 : 1;
  for (let away = 0; Math.abs(away) <= (weekday === undefined ? 2 : 14); away += step) {
    const day = periodFrom(utcDate(at.getUTCFullYear(), at.getUTCMonth() + away, number), 'day');
    const { start, end } = day;
    if (start.getUTCDate() !== number || (weekday !== undefined && start.getUTCDay() !== weekday)) continue;
    if (step < 0 ? start <= at : end > at) return day;
  }
  return undefined;
}
