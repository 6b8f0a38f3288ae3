import { weekdaySource } from '../language/calendar-names.ts';
import { isJoking } from '../extraction/small-talk.ts';
import type { PinKind } from './compaction.ts';
import { VerbatimText } from './verbatim.ts';

/** Matches orders to do something always, or never; what people say of their own past or of others is no order. */
const standing =
  /(?<!\b(?:i|we|he|she|it|they|people|customers?|users?|nobody|who|have|has|had|was|were|are|is|['’](?:ve|m|re|s|d))\s)\b(?:always|never)\b|\b(?:from (?:now|here|today) on|going forward|must(?:n[o'’]?t| not)|(?:please|and) stop \w+ing|under no circumstances|do(?:n['’]?t| not) ever|please (?:do not|don['’]?t))\b/iu;
/** Matches a clause that forbids something; of what the speaker does not do, the "I" is often left out ("don't know"). */
const forbidding =
  /(?:^|[:;,–—]\s)\W*(?:(?:and|but|so|also|ok|okay|please|pls|then)[, ]+)*(?:do not|don['’]?t) (?!know|think|want|need|have|like|care|mind|see|remember|get|believe|understand|worry|feel)\p{L}/iu;
/** Standing orders in Spanish, German and French. */
const standingElsewhere =
  /\b(?:no (?:me|le|les|nos|lo|la) \p{L}+[ae]s|siempre|nunca|jamás|a partir de ahora|de ahora en adelante|bitte (?:nicht|keine?n?|nie|immer)|niemals|ab (?:jetzt|sofort)|dorénavant|désormais|à partir de maintenant|ne \p{L}+ (?:jamais|plus|pas) \p{L}+)(?!\p{L})/iu;
/** "No wool, it itches", "so no onion for them": what is said not to be, and not that it is so. */
const excluding =
  /(?:^\W*(?:(?:and|also|but|ok|okay|oh|please|pls)[, ]+)*|[:,;]\s|\bso )(?:no|keine?n?|nada de) (?!ahnung|sorge|frage|problem|worr(?:y|ies)|idea|wonder|way|thanks?|need|doubt|one\b|longer|luck|wait|matter|sir|(?:not|that|this|they|there|she|you)\b|\p{L}{1,2}\b)(?:\p{L}+(?!\p{L})[ -]?){1,4}(?=[,;.!]|$|\s(?:for|until|till|in|on|before|after|because|please|pls)\b)/iu;
/** Matches what people cannot or will not have, and limits on how much of it. */
const limiting =
  /\b(?:only|at most|at least|no more than|no less than|no later than|maximum|minimum|except|unless|rather than|i (?:really |strongly )?prefer|i(?:['’]d| would) rather|(?:can(?:no|['’])?t|cannot) (?:eat|have|take|stand)|not allowed|all?[eé]rg\p{L}+|intoleran\p{L}+|vegan\p{L}*|vegetari\p{L}+|diab[eé]t\p{L}+|pregnan\p{L}+|c?o?el[ií]a[ck]\p{L}*)\b|\b(?:under|below|within|up to|less than)\s+\p{Sc}?\s?\d/iu;
const decided =
  /\b(?:(?:i|we)(?:['’]ve| have)? (?:decided|agreed|chose|chosen|settled on|opted|went with)|(?:i|we)(?:['’]ll| will) go with|let['’]?s (?:go with|use|take)|(?:final |the )?decision(?= then|:| is)|(?:has|have|is|was|are) (?:decided|agreed|approved|booked|cancel+ed|confirmed)|^booked|^agreed)\b/iu;
const committed = new RegExp(
  String.raw`\b(?:(?:i|we) (?:promise|still need|owe)|(?:i|we)(?:['’]ll| will| shall) (?:send|call|ring|mail|email|write|remind|book|bring|buy|finish|deliver|pay|return|check|confirm|prepare|submit|order|fix|ask|tell|let you know|get back|be (?:there|back|away|out))|to-?do\b|action item|by (?:${weekdaySource})|by (?:tomorrow|tonight|the end of)|deadline|due (?:on|by)|remind me)\b`,
  'iu',
);
/** Matches what a machine undertakes to do; what it only notes or keeps in mind, it does not promise. */
const undertaking =
  /\b(?:i|we)(?:['’]ll| will| shall) (?:also )?(?!(?:also|note|remember|keep|bear|use|be|try|do)\b)/iu;
/** Matches when something is to be done, or that somebody is to hear of it. */
const due = new RegExp(
  String.raw`\b(?:tomorrow|tonight|later today|let you know|get back to you|remind you|(?:by|on|before|until|next|this|every|each) (?:the )?(?:(?:end|start|beginning) of |next |coming )?(?:${weekdaySource}|noon|midnight|morning|afternoon|evening|weekend|week|month))\b`,
  'iu',
);
/** Matches what a machine says it has arranged. */
const arranged =
  /\b(?:i|we)(?:['’]ve| have)? (?:now |just |already )?(?:booked|ordered|reserved|scheduled|cancel+ed|bought|paid|sent)\b/iu;
const openQuestion =
  /\b(?:open question|undecided|(?:haven['’]?t|have not|not yet) decided|to be (?:decided|confirmed)|tbd|tbc)\b/iu;
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
/** Matches what takes one of several things that were told right before, by its value: "ok use the 6:38". */
const choosing = new RegExp(
  String.raw`^(?:${consent}[,.!]?\s)|\b(?:use|take|book|choose|go (?:with|for)|go by|have|make it|prefer)\b`,
  'iu',
);
/** Matches words that put something else in the place of what was said right before. */
const correcting =
  /^\W*(?:(?:oh|ah|hm+|well|so|ok|okay),?\s+)?(?:sorry|wait|no|nope|actually|correction|scratch that|never ?mind|i mean|make (?:it|that)|rather)\b|\b(?:instead|not the)\b/iu;
const refusing = /\b(?:not|never|no|nothing|nowhere|cannot|(?:do|does|did|wo|ca|would|could|should)n['’]?t)\b/iu;
/** Matches suppositions, which say what would be the case and is not. */
const supposed = /^\W*(?:if|unless|suppose|imagine)\b.*\b(?:would|could|might)\b/iu;
/** Matches what a machine says about the case of the person it serves, and not about the world. */
const ofTheCase = /\b(?:your|booked|reference|order|ticket)\b/iu;
/** Matches the number of an order, a ticket or a claim. */
const reference = /\b\p{Lu}{1,5}-?\d{4,}\b/u;

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
/** Values that are worthless unless they are exact. */
const exact: readonly RegExp[] = [
  /\bhttps?:\/\/\S+|\bwww\.\S+\.\S+/iu, // addresses of pages
  /\b[\w.+-]+@[\w-]+\.[\w.]+\b/u, // and of people
  /(?<![\w/])(?:~|\.{1,2})?\/(?:[\w.-]+\/)+[\w.-]*|\b[\w-]+\/[\w./-]+\.\w{1,5}\b|\b[A-Za-z]:\\\S+/u, // paths
  /\bv\d+(?:\.\d+)*\b|\b\d+\.\d+\.\d+\b|\b\p{Lu}[\w.]+ v?\d+\.\d+\b/u, // versions
  /\b(?=[A-Z\d-]*\d)(?=[A-Z\d-]*[A-Z])[A-Z\d]{2,}(?:-[A-Z\d]+)+\b|\b[A-Z]{1,4}\d{2,}[A-Z\d]*\b|#\d+\b|\b\d{5,}\b|\b(?!(?:1[89]|20)\d\d-(?:1[89]|20)\d\d\b)\d{2,}-\d{3,}\b/u, // orders, tickets, accounts
  /\p{Sc}\s?\d[\d.,]*(?:\s?[kKmM])?\b|\b\d[\d.,]*\s?(?:€|£|\$|eur|usd|gbp|dollars?|euros?|pounds?|quid)(?!\w)/iu, // amounts of money
  /\b\d[\d.,]*\s?(?:%|percent\b)/iu,
  new RegExp(
    String.raw`\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b${month}\s\d{1,2}\b|\b\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?${month}(?=\W|$)`,
    'iu',
  ), // dates
  /\b\d{1,2}:\d{2}\b|\b\d{1,2}\s?[ap]\.?m\b/iu, // times of day
  /\b\d{1,5}[A-Za-z]?,?\s(?:\p{Lu}[\p{L}'’.-]*\s){1,3}(?:Street|Road|Lane|Avenue|Drive|Court|Close|Terrace|Crescent|Square|Boulevard|St|Rd|Ln|Ave|Blvd)\b/u, // addresses of houses
  /\p{Lu}\p{L}*(?:stra(?:ß|ss)e|str\.|weg|gasse|allee|platz)\s\d+/u,
];

/** Whether a text holds a value that must stay as it is: an identifier, an amount, a date, a version, a path. */
const holdsExactValue = (text: string): boolean => exact.some((pattern) => pattern.test(text));

export const exactValuesOf = (text: string): string[] =>
  exact.flatMap((pattern) => [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(([value]) => value));

/** A word with a capital letter behind another word that has none or ends no sentence: mostly a name. */
const name = /(?<=[\p{L}\d][,;:]?\s)(?!I\b)\p{Lu}[\p{L}\d]+/u;

const count =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twent\w+|thirt\w+|fort\w+|fift\w+|hundred|thousand)\b/iu;

/** Whether a text tells of somebody or something by name, or of how many. */
export const hasNameOrNumber = (text: string): boolean => name.test(text) || count.test(text);

export const isQuestion = (text: string): boolean => text.trimEnd().endsWith('?');

const interrogative = String.raw`(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|what|which|who|whose|where|when|why|how)(?:n['’]t)?\b`;
const beginsQuestion = new RegExp(String.raw`^\W*(?:if\b|${interrogative})`, 'iu');
/** Matches the clause with which a sentence turns into a question, or asks for mere assent. */
const asking = new RegExp(
  String.raw`[,;:–—]\s+(?:(?:(?:so|and|but|or) )?${interrogative}[^,;:]*|ok|okay|right|please|yes)\?\s*$`,
  'iu',
);

/** What a sentence states: all of it, or what stands before the question that it ends with. */
function statedIn(text: string): string {
  if (!isQuestion(text)) return text;
  const at = text.search(asking);
  return at < 0 || beginsQuestion.test(text) ? '' : text.slice(0, at);
}

/** Why a sentence that people said has to stay, most binding first; undefined: it need not. */
export function pinKindOfHumanSentence(text: string): PinKind | undefined {
  if (supposed.test(text)) return undefined;
  const stated = statedIn(text);
  // An order that its speaker laughs at is not meant.
  if (!isJoking(text) && [standing, standingElsewhere, forbidding].some((order) => order.test(stated)))
    return 'instruction';
  if (limiting.test(stated) || excluding.test(stated)) return 'constraint';
  if (openQuestion.test(text)) return 'question';
  if (decided.test(stated)) return 'decision';
  if (committed.test(stated)) return 'commitment';
  return holdsExactValue(stated) ? 'identifier' : undefined; // what they ask about is told elsewhere, and answered
}

/** Whether somebody undertakes to do something, or to tell of it, that was asked for before. */
export const isPutOff = (text: string): boolean =>
  !isQuestion(text) && undertaking.test(text) && (committed.test(text) || due.test(text));

/** What is open, without the words that say that it is. */
export const withoutOpenWords = (text: string): string => text.replace(openQuestion, '');

/**
 * Whether somebody takes what was offered right before, which alone tells what that is. `isAsked`: the reply before
 * ends with a question, so that a mere "yes" takes it.
 */
export function isAcceptance(text: string, { isAsked }: { isAsked: boolean }): boolean {
  if (isQuestion(text) || supposed.test(text) || refusing.test(text)) return false;
  return taking.test(text.trim()) || (isAsked && consenting.test(text.trim()));
}

/** Whether somebody chooses by a value that was told right before, or corrects such a choice. */
export const choosesOffer = (text: string): boolean =>
  !isQuestion(text) && !supposed.test(text) && (choosing.test(text.trim()) || isCorrection(text));

/** Whether a sentence corrects what was said right before it: without its first words it says something else. */
export const isCorrection = (text: string): boolean => correcting.test(text);

/**
 * Why a sentence of a machine's short reply has to stay: what it promised or booked, and by which value; or, where
 * people accepted it, what it offered. `answered`: what was said right before; its values alone are worth no repetition.
 */
export function pinKindOfAssistantSentence(
  text: string,
  { isAccepted = false, answered = '' } = {},
): PinKind | undefined {
  if (isQuestion(text)) return undefined;
  if (isAccepted && hasNameOrNumber(text)) return 'decision';
  const isArranged = arranged.test(text) && hasNameOrNumber(text);
  if ((isArranged || (undertaking.test(text) && due.test(text))) && !supposed.test(text)) return 'commitment';
  const values = exactValuesOf(text);
  const before = new VerbatimText(answered);
  const isRepeated = values.every((value) => before.holds(value));
  if (!values.length || (isRepeated && !undertaking.test(text))) return undefined;
  if (committed.test(text) || decided.test(text)) return 'commitment';
  return ofTheCase.test(text) || reference.test(text) ? 'identifier' : undefined;
}
