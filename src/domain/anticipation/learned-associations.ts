/** How often a memory was of use after a word was said, as one owner's readers reported it. */
export interface LearnedAssociation {
  readonly ownerNo: number;
  readonly context: bigint;
  readonly memoryId: string;
  readonly used: number;
  /** The uses of all memories after that word. */
  readonly total: number;
}

/** Number of uses at which an owner's own data and that of wider owners get half the weight each. */
const prior = 3;

/**
 * The probability that a memory is of use after these words: what the most specific owner knows, and for the belief
 * that its few uses do not earn, what wider ones know (interpolated back-off, Jelinek and Mercer 1980). The words vote
 * alike. `owners`: most specific first.
 */
export function associationLikelihoods(
  associations: readonly LearnedAssociation[],
  owners: readonly number[],
  contexts: readonly bigint[],
): Map<string, number> {
  const likely = new Map<string, number>();
  for (const context of contexts) {
    let belief = 1 / contexts.length;
    for (const ownerNo of owners) {
      const existing = associations.filter((each) => each.context === context && each.ownerNo === ownerNo);
      const [first] = existing;
      if (!first) continue;
      const share = belief / (first.total + prior);
      for (const { memoryId, used } of existing) likely.set(memoryId, (likely.get(memoryId) ?? 0) + used * share);
      belief = prior * share;
    }
  }
  return likely;
}
