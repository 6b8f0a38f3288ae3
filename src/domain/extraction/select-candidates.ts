import { languageOf } from '../language/sentence-language.ts';
import { tellsRoutine } from '../dates/recurring-times.ts';
import { splitSentences } from '../language/sentences.ts';
import type { NameMention } from '../language/names.ts';
import type { MemoryType } from '../memory-types.ts';
import { attributeKindOf } from './attributes/kinds.ts';
import type { StatedAttribute } from './attributes/stated-attributes.ts';
import type { Candidate, DiscardedTurn, Extraction } from './candidate.ts';
import { categoryOf } from './categories.ts';
import {
  quoteFrom,
  type DocumentDraft,
  type SelfContainedText,
  type Speaker,
  type StatementDraft,
  type TurnDraft,
} from './draft.ts';
import { longestAntecedent, withFullStop } from './antecedent.ts';
import { beginsWithPronoun } from './referring-words.ts';
import { isJoking, isSmallTalk } from './small-talk.ts';
import { dependentLeast, selfContainedContent } from './self-contained-content.ts';
import {
  minQuotedProbability,
  statementKinds,
  type Classification,
  type StatementKind,
} from './statement-classifier.ts';

/** How often the forms of attributes are right, at least: each covers the whole of a clause. */
const formConfidence = 0.8;
/** The least worth of a statement that has the form of an attribute, or that its speaker asks to remember. */
const halfAgreed = 0.3;
/** The least confidence of a candidate below the threshold that is counted as left out. */
const arguable = 0.5;
/** The least probability that a statement is of any kind. */
const ofSomeKind = 0.4;
/** "In the future I want to live in Spain" has the form of an order, and hardly this probability of being one. */
const orderLeast = 0.3;
/** The least probability of an event for its time to count: "my best is 2:04" has none. */
const eventLeast = 0.3;

/**
 * "Erklär mir mal Joins", "Tradúceme esto", "Écris-moi un mot": an order to do something for the speaker, which is one for
 * now where it is no standing instruction. "Mache mir Sorgen" and "Suche mir eine Wohnung" leave out their "ich".
 */
const asksForNow: Readonly<Record<'de' | 'es' | 'fr', RegExp>> = {
  de: /^(?:bitte )?(?:(?:erklär|zeig|sag|übersetz|nenn|erzähl|schick|bring|verrat|beschreib|korrigier|formulier|erstell|generier|verfass|prüf|rechn)e?|gib|hilf|lies|empfiehl|entwirf|fass|lass|schreib|such|find|bau|mach(?! mir (?:\p{L}+ )?(?:sorgen|gedanken)(?!\p{L}))) (?:mir|uns)(?!\p{L})/iu,
  es: /^\p{L}*[áéíóú]\p{L}*(?<=[aei])(?:me|nos)(?:l[aeo]s?)?(?!\p{L})/iu,
  fr: /^\p{L}+-(?:moi|nous)(?!\p{L})/iu,
};
function isOrderForNow(text: string): boolean {
  const language = languageOf(text);
  const isOrder =
    asksForNow.de.test(text) || ((language === 'es' || language === 'fr') && asksForNow[language].test(text));
  return isOrder && !tellsRoutine(text);
}

const typeOf: Readonly<Record<StatementKind, MemoryType>> = {
  fact: 'facts',
  preference: 'preferences',
  instruction: 'preferences',
  emotion: 'emotions',
  event: 'temporal_events',
};

/** Classifications in order of turns and of their statements; undefined where no model was asked, or not in time. */
export type Classifications = readonly (readonly (Classification | undefined)[])[];

/** The memories of a drafted document: its passages, and the statements that are worth keeping. */
export function selectCandidates(
  { turns, discarded }: DocumentDraft,
  classifications: Classifications,
  threshold: number,
): Extraction {
  const candidates: Candidate[] = [];
  const leftOut: DiscardedTurn[] = [...discarded];
  for (const [place, draft] of turns.entries()) {
    const found = withPartsOfSentences(draft.statements, classifications[place] ?? [], threshold);
    const typed = candidatesOf(draft, withContinuations(draft.statements, found, threshold));
    const kept = withoutAntecedents(
      typed.filter((each) => each.confidence >= threshold),
      draft.turn.content,
    );
    const statesOnly = statesOnlyIn(kept, draft.statements);
    const passages = draft.passages.map((passage) =>
      statesOnly(passage.quote) ? { ...passage, statesOnly: true } : passage,
    );
    for (const candidate of [...passages, ...kept])
      candidates.push({ ...candidate, turns: [...candidate.turns, ...draft.repeatedIn] });
    for (const { confidence } of typed)
      if (confidence < threshold && confidence >= arguable)
        leftOut.push({ turn: draft.turn.index, reason: 'below-threshold' });
  }
  return { candidates, discarded: leftOut.toSorted((one, other) => one.turn - other.turn) };
}

