import type { Db } from '../../db/database.ts';
import type { MemoryType } from '../memory-types.ts';
import type { SpaceEmbedder } from '../search-index/embedding-models.ts';
import { prepareIndex, type IndexEntry } from '../search-index/index-memories.ts';
import type { MemoryVector } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import type { ChangedValidities } from './attribute-timeline.ts';
import { readIndexable } from './indexable-store.ts';
import { findMemoryLocations, type MemoryPosition } from './memory-store.ts';

/** A turn of a document. */
export interface TurnKey {
  readonly documentId: string;
  readonly turn: number;
}

/** A change of stored memories that is about to be made. */
export interface MemoryChanges {
  readonly removed?: ReadonlySet<string>;
  /** Statements that hold until another time: a superseded one lends nothing, and a restored one does again. */
  readonly statementValidities?: ChangedValidities;
  /** Memories that get another position, because the document that they are stored under is removed. */
  readonly moved?: ReadonlyMap<string, MemoryPosition>;
  /** A memory that will say something else, or be of another type. */
  readonly corrected?: { readonly id: string; readonly text: string; readonly type: MemoryType };
}

/**
 * Computes the vectors beside these places and beside what changes, as of after the change: a vector includes a little
 * of the turns before and after it. The store then equals one that never held what is removed.
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
  { removed, statementValidities = [], moved = new Map(), corrected }: MemoryChanges,
): Promise<IndexEntry[]> {
  const validities = new Map(statementValidities.map(({ id, statementValidity }) => [id, statementValidity]));
  const changed = await findMemoryLocations(db, access, [...validities.keys()]);
  const near = [...places, ...changed, ...moved.values()];
  if (!near.length) return [];
  const stored = await readIndexable(db, access, { places: near, ids: [...moved.keys()], reach: 2 });
  const remaining = stored
    .filter(({ memoryId }) => !removed?.has(memoryId))
    .map((memory) => {
      const statementValidity = validities.get(memory.memoryId);
      const position = moved.get(memory.memoryId);
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
  const touched = new Set(near.map(({ documentId, turn }) => `${documentId}/${turn}`));
  const neighbours = (documentId: string, turn: number) => touched.has(`${documentId}/${turn}`);
  return prepareIndex(model, access, remaining, {
    only: ({ memoryId, documentId, turn }) =>
      memoryId === corrected?.id ||
      moved.has(memoryId) ||
      neighbours(documentId, turn - 1) ||
      neighbours(documentId, turn + 1),
  });
}
