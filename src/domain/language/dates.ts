import { en, type ParsedResult } from 'chrono-node';

export type Precision = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'season' | 'year';

/** A point or span in time, its bounds in UTC, as exact as it was said. */
export interface TimeSpan {
  start: Date;
  /** Exclusive; none for a point. */
  end?: Date;
  precision: Precision;
}

/** A time that a text names, and where. */
export interface DateMention extends TimeSpan {
  text: string;
  index: number;
}

/** Where an incomplete date ("on Friday", "in May") lies: a plan leans to the future, a report to the past. */
export type Leaning = 'past' | 'future';

const dayMs = 86_400_000;
// chrono is only asked where one of these occurs: it runs some forty expressions over the text.
const hint =
  /\d|\b(?:to(?:day|night|morrow)|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|weekend|spring|summer|autumn|fall|winter|ago|(?:last|next|this|past|coming|in|end of)\b.{0,20}\b(?:night|week|month|year|decade)s?|month-end|year-end|noon|midnight)\b/iu;
// Ordinary words that chrono reads as dates, and lengths of time, which name no date.
const noDate =
  /^(?:now|sun|sat|mon|wed|mar|dec|second|the second|may|march|(?:at )?\d{1,2}|\d{1,2}\.\d+|(?:for|within)\b.*)$/u;
const recurring = /\b(?:every|each|most|on all|any)(?: (?:other|single|second))?\s+$/iu;

const seasons: Record<string, number> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
const vague: readonly {
  pattern: RegExp;
  span(match: RegExpExecArray, at: Date): TimeSpan | undefined;
}[] = [
  {
    pattern:
      /\b(this|last|next|past|coming|in|in the|during the)\s+(spring|summer|autumn|fall|winter)(?: of ((?:19|20)\d\d))?\b/giu,
    span: ([, which = '', season = '', year], at) => seasonSpan(which.toLowerCase(), season.toLowerCase(), year, at),
  },
  {
    pattern: /\b(last|past|this|next|coming)\s+(weekend|week)\b/giu,
    span: ([, which = '', unit = ''], at) => weekSpan(which.toLowerCase(), unit.toLowerCase(), at),
  },
  {
    pattern: /\b(?:(?:the )?end of (?:the |this )?(week|month|year)|(month|year)-end)\b/giu,
    span: ([, unit, hyphened], at) => endOf((unit ?? hyphened ?? '').toLowerCase(), at),
  },
  {
    pattern: /\b(early|mid|late)?[- ]?(?:the )?((?:19|20)\d0)s\b/giu,
    span: ([, , decade = '']) => years(Number(decade), 10),
  },
  {
    pattern: /\b(?:in|since|during|from|until|of|by|back in|around)\s+((?:19|20)\d\d)\b(?![-/]\d)/giu,
    span: ([, year = '']) => years(Number(year), 1),
  },
];

