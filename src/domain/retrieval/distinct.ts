import { contentKey } from '../extraction/content-key.ts';

/**
 * The items without repetitions: a statement and the passage that says nothing else have the same words, and a reader
 * needs them once. The typed one stays, since it tells more, at the place of the first.
 */
export function distinct<Item extends { readonly content: string; readonly type: string }>(
  items: readonly Item[],
): Item[] {
  const kept = new Map<string, Item>();
  for (const item of items) {
    const key = contentKey(item.content);
    const known = kept.get(key);
    if (!known || (known.type === 'episodes' && item.type !== 'episodes')) kept.set(key, item);
  }
  return [...kept.values()];
}
