import type { Memory } from './memory.ts';

/** The fields that ordering an answer needs. */
type RankedMemory = Pick<Memory, 'id' | 'possiblyOutdatedBy'> & {
  readonly score: number;
  readonly parts: Readonly<Record<string, number>> | null;
};

/** In log-odds: what is so much less relevant is about something else. Probabilities never differ by so much. */
const clearly = 1.5;

/** Whether a newer memory says so much less to the query than an older one that it hardly replaced what is asked for. */
export const isClearlyLess = (newer: { readonly score: number }, older: { readonly score: number }): boolean =>
  newer.score < older.score - clearly;

/**
 * The memories of one answer, best first, with none before a newer one among them that may have replaced it and is not
 * clearly less relevant: it comes directly behind that one at best, and its score is no higher. `parts` tells by how much
 * the score was lowered.
 * `passageOf`: by the id of a newer one that is not among them, that of the passage that stands for it. `isJudged`: a model
 * judged what is relevant; likeness alone says nothing of the newer one, which may be put in quite other words.
 */
export function placeOutdatedBehind<Item extends RankedMemory>(
  items: readonly Item[],
  { passageOf = new Map(), isJudged = true }: { passageOf?: ReadonlyMap<string, string>; isJudged?: boolean } = {},
): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const waiting = new Map<string, Item[]>();
  const placed = new Map<string, Item>();
  const place = (item: Item): void => {
    placed.set(item.id, item);
    for (const older of waiting.get(item.id) ?? []) place(lowered(older, item.score));
    waiting.delete(item.id);
  };
  for (const item of items) {
    const successor = item.possiblyOutdatedBy;
    const newer = successor && byId.get(passageOf.get(successor) ?? successor);
    if (!newer || (isJudged && isClearlyLess(newer, item))) place(item);
    else if (placed.has(newer.id)) place(lowered(item, placed.get(newer.id)!.score));
    else waiting.set(newer.id, [...(waiting.get(newer.id) ?? []), item]);
  }
  // Two that wait for one another stay as they were found.
  return [...placed.values(), ...items.filter(({ id }) => !placed.has(id))];
}

/**
 * The memories of an answer that fit, each asked about in its order by `fits`; of those that do not, none of the older ones
 * either that they may have replaced.
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

function lowered<Item extends RankedMemory>(item: Item, most: number): Item {
  if (item.score <= most) return item;
  const parts = item.parts && { ...item.parts, possiblyOutdated: most - item.score };
  return { ...item, score: most, parts };
}
