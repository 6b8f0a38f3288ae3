import { weekdaySource } from '../language/calendar-names.ts';
import { wholeWordSource } from '../language/pattern-sources.ts';
import type { TimeSpan } from '../dates/calendar.ts';
import { wordSet } from '../language/word-set.ts';
import type { Candidate } from './candidate.ts';

// One pattern: a text may be long, and is gone through once.
const shortened =
  /\bcan(?:'t| not)\b|\bwon't\b|n't\b|'(?:m|re|ve|ll)\b|\b(?:he|she|it|that|there|what|who|where)'s\b|\bgonna\b|\bwanna\b|\b(?:fav|col|neighb)or/giu;
const inFull = new Map([
  ["can't", 'cannot'],
  ['can not', 'cannot'],
  ["won't", 'will not'],
  ["n't", ' not'],
  ["'m", ' am'],
  ["'re", ' are'],
  ["'ve", ' have'],
  ["'ll", ' will'],
  ['gonna', 'going to'],
  ['wanna', 'want to'],
]);

/** Contractions in full, and British spelling. */
const spelt = (text: string): string =>
  text.replace(/[‘’]/gu, "'").replace(shortened, (found) => {
    const full = inFull.get(found.toLowerCase());
    return full ?? (/'s$/iu.test(found) ? `${found.slice(0, -2)} is` : `${found.slice(0, -2)}our`);
  });

// These weigh a statement and change nothing of what it says. Not among them: words of time ("now", "still"), of number
// ("also", "only", "too") and of doubt ("maybe", "almost"). With a capital they may be names.
const weights = wordSet(
  'really actually truly very so absolutely definitely totally honestly simply basically literally just',
);
// "I am a vegetarian" is "I am vegetarian". Elsewhere an article may tell: "I speak a little French".
const namedByAdjective = /\b(am|is|are) an? (?=(?:vegan|vegetarian|pescatarian|co?eliac|diabetic|asthmatic)(?: |$))/gu;
const emphasised = /^(?:I|we|they) do (?=(?:like|love|enjoy|prefer|hate|need|want|live|work|have)\b)/u;
// "On Sundays I row" is "I row on Sundays": what names a time before the speaker may stand at the end as well.
const timeFirst = new RegExp(
  String.raw`^((?:on|in|at|during|after|before|every|each) (?:[\p{L}\p{N}']+ ){0,3}?(?:(?:${weekdaySource})s?|mornings?|afternoons?|evenings?|nights?|weekends?|weekdays?|spring|summer|autumn|fall|winter|days?|weeks?|months?|years?)) ((?:i|we|my|our) .+)$`,
  'u',
);

/**
 * The text as its duplicates share it: case, punctuation, spacing, contractions, spelling, mere emphasis and the place
 * of a time do not count, while every other word does, and its order: a number, a denial, a name or a time makes
 * another statement. So do signs inside numbers and words ("3.5" is not "35", "C++" is not "C"), and a question mark
 * at the end.
 */
export function contentKey(text: string): string {
  const plain = spelt(text.normalize('NFKC'));
  const words = plain.match(/[-+]?\p{N}+(?:[.,:/]\p{N}+)*%?|[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*[+#]*/gu);
  if (!words) return plain.trim();
  const said = words.filter((word) => !weights.has(word)).join(' ');
  const key = (said || words.join(' '))
    .replace(emphasised, (subject) => subject.slice(0, -'do '.length))
    .toLowerCase()
    .replace(timeFirst, '$2 $1')
    .replace(namedByAdjective, '$1 ');
  return key + (/\?["')\s]*$/u.test(plain) ? ' ?' : '');
}

// Times that are counted from the day on which they are said, in English, German, Spanish and French.
const relative = new RegExp(
  wholeWordSource(
    [
      String.raw`to(?:day|night|morrow)|yesterday|ago|now|currently|(?:last|next|this|past|coming) \p{L}+|(?:on|by|until|since) (?:${weekdaySource})`,
      String.raw`heute|morgen|gestern|(?:diese|nächste|letzte)\p{L}? \p{L}+`,
      String.raw`hoy|mañana|ayer|(?:próxim|pasad)[oa]s?|que viene`,
      String.raw`aujourd['’]hui|demain|hier|prochaine?s?|derni(?:er|ère)s?`,
      String.raw`(?:in|vor|en|hace|dans|il y a) (?:\p{L}+|\d+) (?:days?|weeks?|months?|years?|Tage?n?|Wochen?|Monate?n?|Jahre?n?|días?|semanas?|mes(?:es)?|años?|jours?|semaines?|mois|ans?)`,
    ].join('|'),
  ),
  'iu',
);

/** A key of what was said at that time: "yesterday" of another day is another statement. */
export const datedContentKey = (text: string, at: Date): string =>
  relative.test(text) ? `${contentKey(text)} @${at.toISOString().slice(0, 10)}` : contentKey(text);

/** The key that candidates share which say the same: with one resolved time it does not matter how the time was put. */
export function statementKey(
  {
    type,
    content,
    event,
  }: Pick<Candidate, 'type' | 'content'> & { event?: Pick<TimeSpan, 'start'> | null | undefined },
  at: Date,
): string {
  return event
    ? `${type}/${contentKey(content)} @${event.start.toISOString()}`
    : `${type}/${datedContentKey(content, at)}`;
}
