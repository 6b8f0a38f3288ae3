import { conjunctionSource } from './clause-syntax.ts';
import { discourseMarkerSource, splitDiscourseMarkers } from './discourse-markers.ts';
import type { StatementDraft } from './draft.ts';
import type { Classification } from './statement-classifier.ts';

/** The words that the model keeps of a clause, from one boundary to another; all of them where it drops none. */
export function trimToClassifiedSpan(
  { utterance, nameWords, text, stated }: StatementDraft,
  { span: [from, to] }: Pick<Classification, 'span'>,
): string {
  const words = utterance.text.split(/\s+/u).filter(Boolean);
  const own = text.split(/\s+/u).filter(Boolean);
  // A form was read from the whole clause, and so was what it says.
  if (stated || to <= from) return text;
  const end = endAtBoundary(words, Math.min(to, words.length));
  const kept = words.slice(startAtBoundary(words, Math.max(from, nameWords), nameWords), end);
  if (kept.length === 0 || kept.length >= own.length) return text;
  return trimmed(kept.join(' ')) || text;
}

const wordOf = (list: string): RegExp => new RegExp(`^(?:${list})$`, 'iu');
const endsPart = /[.,;:!?…()–—-]["'”’)\]]*$/u;
const conjunction = wordOf(conjunctionSource);
const discourseMarker = wordOf(discourseMarkerSource);
const startsOwn = wordOf(
  String.raw`(?:I|we|my|our|ich|wir|meine?|unsere?|yo|mis?|je|j['’]\p{L}+|mon|ma|mes|nous)(?:['’]\p{L}+)?|im|ive`,
);
const denies = wordOf(
  String.raw`no|not|never|cannot|\p{L}+n['’]t|(?:do|does|did|is|are|was|were|has|have|had|could|would|should|ca|wo)nt|nunca|jamás|tampoco|nicht|nie|niemals|kein\p{L}*|ne|n['’]\p{L}+|pas|jamais|hardly|without|sin|ohne|sans`,
);

const isDenial = (word = ''): boolean => denies.test(word.replace(/[^\p{L}'’]/gu, ''));

/**
 * Where a span may begin: at the start of a part of the sentence, behind a conjunction or a discourse marker, or with
 * "I". Cut elsewhere, a sentence would lose its verb, or what denies it: "ya no voy a Lyon", "I no longer eat fish".
 */
function startAtBoundary(words: readonly string[], from: number, first: number): number {
  let start = from;
  while (start > first && !isBoundary(words, start, first)) start -= 1;
  // "I do not think that I am vegan": what is joined is denied.
  let part = start;
  while (part > first && !endsPart.test(words[part - 1]!)) part -= 1;
  const dropped = words.slice(part, start);
  const isAnswer = dropped.every((word) => discourseMarker.test(word));
  if (!isAnswer && dropped.some(isDenial)) return part;
  // Without a mark behind it: "No, I love them" answers, and "No me gusta" denies.
  return isDenial(words[start - 1]) && !endsPart.test(words[start - 1]!) && !subject.test(words[start] ?? '')
    ? start - 1
    : start;
}

/** "no i love them": an answer all the same. */
const subject = /^(?:i|we|you|he|she|it|they|my|our|the|im|ive|that|this)\b/iu;

function isBoundary(words: readonly string[], place: number, first: number): boolean {
  const [before = '', word = ''] = [words[place - 1], words[place]];
  if (endsPart.test(before) || /^["(“«[]/u.test(word) || conjunction.test(before)) return true;
  // "Wow yes my": only discourse markers stand before.
  return words.slice(first, place).every((each) => discourseMarker.test(each)) || startsOwn.test(word);
}

const question =
  /^(?:can|could|would|will|should|what|what['’]?s|which|how|where|when|why|who|any|is|are|do|does|did|please|thanks|thank|thx|lol|haha|btw|ok|okay|right|kannst|könntest|was|wie|wo|wann|welche\p{L}*|bitte|danke|puedes|qué|cómo|dónde|cuándo|gracias|peux|pouvez|quoi|comment|où|quand|quel\p{L}*|merci)$/iu;

/** Where a span may end: at the end of a part of the sentence, or before another is joined to it. */
function endAtBoundary(words: readonly string[], to: number): number {
  let end = to;
  while (end < words.length && !isEnd(words, end)) end += 1;
  return end;
}

function isEnd(words: readonly string[], place: number): boolean {
  const [last = '', next = ''] = [words[place - 1], words[place]];
  if (endsPart.test(last) || /^["(“«[–—-]/u.test(next)) return true;
  return (conjunction.test(next) || question.test(next)) && !wordOf('that|que|dass|as|since').test(next);
}

const trimmed = (words: string): string =>
  splitDiscourseMarkers(
    words.replace(/^[\s,;:–—-]+|[\s,;:–—-]+$/gu, '').replace(/^(?:and|but|so|because|that)\s+/iu, ''),
  ).rest;
