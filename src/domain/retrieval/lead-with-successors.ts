import type { Hit } from './search.ts';

/**
 * A passage may hold a statement that a later one replaced: what holds now goes before it, wherever it was found, so
 * that nobody reads the old value first.
 */
export function leadWithSuccessors(hits: readonly Hit[], successors: ReadonlyMap<string, readonly string[]>): Hit[] {
  if (successors.size === 0) return [...hits];
  const placed = new Map<string, Hit>();
  for (const hit of hits) {
    for (const id of successors.get(hit.id) ?? []) {
      if (!placed.has(id)) placed.set(id, { id, score: hit.score, parts: { replaces: hit.score } });
    }
    if (!placed.has(hit.id)) placed.set(hit.id, hit);
  }
  return [...placed.values()];
}
