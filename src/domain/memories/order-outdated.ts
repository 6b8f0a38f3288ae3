import type { Memory } from './memory.ts';

/** The fields that ordering an answer needs. */
type RankedMemory = Pick<Memory, 'id' | 'possiblyOutdatedBy' | 'possiblyOutdatedConfidence'> & {
  readonly score: number;
  readonly parts: Readonly<Record<string, number>> | null;
};

/** From this probability on that a newer memory replaced an older one, the newer is read first. */
const likely = 0.5;
/** In log-odds: a memory less relevant by this is about something else. Probabilities never differ by so much. */
export const relevanceMargin = 1.5;
/** In log-odds: `relevanceMargin` of one that likely replaced the older; updates seldom repeat the query's words. */
const likelyRelevanceMargin = 3;

/**
 * Reorders an answer so that a memory that may have replaced another comes before it: one that ranked lower moves
 * directly before it and gets at least its score, unless its score is lower by `relevanceMargin`, or by
 * `likelyRelevanceMargin` where it likely replaced it: "Winston died" does not answer where somebody lives with
 * Winston. `parts.mayReplace` is what was added. `passageOf`: by the id of a newer memory that is not in the answer,
 * the passage that stands for it.
 */
export function placeSuccessorsBefore<Item extends RankedMemory>(
  items: readonly Item[],
  passageOf: ReadonlyMap<string, string> = new Map(),
): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const placed = new Map<string, Item>();
  // `older`: those that it is placed before; two may each have replaced the other.
  const place = (item: Item, minScore: number, older: ReadonlySet<string>): void => {
    const successor = item.possiblyOutdatedBy;
    const newer = successor && byId.get(passageOf.get(successor) ?? successor);
    if (newer && !placed.has(newer.id) && !older.has(newer.id) && concerns(newer, item))
      place(newer, Math.max(minScore, item.score), new Set([...older, item.id]));
    placed.set(item.id, raised(item, minScore));
  };
  for (const item of items) if (!placed.has(item.id)) place(item, item.score, new Set());
  return [...placed.values()];
}

/** Whether a memory was likely replaced by one that may have replaced it. */
export const isLikelyReplaced = ({ possiblyOutdatedConfidence }: Pick<Memory, 'possiblyOutdatedConfidence'>): boolean =>
  possiblyOutdatedConfidence !== null && possiblyOutdatedConfidence >= likely;

const concerns = (newer: RankedMemory, older: RankedMemory): boolean =>
  newer.score > older.score - (isLikelyReplaced(older) ? likelyRelevanceMargin : relevanceMargin);

/**
 * The memories of an answer that fit, each asked about in its order by `fits`; of those that do not, none of the older
 * ones either that they may have replaced.
 */
export function keepFitting<Item extends Pick<Memory, 'id' | 'possiblyOutdatedBy'>>(
  items: readonly Item[],
  fits: (item: Item) => boolean,
): Item[] {
  const leftOut = new Set<string | null>();
  return items.filter((item) => {
    const isKept = !leftOut.has(item.possiblyOutdatedBy) && fits(item);
    if (!isKept) leftOut.add(item.id);
    return isKept;
  });
}

/**
 * The memories of an answer, in their order, that fit the token budget together, and their tokens. One that does not
 * fit makes room for smaller ones behind it, except for those that it may have replaced.
 */
export function packWithin<Item extends Pick<Memory, 'id' | 'possiblyOutdatedBy'>>(
  items: readonly Item[],
  tokensOf: (item: Item) => number,
  budget: number,
): { packed: Item[]; totalTokens: number } {
  let totalTokens = 0;
  const packed = keepFitting(items, (item) => {
    const tokens = tokensOf(item);
    if (totalTokens + tokens > budget) return false;
    totalTokens += tokens;
    return true;
  });
  return { packed, totalTokens };
}

function raised<Item extends RankedMemory>(item: Item, minScore: number): Item {
  if (item.score >= minScore) return item;
  const parts = item.parts && { ...item.parts, mayReplace: minScore - item.score };
  return { ...item, score: minScore, parts };
}