/** The dates a text names, in the order of their place; `at` is when it was said. Recurring days are not dates. */
export function findDates(text: string, at: Date, leaning: Leaning): DateMention[] {
  if (!hint.test(text)) return [];
  const found: DateMention[] = [];
  for (const { pattern, span } of vague) {
    for (const match of text.matchAll(pattern)) {
      const mention = span(match, at);
      if (mention && !overlaps(found, match.index, match[0]))
        found.push({ text: match[0], index: match.index, ...mention });
    }
  }
  // The American parser: the British one reads "March 15" as a month of 2015. "14 March" is understood by both.
  for (const result of en.casual.parse(text, { instant: at, timezone: 0 }, { forwardDate: leaning === 'future' })) {
    if (noDate.test(result.text) || recurring.test(text.slice(0, result.index))) continue;
    if (!isNamedTime(result)) continue;
    if (/^['’]s\b/u.test(text.slice(result.index + result.text.length))) continue; // "this year's harvest" is no date
    if (!overlaps(found, result.index, result.text)) found.push(mentionOf(result, at, leaning));
  }
  return found.toSorted((a, b) => a.index - b.index);
}

/** Bare numbers ("from 1.8 to 1.2") are read as hours: a time of day has to look like one. */
function isNamedTime({ text, start }: ParsedResult): boolean {
  const isDated = (['day', 'weekday', 'month', 'year'] as const).some((part) => start.isCertain(part));
  return (
    isDated ||
    /\d:\d\d|\d ?[ap]\.?m\b|\b(?:noon|midnight|morning|afternoon|evening|night|o'clock)\b|tonight/iu.test(text)
  );
}

function mentionOf(result: ParsedResult, at: Date, leaning: Leaning): DateMention {
  const { text, index, start } = result;
  const precision = precisionOf(result);
  let from = truncated(start.date(), precision);
  if (leaning === 'past' && from > at && !start.isCertain('year')) {
    from = start.isCertain('month')
      ? moved(from, { years: -1 })
      : start.isCertain('weekday')
        ? moved(from, { days: -7 })
        : from;
  }
  const last = result.end ? truncated(result.end.date(), precision) : from;
  return {
    text,
    index,
    start: from,
    ...(precision === 'minute' ? {} : { end: after(last > from ? last : from, precision) }),
    precision,
  };
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

function truncated(date: Date, precision: Precision): Date {
  if (precision === 'minute' || precision === 'hour') return date;
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (precision === 'year') return utc(year);
  if (precision === 'month' || precision === 'season') return utc(year, month);
  return precision === 'week' ? utc(year, month, day - ((date.getUTCDay() + 6) % 7)) : utc(year, month, day);
}

function after(date: Date, precision: Precision): Date {
  if (precision === 'year') return moved(date, { years: 1 });
  if (precision === 'season') return moved(date, { months: 3 });
  if (precision === 'month') return moved(date, { months: 1 });
  return new Date(date.getTime() + { week: 7 * dayMs, day: dayMs, hour: dayMs / 24, minute: 60_000 }[precision]);
}

const utc = (year: number, month = 0, day = 1): Date => new Date(Date.UTC(year, month, day));

function moved(date: Date, by: { years?: number; months?: number; days?: number }): Date {
  return utc(
    date.getUTCFullYear() + (by.years ?? 0),
    date.getUTCMonth() + (by.months ?? 0),
    date.getUTCDate() + (by.days ?? 0),
  );
}

function years(year: number, count: number): TimeSpan {
  return { start: utc(year), end: utc(year + count), precision: 'year' };
}

function seasonSpan(which: string, season: string, year: string | undefined, at: Date) {
  const month = seasons[season] ?? 0;
  let start = utc(year ? Number(year) : at.getUTCFullYear(), month);
  const end = () => moved(start, { months: 3 });
  if (!year && (which === 'last' || which === 'past') && end() > at) start = moved(start, { years: -1 });
  if (!year && (which === 'next' || which === 'coming') && start <= at) start = moved(start, { years: 1 });
  if (!year && /^(?:this|in)/u.test(which) && month === 11 && at.getUTCMonth() < 2) start = moved(start, { years: -1 });
  return { start, end: end(), precision: 'season' as const };
}

function weekSpan(which: string, unit: string, at: Date) {
  const shift = { last: -7, past: -7, this: 0, coming: 0, next: 7 }[which] ?? 0;
  const monday = moved(truncated(at, 'week'), { days: shift });
  return unit === 'week'
    ? { start: monday, end: moved(monday, { days: 7 }), precision: 'week' as const }
    : { start: moved(monday, { days: 5 }), end: moved(monday, { days: 7 }), precision: 'day' as const };
}

function endOf(unit: string, at: Date) {
  const end = after(truncated(at, unit as Precision), unit as Precision);
  // A working week ends on its Friday.
  return { start: moved(end, { days: unit === 'week' ? -3 : -1 }), end, precision: 'day' as const };
}

function overlaps(found: readonly DateMention[], index: number, text: string): boolean {
  return found.some((other) => index < other.index + other.text.length && other.index < index + text.length);
}
