import type { Turn } from '../conversations/turn-store.ts';
import type { StatedMemory } from '../memories/stated-memory-store.ts';
import type { CompactionInput } from './compact-turns.ts';
import type { SpanMemory } from './compaction.ts';

/** The turns of a conversation with the memories of the documents that they became. */
export function compactionInputOf(
  turns: readonly Turn[],
  stated: readonly StatedMemory[],
): Pick<CompactionInput, 'turns' | 'memories'> {
  const numbers = new Map(turns.map(({ documentId, place, n }) => [`${documentId}/${place}`, n]));
  const memories = new Map<string, SpanMemory>();
  for (const { documentId, turns: places, quote: text, ...memory } of stated) {
    const ns = places.flatMap((place) => numbers.get(`${documentId}/${place}`) ?? []);
    if (!ns.length) continue; // of a turn that was forgotten
    const existing = memories.get(memory.id);
    memories.set(memory.id, { ...memory, quotes: [...(existing?.quotes ?? []), { text, turns: ns }] });
  }
  return {
    turns: turns.map(({ n, role, name, content }) => ({ n, role, name, content })),
    memories: [...memories.values()],
  };
}
