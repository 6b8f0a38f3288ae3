import { anyMonthSource, anyWeekdaySource } from '../language/calendar-names.ts';
import type { DateOrder } from './calendar.ts';
import { languageOf } from '../language/sentence-language.ts';

export const slashDate = /(?<![\p{L}\d./-])(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?(?![\d/%]|[.,]\d)/giu;

const onDay = String.raw`on|until|till|since|due|dated|by|before|after|${anyWeekdaySource},?|(?<!\bI )am|vom|bis(?: zum)?|den|seit|el|del|al|día|desde|hasta|le|du|au|dès|depuis`;
const surelyBeforeDay = new RegExp(String.raw`(?<!\p{L})(?:${onDay})$`, 'iu');
const beforeDay = /(?<!\p{L})(?:from|the|of|ab)$/iu;
/** Words that stand before a day as before a number of something, so that another word has to name a day. */
const beforeNumber = /(?<!\p{L})(?:to|between|and|for|und|y|para|et|pour)$/iu;
const namesDay = new RegExp(
  String.raw`(?<!\p{L})(?:(?:${onDay}|from) \d{1,2}/\d|between \d{1,2}/\d{1,2} and \d{1,2}/\d|${anyWeekdaySource}|${anyMonthSource}|today|tomorrow|birthday|anniversary|deadline|appointment|dentist|doctor|exam|party|wedding|flight|booked|moved|postponed|rescheduled|scheduled|cita|cumpleaños|rendez-vous|termin)(?!\p{L})|\bat \d|\d ?[ap]m\b`,
  'iu',
);
/** Matches a mark, or nothing, before a date that is set apart: "3/12: dentist", "the dentist (3/12)". */
const setApart = /(?:^|[,(:;–-])$/u;
/** Matches words before a date: "My birthday is 3/12", but not "my blood pressure is 12/8". */
const dateIs =
  /\b(?:birthday|anniversary|deadline|appointment|exam|party|wedding|flight|due date|date|cumpleaños|cita|anniversaire|geburtstag|termin)\b[^.;]{0,20}\s(?:is|was|will be|es|est|ist|:)$/iu;
const measured = /^(?:of\b|cups?\b|k[gm]\b|miles?\b|inch|stars?\b|tea|table|taza|tasse|liter|litre|hours?\b|["″])/iu;
/** Matches words behind a date: "Dentist 3/12 at 4", but not "I'd give it 8/10" or "in 4/4". */
const closes = /^(?:[.,;!?)]|$|(?:at|um|a las|à)\s\d|@)/iu;
/** Matches a score of at most five of five, or ten of ten: "4/5", "8/10". */
const isScore = /^(?:0?[1-5]\/5|(?:\d|10)\/10)$/u;
const scored =
  /\b(?:in|at|is|was|a|with|got|gives?|gave|scor\p{L}+|rat\p{L}+|are|odds|format|won|lost|it|pressure|vision)$/iu;
const fraction = /^(?:1\/[2-9]|2\/[35]|3\/[458])$/u;

/** Rewrites dates with the day first to have the month first: "3/12" becomes "12/3". */
export const monthFirst = (text: string): string =>
  text.replace(slashDate, (written: string, day: string, month: string) =>
    Number(month) > 12 ? written : `${month}/${day}${written.slice(day.length + month.length + 1)}`,
  );

/** How many characters on each side tell whether it is a date. More would be slow in a document of many numbers. */
const readAround = 60;

/** Whether numbers with a slash are a date, by the words around them: "1/2 cup" and "24/7" are none. */
export function isSlashDate(written: string, before: string, rest: string): boolean {
  if (/\/.*\//u.test(written)) return true;
  const [ahead, behind] = [before.trimEnd().slice(-readAround), rest.trimStart().slice(0, readAround)];
  if (written === '24/7' || measured.test(behind)) return false;
  if (surelyBeforeDay.test(ahead)) return true;
  if (fraction.test(written)) return false;
  if (dateIs.test(ahead)) return true;
  if (isScore.test(written) || scored.test(ahead)) return false;
  if (beforeNumber.test(ahead)) return namesDay.test(clauseAround(ahead, written, behind));
  return beforeDay.test(ahead) || setApart.test(ahead) || closes.test(behind);
}

const clauseAround = (ahead: string, written: string, behind: string): string =>
  `${/[^.;!?\n]*$/u.exec(ahead)![0]} ${written} ${/^[^.;!?\n]*/u.exec(behind)![0]}`;

/**
 * The order in which somebody who writes these texts writes dates: by one that can be read one way only (25/12), else
 * by their language. Undefined in English, where both are common.
 */
export function dateOrderOf(texts: readonly string[]): DateOrder | undefined {
  const found = new Set<DateOrder>();
  for (const text of texts) {
    for (const { 0: written, 1: first, 2: second, index } of text.matchAll(slashDate)) {
      const [lower, higher] = [Number(first), Number(second)].toSorted((a, b) => a - b);
      if (lower! > 12 || higher! <= 12 || higher! > 31) continue;
      if (isSlashDate(written, text.slice(0, index), text.slice(index + written.length)))
        found.add(higher === Number(first) ? 'day-first' : 'month-first');
    }
  }
  if (found.size === 1) return [...found][0];
  return languageOf(texts.join('\n')) === 'en' ? undefined : 'day-first';
}
