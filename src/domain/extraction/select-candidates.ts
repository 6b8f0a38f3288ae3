import { languageOf } from '../language/sentence-language.ts';
import { splitSentences } from '../language/sentences.ts';
import { longestAntecedent, withFullStop } from './antecedent.ts';
import { candidateOf, halfAgreed, isOwn } from './build-candidate.ts';
import type { Candidate, DiscardedTurn, Extraction } from './candidate.ts';
import { quoteFrom, type DocumentDraft, type SelfContainedText, type StatementDraft, type TurnDraft } from './draft.ts';
import { beginsWithPronoun } from './referring-words.ts';
import { dependentLeast } from './self-contained-content.ts';
import { isSmallTalk } from './small-talk.ts';
import type { Classification } from './statement-classifier.ts';

/** The least confidence of a candidate below the threshold that is counted as left out. */
const arguable = 0.5;
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
