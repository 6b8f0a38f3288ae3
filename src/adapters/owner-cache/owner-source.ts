import type { Db } from '../../db/database.ts';
import { readSealedCandidates, type SealedCandidate } from '../../domain/memories/candidate-store.ts';
import { countSearchableMemories, readChanges, type OwnerSnapshot } from '../../domain/memories/change-store.ts';
import { readTerms, type TermCounts } from '../../domain/search-index/term-store.ts';
import { instanceIdOf } from '../../domain/ids.ts';
import type { ExternalVectors } from '../../domain/search-index/external-index.ts';
import type { VectorSpace } from '../../domain/vectors/vector-recipe.ts';

/** A stored vector, as it was changed last. */
export interface StoredVector {
  readonly memoryId: string;
  readonly values: Float32Array;
  /** Later changes of one owner's vectors have higher numbers. */
  readonly change: bigint;
}

/** A memory with all that finding it reads of it: its row, sealed, its words and its vector. */
export interface StoredMemory {
  readonly row: SealedCandidate;
  /** Undefined: without a word. */
  readonly terms: TermCounts | undefined;
  /** Undefined: not there now. */
  readonly values: Float32Array | undefined;
}

/** An owner and a vector space: the key of a cached copy. */
export interface OwnerSpace {
  readonly instanceNumber: bigint;
  readonly ownerNo: number;
  readonly space: VectorSpace;
}

/**
 * Reads the changes that a cached owner is kept up with. Each answer is of one moment, and tells which: several processes
 * write. Whatever changes in a row that searches read, its vector is written with it, which is how it is found here.
 */
export interface VectorSource {
  /** The vectors that were added or changed after `after`, in the order of the changes, at most `limit`. Null: the owner is gone. */
  changed(of: OwnerSpace, after: bigint, limit: number): Promise<(OwnerSnapshot & { rows: StoredVector[] }) | null>;
  /** Counts the memories of an owner; null when the owner is gone. */
  held(of: OwnerSpace): Promise<(OwnerSnapshot & { count: number }) | null>;
}

/** Reads changed memories with their rows and words, which may be newer than the vectors: these are read again next time. */
export interface OwnerSource extends Pick<VectorSource, 'held'> {
  changed(of: OwnerSpace, after: bigint, limit: number): Promise<(OwnerSnapshot & ChangedMemories) | null>;
}

export interface ChangedMemories {
  readonly memories: StoredMemory[];
  /** The number to go on from. */
  readonly last: bigint;
  /** This was the last page. */
  readonly isEnd: boolean;
  /** Some memories had been removed again before their rows were read. */
  readonly isPartial: boolean;
}

/** Memories whose vectors stand in the same database, and are written with whatever changes in them. */
export const memorySourceWithVectors = (db: Db, vectors: VectorSource): OwnerSource => ({
  held: (of) => vectors.held(of),
  async changed(of, after, limit) {
    const read = await vectors.changed(of, after, limit);
    if (!read) return null;
    const { rows: changes, ...then } = read;
    const values = new Map(changes.map((each) => [each.memoryId, each.values]));
    return { ...then, ...(await readChanged(db, of, { changes, after, limit, values })) };
  },
});

/** Memories whose vectors are in a store beyond a network; what it lacks now is read once it was put. */
export const ownerSourceWithExternalVectors = (db: Db, vectors: Pick<ExternalVectors, 'read'>): OwnerSource => ({
  held: (of) => countSearchableMemories(db, of),
  async changed(of, after, limit) {
    const read = await readChanges(db, of, { after, limit });
    if (!read) return null;
    const { changes, ...then } = read;
    const values = await vectors.read({ instance: instanceIdOf(of.instanceNumber) }, of.space, idsOf(changes)); // first: it may be away
    return { ...then, ...(await readChanged(db, of, { changes, after, limit, values })) };
  },
});

interface Change {
  readonly memoryId: string;
  readonly change: bigint;
}

const idsOf = (changes: readonly Change[]) => changes.map(({ memoryId }) => memoryId);

/** The memories of the changes. */
async function readChanged(
  db: Db,
  of: OwnerSpace,
  {
    changes,
    after,
    limit,
    values,
  }: { changes: readonly Change[]; after: bigint; limit: number; values: ReadonlyMap<string, Float32Array> },
): Promise<ChangedMemories> {
  const ids = idsOf(changes);
  const [rows, terms] = await Promise.all([readSealedCandidates(db, of, ids), readTerms(db, of, ids)]);
  const memories = ids.flatMap((id) => {
    const row = rows.get(id);
    return row ? [{ row, terms: terms.get(id), values: values.get(id) }] : [];
  });
  const isPartial = memories.length < ids.length;
  return { memories, last: changes.at(-1)?.change ?? after, isEnd: changes.length < limit, isPartial };
}
