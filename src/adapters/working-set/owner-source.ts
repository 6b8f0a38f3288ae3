import type { Db } from '../../db/database.ts';
import { readSealedCandidates, type SealedCandidate } from '../../domain/memories/candidate-store.ts';
import { countIndexed, readChanges } from '../../domain/memories/change-store.ts';
import { readTerms, type TermCounts } from '../../domain/search-index/store.ts';
import { instanceIdOf } from '../../domain/ids.ts';
import type { OutsideVectors } from '../../domain/search-index/outside-index.ts';
import type { VectorSpace } from '../../domain/search-index/vector-space.ts';

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

/** Whose memories, with vectors of which space. */
export interface OwnerSpace {
  readonly i: bigint;
  readonly ownerNo: number;
  readonly space: VectorSpace;
}

/** The owner at the moment of a reading. */
export interface OwnerThen {
  readonly revision: bigint;
  readonly memoryCount: number;
}

/**
 * What a copy of an owner's memories is kept up with. Each answer is of one moment, and tells which: several processes
 * write. Whatever changes in a row that searches read, its vector is written with it, which is how it is found here.
 */
export interface VectorSource {
  /** What was added or changed after `after`, in the order of the changes, at most `limit`. Null: the owner is gone. */
  changed(of: OwnerSpace, after: bigint, limit: number): Promise<(OwnerThen & { rows: StoredVector[] }) | null>;
  /** How many there are. Null: the owner is gone. */
  held(of: OwnerSpace): Promise<(OwnerThen & { count: number }) | null>;
}

/** The same with their rows and words, which may be newer than the vectors: what comes after is read again next time. */
export interface OwnerSource extends Pick<VectorSource, 'held'> {
  /** `last`: the number to go on from; `isEnd`: there is no more. */
  changed(
    of: OwnerSpace,
    after: bigint,
    limit: number,
  ): Promise<(OwnerThen & { memories: StoredMemory[]; last: bigint; isEnd: boolean }) | null>;
}

/** Memories with their vectors, which are written with whatever changes in them. */
export const memoriesOf = (db: Db, vectors: VectorSource): OwnerSource => ({
  held: (of) => vectors.held(of),
  async changed(of, after, limit) {
    const read = await vectors.changed(of, after, limit);
    if (!read) return null;
    const { rows: found, ...then } = read;
    const ids = found.map(({ memoryId }) => memoryId);
    const [rows, terms] = await Promise.all([readSealedCandidates(db, of, ids), readTerms(db, of, ids)]);
    const memories = found.flatMap((vector) => {
      const row = rows.get(vector.memoryId);
      return row ? [{ row, terms: terms.get(vector.memoryId), values: vector.values }] : []; // else removed in between
    });
    return { ...then, memories, last: found.at(-1)?.change ?? after, isEnd: found.length < limit };
  },
});

/** Memories whose vectors are in a store beyond a network; what it lacks now is read once it was put. */
export const memoriesWith = (db: Db, vectors: Pick<OutsideVectors, 'read'>): OwnerSource => ({
  held: (of) => countIndexed(db, of),
  async changed(of, after, limit) {
    const read = await readChanges(db, of, { after, limit });
    if (!read) return null;
    const { changed, ...then } = read;
    const ids = changed.map(({ id }) => id);
    const [rows, terms, values] = await Promise.all([
      readSealedCandidates(db, of, ids),
      readTerms(db, of, ids),
      vectors.read({ instance: instanceIdOf(of.i) }, of.space, ids),
    ]);
    const memories = changed.flatMap(({ id }) => {
      const row = rows.get(id);
      return row ? [{ row, terms: terms.get(id), values: values.get(id) }] : []; // else removed in between
    });
    return { ...then, memories, last: changed.at(-1)?.change ?? after, isEnd: changed.length < limit };
  },
});
