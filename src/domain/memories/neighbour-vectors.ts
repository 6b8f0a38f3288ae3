import type { Db } from '../../db/database.ts';
import type { MemoryType } from '../memory-types.ts';
import type { SpaceEmbedder } from '../search-index/embedding-models.ts';
import { prepareIndex, type IndexEntry } from '../search-index/index-memories.ts';
import type { MemoryVector } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import type { StatementValidity } from './attribute-timeline.ts';
import { readIndexable } from './indexable-store.ts';
import type { MemoryPosition } from './memory-store.ts';

/** A turn of a document. */
export interface TurnKey {
  readonly documentId: string;
  readonly turn: number;
}

/** A change of stored memories that is about to be made. */
export interface MemoryChanges {
  readonly removed: ReadonlySet<string>;
  readonly statementValidities: ReadonlyMap<string, StatementValidity>;
  /** Memories that get another position, because the document that they are stored under is removed. */
  readonly moved: ReadonlyMap<string, MemoryPosition>;
  /** A memory that will say something else, or be of another type. */
  readonly corrected?: { readonly id: string; readonly text: string; readonly type: MemoryType };
}

/** Another content or type of one memory, which leaves every memory where it is. */
export const contentChange = (
  corrected: NonNullable<MemoryChanges['corrected']>,
  statementValidities: MemoryChanges['statementValidities'] = new Map(),
): MemoryChanges => ({ removed: new Set(), moved: new Map(), statementValidities, corrected });

/**
 * Computes the neighbours' vectors as of after the change: a vector includes a little of the turns before and after
 * it. The store then equals one that never held what is removed.
 */
export async function neighbourVectors(
  db: Db,
  model: SpaceEmbedder,
  access: Access,
  places: readonly TurnKey[],
  change: MemoryChanges,
): Promise<MemoryVector[]> {
  return (await neighbourIndexEntries(db, model, access, places, change)).map((entry) => entry.vector);
}

/** Computes the vectors that `neighbourVectors` does, with the words of each memory, the corrected one among them. */
export async function neighbourIndexEntries(
  db: Db,
  model: SpaceEmbedder,
  access: Access,
  places: readonly TurnKey[],
  change: MemoryChanges,
): Promise<IndexEntry[]> {
  if (!places.length && !change.moved.size) return [];
  const { corrected } = change;
  const moved = [...change.moved.keys()];
  const stored = await readIndexable(db, access, {
    places: [...places, ...change.moved.values()],
    ids: moved,
    reach: 2,
  });
  const remaining = stored
    .filter(({ memoryId }) => !change.removed.has(memoryId))
    .map((memory) => {
      const statementValidity = change.statementValidities.get(memory.memoryId);
      const position = change.moved.get(memory.memoryId);
      const validity = {
        from: position?.saidAt ?? memory.validity.from,
        until: statementValidity ? statementValidity.validUntil : memory.validity.until,
      };
      const { text, type } = memory.memoryId === corrected?.id ? corrected : memory;
      return {
        ...memory,
        text,
        type,
        ...(position && { documentId: position.documentId, turn: position.turn }),
        validity,
      };
    });
  const touched = new Set([...places, ...change.moved.values()].map(({ documentId, turn }) => `${documentId}/${turn}`));
  const neighbours = (documentId: string, turn: number) => touched.has(`${documentId}/${turn}`);
  return prepareIndex(model, access, remaining, {
    only: ({ memoryId, documentId, turn }) =>
      memoryId === corrected?.id ||
      change.moved.has(memoryId) ||
      neighbours(documentId, turn - 1) ||
      neighbours(documentId, turn + 1),
  });
}
