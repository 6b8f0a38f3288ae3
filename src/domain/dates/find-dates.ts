import { monthSource } from '../language/calendar-names.ts';
import { languageOf } from '../language/sentence-language.ts';
import type { DateMention } from './attach-hours.ts';
import type { SaidAt, TenseHint } from './calendar.ts';
import { findEnglishDates } from './english/find-english-dates.ts';
import { foreignHint, translateDates } from './translate-dates.ts';

/** An English sentence without one of these names no date. It spares the many expressions that look for one. */
const englishHint = new RegExp(
  String.raw`\d|\b(?:to(?:day|night|morrow)|yesterday|(?:mon|tue|wed|thu|fri|sat|sun)(?:s|nes|r|rs|ur)?(?:day)?|${monthSource}|weekend|spring|summer|autumn|fall|winter|ago|(?:last|next|this|past|coming|in|end of)\b.{0,20}\b(?:night|week|month|year|decade)s?|month-end|year-end|fortnight|noon|midnight|quarter|from (?:now|today)|(?:before last|after next)|(?:this|over the) \p{L}+)\b`,
  'iu',
);

/**
 * The times that a text names, in the order of their place. `tense` says on which side of today those lie that are not
 * named in full: all of them, or each by its place. Recurring days are not dates.
 */
export function findDates(
  text: string,
  said: SaidAt,
  tense: TenseHint | ((index: number) => TenseHint),
): DateMention[] {
  if (!englishHint.test(text) && !foreignHint.test(text)) return [];
  const language = languageOf(text);
  const tenseAt = (index: number) => (typeof tense === 'string' ? tense : tense(index));
  if (language === 'en') return findEnglishDates(text, { ...said, clause: text, tenseAt });
  const dates = translateDates(text, language, said);
  const found = findEnglishDates(dates.text, {
    at: said.at,
    clause: text,
    tenseAt: (index) => dates.tenseAt(index) ?? tenseAt(dates.wordsOf({ start: index, end: index + 1 }).start),
  });
  return found.map((mention) => ({ ...mention, words: dates.wordsOf(mention.words) }));
}
