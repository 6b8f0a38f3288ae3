import { endsWithQuestionMark } from '../language/sentences.ts';
import { isJoking } from '../extraction/small-talk.ts';
import { weekdaySource } from '../language/calendar-names.ts';
import type { PinKind } from './compaction.ts';
import { isSupposition, statedIn } from './dialogue-acts.ts';
import { exactValuePatterns, exactValuesOf, hasNameOrNumber } from './exact-values.ts';
import { VerbatimText } from './verbatim.ts';

/** Keeps sentences of people in which one of its patterns matches what they state. */
interface HumanRule {
  readonly kind: PinKind;
  readonly patterns: readonly RegExp[];
  readonly unless?: (sentence: string) => boolean;
  /** Searches the questions of a sentence too. */
  readonly readsQuestions?: true;
}

const openQuestion =
  /\b(?:open question|undecided|(?:haven['’]?t|have not|not yet) decided|to be (?:decided|confirmed)|tbd|tbc)\b/iu;

/** The rules for sentences of people, most binding first: the first that applies decides. */
const humanRules = {
  // An order that is lost is disobeyed from then on.
  order: {
    kind: 'instruction',
    unless: isJoking, // an order that its speaker laughs at is not meant
    patterns: [
      // Do something always, or never. What people say of their own past or of others is no order.
      /(?<!\b(?:i|we|he|she|it|they|people|customers?|users?|nobody|who|have|has|had|was|were|are|is|['’](?:ve|m|re|s|d))\s)\b(?:always|never)\b|\b(?:from (?:now|here|today) on|going forward|must(?:n[o'’]?t| not)|(?:please|and) stop \w+ing|under no circumstances|do(?:n['’]?t| not) ever|please (?:do not|don['’]?t))\b/iu,
      // Standing orders in Spanish, German and French.
      /\b(?:no (?:me|le|les|nos|lo|la) \p{L}+[ae]s|siempre|nunca|jamás|a partir de ahora|de ahora en adelante|bitte (?:nicht|keine?n?|nie|immer)|niemals|ab (?:jetzt|sofort)|dorénavant|désormais|à partir de maintenant|ne \p{L}+ (?:jamais|plus|pas) \p{L}+)(?!\p{L})/iu,
      // A clause that forbids something. Of what the speaker does not do, the "I" is often left out ("don't know").
      /(?:^|[:;,–—]\s)\W*(?:(?:and|but|so|also|ok|okay|please|pls|then)[, ]+)*(?:do not|don['’]?t) (?!know|think|want|need|have|like|care|mind|see|remember|get|believe|understand|worry|feel)\p{L}/iu,
    ],
  },
  // What is offered against a limit harms, or is refused.
  limit: {
    kind: 'constraint',
    patterns: [
      // Things that people cannot or will not have, and limits on how much of them.
      /\b(?:only|at most|at least|no more than|no less than|no later than|maximum|minimum|except|unless|rather than|i (?:really |strongly )?prefer|i(?:['’]d| would) rather|(?:can(?:no|['’])?t|cannot) (?:eat|have|take|stand)|not allowed|all?[eé]rg\p{L}+|intoleran\p{L}+|vegan\p{L}*|vegetari\p{L}+|diab[eé]t\p{L}+|pregnan\p{L}+|c?o?el[ií]a[ck]\p{L}*)\b|\b(?:under|below|within|up to|less than)\s+\p{Sc}?\s?\d/iu,
      // "No wool, it itches", "so no onion for them": what is said not to be, and not that it is so.
      /(?:^\W*(?:(?:and|also|but|ok|okay|oh|please|pls)[, ]+)*|[:,;]\s|\bso )(?:no|keine?n?|nada de) (?!ahnung|sorge|frage|problem|worr(?:y|ies)|idea|wonder|way|thanks?|need|doubt|one\b|longer|luck|wait|matter|sir|(?:not|that|this|they|there|she|you)\b|\p{L}{1,2}\b)(?:\p{L}+(?!\p{L})[ -]?){1,4}(?=[,;.!]|$|\s(?:for|until|till|in|on|before|after|because|please|pls)\b)/iu,
    ],
  },
  // A question that both left open looks settled where it is not told.
  openQuestion: {
    kind: 'question',
    readsQuestions: true,
    patterns: [openQuestion],
  },
  // A decision that is lost is asked for once more.
  decision: {
    kind: 'decision',
    patterns: [
      /\b(?:(?:i|we)(?:['’]ve| have)? (?:decided|agreed|chose|chosen|settled on|opted|went with)|(?:i|we)(?:['’]ll| will) go with|let['’]?s (?:go with|use|take)|(?:final |the )?decision(?= then|:| is)|(?:has|have|is|was|are) (?:decided|agreed|approved|booked|cancel+ed|confirmed)|^booked|^agreed)\b/iu,
    ],
  },
  // Somebody waits for what was promised, and for what is due.
  commitment: {
    kind: 'commitment',
    patterns: [
      new RegExp(
        String.raw`\b(?:(?:i|we) (?:promise|still need|owe)|(?:i|we)(?:['’]ll| will| shall) (?:send|call|ring|mail|email|write|remind|book|bring|buy|finish|deliver|pay|return|check|confirm|prepare|submit|order|fix|ask|tell|let you know|get back|be (?:there|back|away|out))|to-?do\b|action item|by (?:${weekdaySource})|by (?:tomorrow|tonight|the end of)|deadline|due (?:on|by)|remind me)\b`,
        'iu',
      ),
    ],
  },
  // An exact value that people ask about is told elsewhere, and answered.
  exactValue: { kind: 'identifier', patterns: exactValuePatterns },
} satisfies Record<string, HumanRule>;

const matchesRule = ({ patterns }: HumanRule, text: string): boolean => patterns.some((pattern) => pattern.test(text));

/** Why a sentence that people said has to stay; undefined: it need not. */
export function pinKindOfHumanSentence(text: string): PinKind | undefined {
  if (isSupposition(text)) return undefined;
  const stated = statedIn(text);
  const applies = (rule: HumanRule) => !rule.unless?.(text) && matchesRule(rule, rule.readsQuestions ? text : stated);
  return Object.values<HumanRule>(humanRules).find(applies)?.kind;
}

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
/** Matches what a machine says about the case of the person it serves, and not about the world. */
const ofTheCase = /\b(?:your|booked|reference|order|ticket)\b/iu;
/** Matches the number of an order, a ticket or a claim. */
const reference = /\b\p{Lu}{1,5}-?\d{4,}\b/u;

/** A sentence of a machine's short reply. */
interface AssistantSentence {
  readonly text: string;
  /** People took what it offers. */
  readonly isAccepted: boolean;
  /** The turn before, whose values alone are worth no repetition. */
  readonly answered: string;
}

interface AssistantRule {
  readonly kind: PinKind;
  readonly applies: (sentence: AssistantSentence) => boolean;
}

/** The rules for sentences of machines: the first that applies decides. */
const assistantRules: Readonly<Record<string, AssistantRule>> = {
  // The reply alone tells what people accepted.
  acceptedOffer: { kind: 'decision', applies: ({ text, isAccepted }) => isAccepted && hasNameOrNumber(text) },
  // People rely on what was booked or paid for them.
  arrangement: {
    kind: 'commitment',
    applies: ({ text }) => arranged.test(text) && hasNameOrNumber(text) && !isSupposition(text),
  },
  // A machine promises out of politeness, unless it tells by when it does something, or that it will report.
  promise: {
    kind: 'commitment',
    applies: ({ text }) => undertaking.test(text) && due.test(text) && !isSupposition(text),
  },
  // A promise or a decision that tells its value here for the first time.
  settledValue: {
    kind: 'commitment',
    applies: (sentence) =>
      tellsValue(sentence) &&
      (matchesRule(humanRules.commitment, sentence.text) || matchesRule(humanRules.decision, sentence.text)),
  },
  // A value of the person's own case, and not of the world at large.
  reference: {
    kind: 'identifier',
    applies: (sentence) => tellsValue(sentence) && (ofTheCase.test(sentence.text) || reference.test(sentence.text)),
  },
};

/** Whether a sentence tells an exact value that was not said right before, or undertakes something by one. */
function tellsValue({ text, answered }: AssistantSentence): boolean {
  const before = new VerbatimText(answered);
  const values = exactValuesOf(text);
  return values.some((value) => !before.holds(value)) || (values.length > 0 && undertaking.test(text));
}

/** Why a sentence of a machine's short reply has to stay; undefined: it need not. */
export const pinKindOfAssistantSentence = (sentence: AssistantSentence): PinKind | undefined =>
  endsWithQuestionMark(sentence.text)
    ? undefined
    : Object.values(assistantRules).find(({ applies }) => applies(sentence))?.kind;

/** Whether somebody undertakes to do something, or to tell of it, that was asked for before. */
export const isPutOff = (text: string): boolean =>
  !endsWithQuestionMark(text) && undertaking.test(text) && (matchesRule(humanRules.commitment, text) || due.test(text));

/** The open question of a sentence, without the words that say that it is open. */
export const withoutOpenWords = (text: string): string => text.replace(openQuestion, '');
