import type { TenseHint } from '../calendar.ts';

/** A phrase that names a date in another language, and how English puts it. */
export interface DatePhrase {
  readonly pattern: RegExp;
  /** Undefined where it names none after all; empty where it names one that comes back, and nobody else may read it. */
  readonly english: (match: RegExpMatchArray, inDays: (days: number) => string) => string | undefined;
  /** Where the phrase itself tells it. */
  readonly leaning?: TenseHint;
}

/** Words of another language under those of English: "January: januar jänner; May: mai"; "_" stands for a space. */
export function wordTable(lines: string): Readonly<Record<string, string>> {
  const entries = lines.split(';').flatMap((line) => {
    const [english = '', words = ''] = line.split(':');
    return words
      .trim()
      .split(/\s+/u)
      .map((word) => [word.replaceAll('_', ' '), english.trim()] as const);
  });
  return Object.fromEntries(entries);
}

/** How English says a word of such a table. */
export const inEnglish = (table: Readonly<Record<string, string>>, word = ''): string =>
  table[word.toLowerCase()] ?? '';

/** A pattern of whole words; `{month}`, `{weekday}` and the like stand for the keys of these tables. */
export function phraseOf(source: string, tables: Readonly<Record<string, Readonly<Record<string, string>>>>): RegExp {
  const filled = source.replace(/\{(\w+)\}/gu, (whole, name: string) => {
    const table = tables[name];
    // The longest first: "juin" before "jui".
    return table
      ? `(${Object.keys(table)
          .toSorted((a, b) => b.length - a.length)
          .join('|')})`
      : whole;
  });
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${filled})(?![\p{L}\d])`, 'giu');
}

const englishMonths = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** "4.12.26" and "24/12": the day first. */
export function numericDate(day = '', month = '', year: string | undefined): string | undefined {
  const name = englishMonths[Number(month) - 1];
  if (!name || Number(day) < 1 || Number(day) > 31) return undefined;
  return `${Number(day)} ${name}${year ? ` ${year.length === 2 ? `20${year}` : year}` : ''}`;
}

/** "3 to 5 May", or with two months "3 May to 5 June". */
export const englishRange = (
  first: string,
  firstMonth: string | undefined,
  last: string,
  lastMonth: string,
  year?: string,
) =>
  `from ${first} ${firstMonth && firstMonth !== lastMonth ? `${firstMonth} ` : ''}to ${last} ${lastMonth}${year ? ` ${year}` : ''}`;

/** "At 9:30", with the half of the day where it is named. */
export function englishTime(hour = '', minute: string | undefined, half?: 'am' | 'pm'): string | undefined {
  if (Number(hour) > 24) return undefined;
  const isTwelve = half === 'pm' && Number(hour) > 12;
  return `at ${hour}:${minute ?? '00'}${half && !isTwelve ? ` ${half}` : ''}`;
}
