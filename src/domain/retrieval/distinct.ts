import type { MemoryType } from '../configurations/configuration.ts';
import { contentKey } from '../extraction/content-key.ts';

/** What tells a repetition. */
export interface Words {
  readonly text: string;
  readonly type: MemoryType;
}

/**
 * The items without repetitions: a statement and the passage that says nothing else have the same words, and a reader
 * needs them once. The typed one stays, since it tells more, at the place of the first.
 */
export function distinct<Item extends { readonly row: Words }>(items: readonly Item[]): Item[] {
  const kept = new Map<string, Item>();
  for (const item of items) {
    const key = keyOf(item.row);
    const known = kept.get(key)?.row;
    if (!known || (known.type === 'episodes' && item.row.type !== 'episodes')) kept.set(key, item);
  }
  return [...kept.values()];
}

/** Of rows that are kept at hand, as long as they are. */
const keys = new WeakMap<Words, string>();

function keyOf(row: Words): string {
  let key = keys.get(row);
  if (key === undefined) keys.set(row, (key = contentKey(row.text)));
  return key;
}