/**
 * Raises the worth of statements that were cut from a sentence of which another part is kept. The model knows short
 * statements of other languages than English less well than whole sentences, so that little is enough: "J'habite à Lyon
 * et je suis végétarienne" would be kept as a whole.
 */
function withPartsOfSentences(
  statements: readonly StatementDraft[],
  classifications: Classifications[number],
  threshold: number,
): Classifications[number] {
  const kept = new Set(
    statements.flatMap(({ quote }, n) => {
      const found = classifications[n];
      return found && found.worth >= threshold && isOwn(found) ? [quote] : [];
    }),
  );
  return statements.map(({ quote }, n) => {
    const found = classifications[n];
    const isPart = found && found.worth >= halfAgreed && kept.has(quote) && languageOf(quote) !== 'en';
    return isPart ? { ...found, worth: Math.max(found.worth, threshold) } : found;
  });
}

/** "And dairy." behind the answer "Mostly gluten.": it gives more of what was asked, in so few words. */
const continues = /^(?:and|also|plus|und|auch|y|e|también|et|aussi)(?:\s+\S+){1,4}$/iu;
/** The least worth of what continues a kept answer; what ends an answer ("And thanks.") has less. */
const continuationLeast = 0.25;

/** Gives what continues an answer the answer's classification: it is as sure, and cannot stand alone either. */
function withContinuations(
  statements: readonly StatementDraft[],
  classifications: Classifications[number],
  threshold: number,
): (Classification | undefined)[] {
  let answer: Classification | undefined;
  return statements.map((statement, n) => {
    const found = classifications[n];
    if (answer && found && found.worth >= continuationLeast && continues.test(wordsOf(statement)))
      return continuationOf(answer, found);
    answer = found && found.worth >= threshold && found.dependent >= dependentLeast ? found : undefined;
    return found;
  });
}

const continuationOf = ({ worth, kinds, dependent }: Classification, found: Classification): Classification => ({
  ...found,
  worth: Math.max(found.worth, worth),
  kinds,
  dependent,
  span: [0, Infinity], // all of its words, with the one that joins them
});

const wordsOf = ({ quote }: StatementDraft): string => quote.replace(/[.!]+$/u, '');

/** The candidates of a turn, in order: of "Metformin. Twice a day." the second needs what the first was kept with. */
function candidatesOf(draft: TurnDraft, classifications: Classifications[number] = []): Candidate[] {
  const inFull = new Map<string, SelfContainedText>();
  return draft.statements.flatMap((statement, n) => {
    const antecedent = inFull.get(statement.antecedent?.content ?? '') ?? statement.antecedent;
    const found = candidateOf({ ...statement, ...(antecedent ? { antecedent } : {}) }, classifications[n], draft);
    if (found && found.content.length <= longestAntecedent) inFull.set(statement.text, found);
    return found ? [found] : [];
  });
}

function candidateOf(
  statement: StatementDraft,
  found: Classification | undefined,
  { turn, speaker }: TurnDraft,
): Candidate | undefined {
  const { stated, quote, event, isDue } = statement;
  if (statement.isReminder && !(found && found.quoted >= minQuotedProbability))
    return reminderOf(statement, { turn, speaker });
  const isForm = isStatedByForm(stated, found);
  if (!isForm && !(found && isOwn(found))) return undefined;
  const isAskedFor = statement.isAskedToRemember && found !== undefined && found.worth >= halfAgreed;
  const ofForm = isForm && stated ? kindOfForm(stated, found) : undefined;
  const likely = found ? likeliest(found) : 'fact';
  // "We open from Tuesday to Sunday" has no time of its own.
  const lasting = likely === 'event' && !event && tellsRoutine(quote) ? 'fact' : likely;
  const kind = ofForm?.category === 'instruction' ? 'instruction' : lasting;
  const mayBeStanding = kind === 'instruction' || (found !== undefined && found.kinds.instruction >= orderLeast);
  if (mayBeStanding ? isJoking(quote) : isOrderForNow(statement.text)) return undefined;
  const type = ofForm?.type ?? typeOf[kind];
  const read = found && statement.followsSmallTalk ? { ...found, dependent: 0 } : found;
  const alone = selfContainedContent(statement, read, turn, {
    ...speaker,
    keepsI: kind === 'instruction',
  });
  if (!alone) return undefined;
  const category = ofForm?.category ?? categoryOf(kind, alone.content);
  const isEvent =
    type === 'temporal_events' ||
    (type !== 'preferences' && (statement.isAhead || (found?.kinds.event ?? 1) >= eventLeast));
  return {
    type,
    category,
    content: alone.content,
    confidence: Math.max(isForm || isAskedFor ? formConfidence : 0, found?.worth ?? 0),
    turns: alone.turns,
    quote,
    ...(alone.asSaid ? { asSaid: alone.asSaid } : {}),
    before: statement.utterance.before,
    ...(event && isEvent ? { event } : {}),
    ...(event && isDue ? { dueAt: event.start } : {}),
    ...(stated ? { attribute: stated.attribute } : {}),
    entities: entitiesIn(alone.content, statement.entities, speaker),
  };
}

