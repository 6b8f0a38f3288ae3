import { DomainError } from '../errors.ts';
import { wordsBefore, type Classification, type StatementClassifier } from '../extraction/statement-classifier.ts';
import { groupBy } from '../flow/group-by.ts';
import { isHumanRole } from '../language/speaker.ts';
import type { CompactionTurn, SpanMemory } from './compaction.ts';
import { spansOverlap } from '../language/text-span.ts';
import type { TurnSentence } from './turn-sentences.ts';

/** The sentences to classify with their turns, and the memories that already rest on these. */
export interface ClassificationInput {
  readonly turns: readonly CompactionTurn[];
  readonly sentences: readonly TurnSentence[];
  readonly memories: readonly SpanMemory[];
}

/**
 * Looks up the statement model's classification of a sentence from which nothing was extracted; undefined: not asked.
 */
export type SentenceClassifications = (sentence: Pick<TurnSentence, 'turn' | 'start'>) => Classification | undefined;

/** The most sentences to classify, latest first: as many as take less time than embedding the turns. */
const classifiedAtMost = 200;
/** Longer ones are pasted text more often than statements. */
const longestChars = 300;

/**
 * Asks the statement model what the sentences of people are worth of which nothing was extracted: most are worth
 * nothing, some were only a little less than sure. Without the model nothing is classified.
 */
export async function classifySentences(
  classifier: StatementClassifier,
  { turns, sentences, memories }: ClassificationInput,
): Promise<SentenceClassifications> {
  const quotes = quotesByTurn(memories);
  const byNumber = new Map(turns.map((turn) => [turn.n, turn]));
  const asked = sentences
    .map((sentence, place) => ({ sentence, place }))
    .filter(
      ({ sentence }) => isHumanRole(sentence.turn) && sentence.text.length <= longestChars && isNew(sentence, quotes),
    )
    .slice(-classifiedAtMost);
  const utterances = asked.map(({ sentence, place }) => {
    const earlier = sentences[place - 1];
    const earlierInTurn = earlier?.turn === sentence.turn ? earlier.text : undefined;
    const content = byNumber.get(sentence.turn.n - 1)?.content;
    return { text: sentence.text, before: wordsBefore(earlierInTurn, content === undefined ? undefined : { content }) };
  });
  const classifications = await classifier.classify(utterances).catch(withoutModel);
  const byPlace = new Map(asked.map(({ sentence }, k) => [keyOf(sentence), classifications[k]]));
  return (sentence) => byPlace.get(keyOf(sentence));
}

const keyOf = ({ turn, start }: Pick<TurnSentence, 'turn' | 'start'>) => `${turn.n}/${start}`;

function withoutModel(error: unknown): [] {
  if (error instanceof DomainError) return [];
  throw error;
}

function quotesByTurn(memories: readonly SpanMemory[]): Map<number, string[]> {
  const quotes = memories.flatMap(({ type, quotes: stating }) => (type === 'episodes' ? [] : stating));
  return groupBy(
    quotes.flatMap(({ text, turns }) => turns.map((n) => ({ n, text }))),
    ({ n }) => n,
    ({ text }) => text,
  );
}

function isNew(sentence: TurnSentence, quotes: ReadonlyMap<number, readonly string[]>): boolean {
  const { turn } = sentence;
  return !quotes.get(turn.n)?.some((quote) => {
    const at = turn.content.indexOf(quote);
    return at >= 0 && spansOverlap(sentence, { start: at, end: at + quote.length });
  });
}
