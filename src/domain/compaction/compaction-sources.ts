import { isUnnamedMachine } from '../language/speaker.ts';
import type { Turn } from '../conversations/turn-store.ts';
import type { StatedMemory } from '../memories/memory.ts';
import type { CompactionTurn, SpanMemory } from './compaction.ts';

/** The turns of a conversation in order, and the memories that rest on them. */
export interface CompactionSources {
  readonly turns: readonly CompactionTurn[];
  readonly memories: readonly SpanMemory[];
  /** The number of the first turn of a person that is not ingested yet; null: all are. */
  readonly firstUningestedTurn: number | null;
  /** The turns of people whose ingestion failed: nothing is remembered of them. */
  readonly failedTurns: readonly CompactionTurn[];
}

/**
 * The turns of a conversation with the memories of the documents that they became. `hasFailed`: by each document whose
 * ingestion is not completed, whether it failed.
 */
export function compactionSourcesOf(
  said: readonly Turn[],
  stated: readonly StatedMemory[],
  hasFailed: ReadonlyMap<string, boolean>,
): CompactionSources {
  const turns = said.map(({ n, role, name, content }) => ({ n, role, name, content }));
  const numbers = new Map(said.map(({ documentId, place, n }) => [`${documentId}/${place}`, n]));
  const memories = new Map<string, SpanMemory>();
  for (const { documentId, turns: places, quote: text, ...memory } of stated) {
    const ns = places.flatMap((place) => numbers.get(`${documentId}/${place}`) ?? []);
    if (!ns.length) continue; // of a turn that was forgotten
    const existing = memories.get(memory.id);
    memories.set(memory.id, { ...memory, quotes: [...(existing?.quotes ?? []), { text, turns: ns }] });
  }
  const ofPeople = said.filter((turn) => !isUnnamedMachine(turn));
  const isPending = ({ documentId }: Turn) => documentId === null || hasFailed.get(documentId) === false;
  const failed = new Set(ofPeople.flatMap(({ documentId, n }) => (hasFailed.get(documentId ?? '') ? [n] : [])));
  return {
    turns,
    memories: [...memories.values()],
    firstUningestedTurn: ofPeople.find(isPending)?.n ?? null,
    failedTurns: turns.filter(({ n }) => failed.has(n)),
  };
}
