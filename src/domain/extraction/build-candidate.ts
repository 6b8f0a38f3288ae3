import { tellsRoutine } from '../dates/recurring-times.ts';
import type { NameMention } from '../language/names.ts';
import { languageOf } from '../language/sentence-language.ts';
import type { MemoryType } from '../memory-types.ts';
import { attributeKindOf } from './attributes/kinds.ts';
import type { StatedAttribute } from './attributes/stated-attributes.ts';
import type { Candidate } from './candidate.ts';
import { categoryOf } from './categories.ts';
import type { Speaker, StatementDraft, TurnDraft } from './draft.ts';
import { selfContainedContent } from './self-contained-content.ts';
import { isJoking } from './small-talk.ts';
import {
  minQuotedProbability,
  statementKinds,
  type Classification,
  type StatementKind,
} from './statement-classifier.ts';

/** How often the forms of attributes are right, at least: each covers the whole of a clause. */
const formConfidence = 0.8;
/** The least worth of a statement that has the form of an attribute, or that its speaker asks to remember. */
export const halfAgreed = 0.3;
/** The least probability that a statement is of any kind. */
const ofSomeKind = 0.4;
/** "In the future I want to live in Spain" has the form of an order, and hardly this probability of being one. */
const orderLeast = 0.3;
/** The least probability of an event for its time to count: "my best is 2:04" has none. */
const eventLeast = 0.3;

/**
 * "Erklär mir mal Joins", "Tradúceme esto", "Écris-moi un mot": an order to do something for the speaker, which is one
 * for now where it is no standing instruction. "Mache mir Sorgen" and "Suche mir eine Wohnung" leave out their "ich".
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

/** The candidate that a statement becomes by its form, by its classification, or by both; undefined for none. */
export function candidateOf(
  statement: StatementDraft,
  found: Classification | undefined,
  { turn, speaker }: TurnDraft,
): Candidate | undefined {
  const { stated, quote, event, isDue } = statement;
  if (statement.isReminder && !(found && found.quoted >= minQuotedProbability))
    return reminderOf(statement, { turn, speaker });
  const form = stated && isStatedByForm(stated, found) ? stated : undefined;
  if (!form && !(found && isOwn(found))) return undefined;
  const isAskedFor = statement.isAskedToRemember && found !== undefined && found.worth >= halfAgreed;
  const ofForm = form && kindOfForm(form, found);
  const kind = ofForm?.category === 'instruction' ? 'instruction' : likeliestKind(found, statement);
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
    confidence: Math.max(form || isAskedFor ? formConfidence : 0, found?.worth ?? 0),
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

/** Whether the form makes it a memory by itself, or the model half agrees with it, and the words are no one else's. */
function isStatedByForm(stated: StatedAttribute, found: Classification | undefined): boolean {
  // The rules have already left out quoted words: to overrule a form, the model has to be sure.
  if (found && found.quoted >= 0.9) return false;
  return stated.isMemory || (found !== undefined && found.worth >= halfAgreed);
}

/** Whether a statement is the speaker's own and of some kind. If no kind is likely, the model is not to be believed. */
export function isOwn({ quoted, kinds }: Classification): boolean {
  const none = statementKinds.reduce((product, kind) => product * (1 - kinds[kind]), 1);
  return quoted < minQuotedProbability && 1 - none >= ofSomeKind;
}

function likeliestKind(found: Classification | undefined, { event, quote }: StatementDraft): StatementKind {
  if (!found) return 'fact';
  const { kinds } = found;
  const likeliest = statementKinds.reduce((best, kind) => (kinds[kind] > kinds[best] ? kind : best));
  // "We open from Tuesday to Sunday" has no time of its own.
  return likeliest === 'event' && !event && tellsRoutine(quote) ? 'fact' : likeliest;
}

function entitiesIn(content: string, entities: readonly NameMention[], { name }: Speaker): NameMention[] {
  const own = entities.filter((entity) => content.includes(entity.name));
  const isNamed = name !== undefined && content.startsWith(name) && !own.some((entity) => entity.name === name);
  return isNamed ? [{ name, kind: 'person' }, ...own] : own;
}
