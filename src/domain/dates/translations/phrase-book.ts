import {
  anyWordOf,
  englishMonths,
  wordTable,
  type calendarNames,
  type WordTable,
} from '../../language/calendar-names.ts';
import { isSlashDate, slashDate } from '../slash-dates.ts';
import type { DateOrder, TenseHint } from '../calendar.ts';

/** A phrase that names a date in another language, and how English puts it. */
export interface TranslatedPhrase {
  readonly pattern: RegExp;
  /** Undefined for no date after all; empty for one that comes back, which no other phrase may read either. */
  readonly english: (
    match: RegExpMatchArray,
    inDays: (days: number) => string,
    dateOrder: DateOrder | undefined,
  ) => string | undefined;
  /** The tense, if the phrase itself tells it. */
  readonly tense?: TenseHint;
}

/** The English word for one of a table. */
export const inEnglish = (table: WordTable, word = ''): string => table[word.toLowerCase()] ?? '';

/** Compiles a pattern of whole words, in which `{month}` and the like stand for the words of these tables. */
function phraseOf(source: string, tables: Readonly<Record<string, WordTable>>): RegExp {
  const filled = source.replace(/\{(\w+)\}/gu, (whole, name: string) => {
    const table = tables[name];
    return table ? `(${anyWordOf(table)})` : whole;
  });
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${filled})(?![\p{L}\d])`, 'giu');
}

/** English for a date in figures with the day first: "4.12.26". */
export function englishNumericDate(day = '', month = '', year: string | undefined): string | undefined {
  const name = englishMonths[Number(month) - 1];
  if (!name || Number(day) < 1 || Number(day) > 31) return undefined;
  return `${Number(day)} ${name}${year ? ` ${year.length === 2 ? `20${year}` : year}` : ''}`;
}

/** English for an hour, with the half of the day where it is named: "at 9:30". */
export function englishTime(hour = '', minute: string | undefined, half?: 'am' | 'pm'): string | undefined {
  if (Number(hour) > 24) return undefined;
  const isTwelve = half === 'pm' && Number(hour) > 12;
  return `at ${hour}:${minute ?? '00'}${half && !isTwelve ? ` ${half}` : ''}`;
}

/** The time some minutes from an hour, in figures: "a quarter to nine" is 8:45. */
export function englishClock(hour: number, minutes: number, half?: 'am' | 'pm'): string | undefined {
  if (!(hour >= 0 && hour <= 24)) return undefined;
  const ofDay = hour * 60 + minutes;
  const named = hour > 12 ? ofDay : ((ofDay + 660) % 720) + 60;
  return englishTime(String(Math.floor(named / 60)), String(named % 60).padStart(2, '0'), half);
}

/** Dates in figures: "24/12", and "4.12.2026" in Spanish and French, where "4.12" may be an amount. */
export const numericDates: readonly TranslatedPhrase[] = [
  {
    pattern: slashDate,
    english({ 0: written, 1: first, 2: second, 3: year, index = 0, input = '' }, _, dateOrder) {
      if (!isSlashDate(written, input.slice(0, index), input.slice(index + written.length))) return undefined;
      const [dayFirst, monthFirst] = [englishNumericDate(first, second, year), englishNumericDate(second, first, year)];
      return dateOrder === 'month-first' ? (monthFirst ?? dayFirst) : (dayFirst ?? monthFirst);
    },
  },
  {
    pattern: /(?<![\p{L}\d./-])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\d/%]|[.,]\d)/gu,
    english: ([, day, month, year]) => englishNumericDate(day, month, year),
  },
];

/**
 * The part that all languages share: patterns that name words by their table, and the English for the groups that these
 * capture. `words` holds further tables, as `wordTable` parses them.
 */
export function phraseBook(
  names: (typeof calendarNames)['en'],
  words: Readonly<Record<'unit' | 'third' | 'span' | 'place' | 'minute', string>>,
) {
  const tables = {
    ...names,
    unit: wordTable(words.unit),
    third: wordTable(words.third),
    span: wordTable(words.span),
    place: wordTable(words.place),
    minute: wordTable(words.minute),
  };
  const { month, weekday, number, unit, third, place, span } = tables;
  const withYear = (date: string, year?: string) => (year ? `${date} ${year}` : date);
  return {
    tables,
    phrase: (source: string) => phraseOf(source, tables),
    /** Captured: the first day, its month or nothing, the last day, its month, the year or nothing. */
    range([, first = '', from, until = '', to, year]: RegExpMatchArray): string {
      const [firstMonth, lastMonth] = [inEnglish(month, from), inEnglish(month, to)];
      const start = firstMonth && firstMonth !== lastMonth ? `${first} ${firstMonth}` : first;
      return withYear(`from ${start} to ${until} ${lastMonth}`, year);
    },
    /** Captured: a weekday, the day or nothing for the first, the month, the year. */
    date: ([, , day, name, year]: RegExpMatchArray) => withYear(`${Number(day ?? 1)} ${inEnglish(month, name)}`, year),
    /** Captured: a weekday or nothing, the day in words, the month, the year. */
    spokenDate: ([, , day, name, year]: RegExpMatchArray) =>
      withYear(`${inEnglish(number, day)} ${inEnglish(month, name)}`, year),
    /** Captured: a weekday, which is not today. */
    onWeekday: ([, name]: RegExpMatchArray) => `on ${inEnglish(weekday, name)}`,
    /** Captured: the weekday or nothing, the day of a month that is not named. */
    dayOfMonth: ([, name, day]: RegExpMatchArray) =>
      Number(day) < 32 ? `${name ? inEnglish(weekday, name) : 'on'} the ${Number(day)}th` : undefined,
    /** Captured: the day of the month that a phrase names. */
    dayOfOtherMonth:
      (which: 'last' | 'next') =>
      ([, day]: RegExpMatchArray) =>
        `the ${Number(day)}th of ${which} month`,
    /** Captured: how many in a word or in digits, the unit. */
    ago: ([, said, digits, name]: RegExpMatchArray) =>
      `${digits ?? inEnglish(number, said)} ${inEnglish(unit, name)}s ago`,
    /** Captured as for `ago`. */
    ahead: ([, said, digits, name]: RegExpMatchArray) =>
      `in ${digits ?? inEnglish(number, said)} ${inEnglish(unit, name)}s`,
    /** Captured: a weekday of the week that a phrase names. */
    inWeek:
      (which: 'last' | 'next') =>
      ([, one, other]: RegExpMatchArray) =>
        `${inEnglish(weekday, one ?? other)} ${which} week`,
    /** Captured: a weekday, which is counted from the coming one: "Tuesday week", "Tuesday fortnight". */
    after:
      (later: 'week' | 'fortnight') =>
      ([, one, other]: RegExpMatchArray) =>
        `${inEnglish(weekday, one ?? other)} ${later}`,
    /** Captured: which of its kind, a weekday, the month, the year. */
    weekdayOfMonth: ([, which, day, name, year]: RegExpMatchArray) =>
      withYear(`${inEnglish(place, which)} ${inEnglish(weekday, day)} of ${inEnglish(month, name)}`, year),
    /** Captured: which third, a span. The end of the one that is now is its last day. */
    thirdOfSpan:
      (which: 'last' | 'this' | 'next') =>
      ([, part, name]: RegExpMatchArray) =>
        inEnglish(third, part) === 'late'
          ? `the end of ${which === 'this' ? 'the' : which} ${inEnglish(span, name)}`
          : `${inEnglish(third, part)} ${which} ${inEnglish(span, name)}`,
    /** Captured: which third, the month, the year. */
    thirdOfMonth: ([, which, name, year]: RegExpMatchArray) =>
      withYear(`${inEnglish(third, which)} ${inEnglish(month, name)}`, year),
    /** Captured: the month, the year. */
    inMonth: ([, name, year]: RegExpMatchArray) => withYear(`in ${inEnglish(month, name)}`, year),
  };
}
