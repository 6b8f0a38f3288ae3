import { endsWithQuestionMark } from '../language/sentences.ts';

const interrogative = String.raw`(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|what|which|who|whose|where|when|why|how)(?:n['’]t)?\b`;
const beginsQuestion = new RegExp(String.raw`^\W*(?:if\b|${interrogative})`, 'iu');
/** Matches the clause with which a sentence turns into a question, or asks for mere assent. */
const asking = new RegExp(
  String.raw`[,;:–—]\s+(?:(?:(?:so|and|but|or) )?${interrogative}[^,;:]*|ok|okay|right|please|yes)\?\s*$`,
  'iu',
);

/** The part of a sentence that states something: all of it, or what stands before the question that it ends with. */
export function statedIn(text: string): string {
  if (!endsWithQuestionMark(text)) return text;
  const at = text.search(asking);
  return at < 0 || beginsQuestion.test(text) ? '' : text.slice(0, at);
}

/** Matches suppositions, which say what would be the case and is not. */
const supposed = /^\W*(?:if|unless|suppose|imagine)\b.*\b(?:would|could|might)\b/iu;

export const isSupposition = (text: string): boolean => supposed.test(text);

/** Matches words that put something else in the place of what was said right before. */
const correcting =
  /^\W*(?:(?:oh|ah|hm+|well|so|ok|okay),?\s+)?(?:sorry|wait|no|nope|actually|correction|scratch that|never ?mind|i mean|make (?:it|that)|rather)\b|\b(?:instead|not the)\b/iu;

/** Whether a sentence corrects what was said right before it: without its first words it says something else. */
export const isCorrection = (text: string): boolean => correcting.test(text);

const consent = String.raw`(?:yes|yep|yeah|ok|okay|sure|perfect|great|fine|deal|sounds good|go ahead|vale|ja|oui|d['’]accord)`;
/** Matches what takes something that was offered right before: "Let's take that one", "Perfect, book it". */
const taking = new RegExp(
  String.raw`^(?:${consent}[,.!]? )?(?:please )?(?:let['’]?s (?:take|go with|book|do|have|choose)|(?:i|we)(?:['’]ll| will) (?:take|go with|have)|take|book|go with|choose|do) (?:that|this|it|the (?:first|second|third|last|other|cheaper) one|those|both|them)\b`,
  'iu',
);
const consenting = new RegExp(
  String.raw`^${consent}(?:,? (?:please|thanks|go ahead|do that|bitte|por favor))?[.!]*$`,
  'iu',
);
const refusing = /\b(?:not|never|no|nothing|nowhere|cannot|(?:do|does|did|wo|ca|would|could|should)n['’]?t)\b/iu;

/**
 * Whether somebody takes what was offered right before, which alone tells what that is. `isAsked`: the reply before
 * ends with a question, so that a mere "yes" takes it.
 */
export function isAcceptance(text: string, { isAsked }: { isAsked: boolean }): boolean {
  if (endsWithQuestionMark(text) || isSupposition(text) || refusing.test(text)) return false;
  return taking.test(text.trim()) || (isAsked && consenting.test(text.trim()));
}

/** Matches what takes one of several things that were told right before, by its value: "ok use the 6:38". */
const choosing = new RegExp(
  String.raw`^(?:${consent}[,.!]?\s)|\b(?:use|take|book|choose|go (?:with|for)|go by|have|make it|prefer)\b`,
  'iu',
);

/** Whether somebody chooses by a value that was told right before, or corrects such a choice. */
export const choosesOffer = (text: string): boolean =>
  !endsWithQuestionMark(text) && !isSupposition(text) && (choosing.test(text.trim()) || isCorrection(text));
