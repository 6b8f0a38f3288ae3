import { anyWeekday } from './calendar-names.ts';
import type { DateOrder } from './calendar.ts';
import { languageOf } from './sentence-language.ts';

export const slashDate = /(?<![\p{L}\d./-])(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?(?![\d/%]|[.,]\d)/giu;

const onDay = String.raw`on|until|till|since|due|dated|${anyWeekday}|(?<!\bI )am|vom|bis(?: zum)?|den|seit|el|del|al|día|desde|hasta|le|du|au|dès|depuis`;
const aroundDay = String.raw`by|from|before|after|to|between|and|for|the|of|und|ab|y|para|et|pour`;
const beforeDay = new RegExp(String.raw`(?<!\p{L})(?:${onDay}|${aroundDay})$`, 'iu');
const surelyBeforeDay = new RegExp(String.raw`(?<!\p{L})(?:${onDay})$`, 'iu');
/** "3/12: dentist", "the dentist (3/12)", "Dentist, 3/12", "1/12-5/12". */
const setApart = /(?:^|[,(:;–-])$/u;
/** "My birthday is 3/12", but not "my blood pressure is 12/8". */
const dateIs =
  /\b(?:birthday|anniversary|deadline|appointment|exam|party|wedding|flight|due date|date|cumpleaños|cita|anniversaire|geburtstag|termin)\b[^.;]{0,20}\s(?:is|was|will be|es|est|ist|:)$/iu;
const measured = /^(?:of\b|cups?\b|k[gm]\b|miles?\b|inch|stars?\b|tea|table|taza|tasse|liter|litre|hours?\b|["″])/iu;
/** "Dentist 3/12 at 4", but not "I'd give it 8/10" or "in 4/4". */
const closes = /^(?:[.,;!?)]|$|(?:at|um|a las|à)\s\d|@)/iu;
const isScore = /\/(?:5|10)$/u;
const scored = /\b(?:in|at|is|was|a|with|got|gives?|gave|scor\p{L}+|rat\p{L}+|won|lost|it|pressure|vision)$/iu;
const fraction = /^(?:1\/[2-9]|2\/[35]|3\/[458])$/u;

/** The dates of those who write the day first as others write them: "3/12" becomes "12/3". */
export const monthFirst = (text: string): string =>
  text.replace(slashDate, (written: string, day: string, month: string) =>
    Number(month) > 12 ? written : `${month}/${day}${written.slice(day.length + month.length + 1)}`,
  );

/** In characters on each side: what tells a date stands there, and a document may have as many numbers as lines. */
const readAround = 60;

/** Whether such numbers are a date by what stands around them: half a cup, 24/7 and a blood pressure are none. */
export function isSlashDate(written: string, before: string, rest: string): boolean {
  if (/\/.*\//u.test(written)) return true;
  const [ahead, behind] = [before.trimEnd().slice(-readAround), rest.trimStart().slice(0, readAround)];
  if (written === '24/7' || measured.test(behind)) return false;
  if (fraction.test(written)) return surelyBeforeDay.test(ahead);
  if (beforeDay.test(ahead) || setApart.test(ahead) || dateIs.test(ahead)) return true;
  return closes.test(behind) && !isScore.test(written) && !scored.test(ahead);
}

/**
 * The order in which somebody who writes these texts writes dates: by one that can be read one way only (25/12), else by
 * their language. Undefined in English, where both are common.
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