/**
 * The kind that a form tells, whatever the model takes for likeliest: of a memory by itself, or of an order that may be
 * one.
 */
function kindOfForm(
  { attribute, isMemory, isEvent }: StatedAttribute,
  found: Classification | undefined,
): ReturnType<typeof attributeKindOf> | undefined {
  const kind = attributeKindOf(attribute);
  const isOrder = kind.category === 'instruction' && found !== undefined && found.kinds.instruction >= orderLeast;
  return (isMemory && !isEvent) || isOrder ? kind : undefined;
}

/** A candidate of something that somebody wants to be reminded of, which falls due when they say. */
const reminderOf = (
  { text, quote, event, utterance, entities }: StatementDraft,
  { turn, speaker }: Pick<TurnDraft, 'turn' | 'speaker'>,
): Candidate => ({
  type: 'temporal_events',
  category: 'plans',
  content: text,
  confidence: formConfidence,
  turns: [turn.index],
  quote,
  before: utterance.before,
  ...(event ? { event, dueAt: event.start } : {}),
  entities: entitiesIn(text, entities, speaker),
});

/**
 * "We moved house! 4 Rae Street": the second is kept together with the first, which is then no memory beside it. What
 * both become is of the first one's type, with its time and attribute.
 */
function withoutAntecedents(kept: readonly Candidate[], said: string): Candidate[] {
  const remaining: Candidate[] = [];
  for (const each of kept) {
    const isOfOther = beginsWithPronoun(each.asSaid ?? '', languageOf(each.content));
    const place = isOfOther
      ? -1
      : remaining.findIndex(({ content }) => each.content.startsWith(`${withFullStop(content)} `));
    const [antecedent] = place < 0 ? [] : remaining.splice(place, 1);
    remaining.push(antecedent ? joined(antecedent, each, said) : each);
  }
  return remaining;
}

function joined(antecedent: Candidate, each: Candidate, said: string): Candidate {
  const { content, entities, confidence, attribute, event, dueAt } = each;
  return {
    ...(attribute ? { attribute } : {}),
    ...(event ? { event } : {}),
    ...(dueAt ? { dueAt } : {}),
    ...antecedent,
    content,
    entities,
    quote: quoteFrom(antecedent.quote, each.quote, said),
    confidence: Math.max(confidence, antecedent.confidence),
  };
}

/** A form that is a memory by itself, or a wide one that the model half agrees with; not where the words are another's. */
function isStatedByForm(stated: StatementDraft['stated'], found: Classification | undefined): boolean {
  // The rules have already left out quoted words: to overrule a form, the model has to be sure.
  if (!stated || (found && found.quoted >= 0.9)) return false;
  return stated.isMemory || (found !== undefined && found.worth >= halfAgreed);
}

/** Whether a statement is the speaker's own and of some kind. If no kind is likely, the model is not to be believed. */
function isOwn({ quoted, kinds }: Classification): boolean {
  const none = statementKinds.reduce((product, kind) => product * (1 - kinds[kind]), 1);
  return quoted < minQuotedProbability && 1 - none >= ofSomeKind;
}

const likeliest = ({ kinds }: Classification): StatementKind =>
  statementKinds.reduce((best, kind) => (kinds[kind] > kinds[best] ? kind : best));

function entitiesIn(content: string, entities: readonly NameMention[], { name }: Speaker): NameMention[] {
  const own = entities.filter((entity) => content.includes(entity.name));
  const isNamed = name !== undefined && content.startsWith(name) && !own.some((entity) => entity.name === name);
  return isNamed ? [{ name, kind: 'person' }, ...own] : own;
}

/** Whether a passage of the turn is nothing but kept statements of attributes, beside small talk. */
function statesOnlyIn(kept: readonly Candidate[], statements: readonly StatementDraft[]): (passage: string) => boolean {
  const stated = new Set(kept.filter(({ attribute }) => attribute).map(({ quote }) => quote));
  if (stated.size === 0) return () => false;
  // A sentence may say more than what it states, whether that is kept or not.
  const others = new Set(statements.filter((each) => !each.stated).map(({ quote }) => quote));
  return (passage) => {
    const sentences = splitSentences(passage).map(({ text }) => text);
    return (
      sentences.some((sentence) => stated.has(sentence)) &&
      sentences.every((sentence) => (stated.has(sentence) && !others.has(sentence)) || isSmallTalk(sentence))
    );
  };
}
