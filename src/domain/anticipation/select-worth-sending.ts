import type { Memory } from '../memories/memory.ts';
import { keepFitting } from '../memories/order-outdated.ts';
import { standingShare } from '../memories/standing-store.ts';

/** A memory with what is needed to decide whether it is worth sending. */
export interface BundleCandidate extends Pick<Memory, 'id' | 'possiblyOutdatedBy'> {
  readonly tokens: number;
  /** The probability that it is needed. */
  readonly score: number;
}

/**
 * The tokens that a needed memory is worth: a memory is sent when probability × worth is above what it costs. A
 * judgement, not a measurement: so much that it keeps out only what is both long and improbable, such as 120 tokens at
 * less than one in a hundred.
 */
const worth = 12_000;

/** The most memories of a bundle beside the standing ones. */
export const othersAtMost = 10;

/**
 * Selects the memories worth sending, in their order: their expected value is above their cost, and they fit the token
 * budget together. One that does not fit makes room for smaller ones behind it, except for those that it may have
 * replaced.
 */
export function selectWorthSending<Item extends BundleCandidate>(
  memories: readonly Item[],
  { tokenBudget, isStanding }: { tokenBudget: number; isStanding: (memory: Item) => boolean },
): Item[] {
  let [standingTokens, otherTokens, others] = [0, 0, 0];
  return keepFitting(memories, (memory) => {
    const { score, tokens } = memory;
    if (score * worth < tokens || standingTokens + otherTokens + tokens > tokenBudget) return false;
    if (isStanding(memory)) {
      if (standingTokens + tokens > tokenBudget * standingShare) return false;
      standingTokens += tokens;
    } else {
      if (others === othersAtMost) return false;
      others += 1;
      otherTokens += tokens;
    }
    return true;
  });
}
