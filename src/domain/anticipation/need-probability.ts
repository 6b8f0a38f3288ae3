import { sigmoid } from '../memories/log-odds.ts';
import { passageKeyOf } from '../retrieval/candidate.ts';
import type { RecalledMemory } from '../retrieval/recall.ts';
import { coefficients } from './coefficients.ts';
import { featureNames, situationFeatures, type ConversationSituation } from './features.ts';

/** A memory with the probability that it will be needed. */
export interface MemoryWithNeedProbability {
  readonly memory: RecalledMemory;
  readonly probability: number;
}

/** Ranks the memories that match a situation by the probability of being needed, and keeps the best one of each passage. */
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
  return bestPerPassage(rated.toSorted((one, other) => other.probability - one.probability));
}

/** A passage and what it states say nearly the same: the first stays, or in its place a statement in the same words. */
export function bestPerPassage<Item extends { readonly memory: RecalledMemory }>(items: readonly Item[]): Item[] {
  const kept = new Map<string, Item>();
  for (const item of items) {
    const { type, opening } = item.memory;
    const passage = passageKeyOf(item.memory);
    const first = kept.get(passage)?.memory;
    const tellsMore = first?.type === 'episodes' && type !== 'episodes' && first.opening === opening;
    if (!first || tellsMore) kept.set(passage, item);
  }
  return [...kept.values()];
}
