import { sigmoid } from '../memories/log-odds.ts';
import { passageKeyOf } from '../retrieval/candidate.ts';
import { withoutRepetitions } from '../retrieval/order-hits.ts';
import type { RecalledMemory } from '../retrieval/recall.ts';
import { coefficients } from './coefficients.ts';
import { featureNames, situationFeatures, type ConversationSituation } from './features.ts';

/** A memory with the probability that it will be needed. */
export interface MemoryWithNeedProbability {
  readonly memory: RecalledMemory;
  readonly probability: number;
}

/** Ranks the memories that match a situation by the probability of being needed, and leaves out repetitions. */
export function rankByNeedProbability(
  situation: ConversationSituation,
  extra: readonly RecalledMemory[],
  isInContext: (memory: RecalledMemory) => boolean,
): MemoryWithNeedProbability[] {
  const weights = situation.asked ? coefficients.listening : coefficients.waiting;
  const rated = situationFeatures(situation, extra, isInContext).map(({ memory, features: values }) => {
    const sum = values.reduce((total, value, at) => total + value * weights[featureNames[at]!], weights.intercept);
    return { memory, probability: sigmoid(sum) };
  });
  return withoutRepeatedPassages(rated.toSorted((one, other) => other.probability - one.probability));
}

/** Leaves out repetitions, by how the texts begin. */
export const withoutRepeatedPassages = <Item extends { readonly memory: RecalledMemory }>(
  items: readonly Item[],
): Item[] =>
  withoutRepetitions(
    items,
    ({ memory }) => memory,
    ({ memory }) => `${passageKeyOf(memory)} ${memory.opening}`,
  );
