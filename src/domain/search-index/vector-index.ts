import type { Tx } from '../../db/database.ts';
import type { MemoryType } from '../memory-types.ts';
import type { Provenance } from '../extraction/provenance.ts';
import type { Access, NarrowedAccess } from '../tenancy/access.ts';
import type { VectorScore } from '../vectors/similarity.ts';
import type { VectorSpace } from '../vectors/vector-recipe.ts';

/** The vector of one memory, made by `documentVector`, with what a search filters by. No text. */
export interface MemoryVector {
  readonly memoryId: string;
  readonly ownerNo: number;
  readonly type: MemoryType;
  readonly validity: VectorValidity;
  readonly values: Float32Array;
  /** False: the model was not there, and the numbers of meaning are zeros until it is. */
  readonly isComplete: boolean;
}

/** The interval in which a memory holds; `until` null: still. */
export interface VectorValidity {
  readonly from: Date;
  readonly until: Date | null;
}

/** A query as a vector, made by `queryVector`: it is compared with those of its own space and no others. */
export interface QueryVector {
  readonly space: VectorSpace;
  readonly values: Float32Array;
}

export interface VectorSearch {
  readonly vector: QueryVector;
  readonly limit: number;
  readonly types?: readonly MemoryType[] | undefined;
  /** Only memories of these provenances, as the rows have it. */
  readonly provenance?: readonly Provenance[] | undefined;
  /** Search what held at this time instead of what holds now. */
  readonly asOf?: Date | undefined;
  /** A search for a document that is stored, and not for a reader: the cache answers it, and loads no owner for it. */
  readonly doesNotFillCache?: boolean | undefined;
}

/** Vectors that were made for one space, to be stored while it serves. */
export interface ComputedVectors {
  readonly space: VectorSpace;
  readonly vectors: readonly MemoryVector[];
}

/** Vectors that `prepare` made ready to be stored. The rest is the index's own. */
export interface PreparedVectors extends ComputedVectors {
  readonly mark: string | null;
  /** The index was unavailable: they are made again and put once it is back. */
  readonly isDeferred: boolean;
}

/** A vector as the index holds it, without its numbers. */
export type IndexedVector = Pick<MemoryVector, 'memoryId' | 'ownerNo' | 'validity'>;

/**
 * Finds memories near a vector. Rows decide what exists and when it holds; the index only suggests, and holds ids and
 * numbers only. It may live in the database of the rows or beyond a network: what takes a `tx` is only statements in
 * it, and nothing else may be called inside a transaction. All that goes over a network throws `unavailable`.
 */
export interface VectorIndex extends VectorReads, VectorWrites, VectorMaintenance {}

export interface VectorReads {
  /** Best first, only of the owners that `access` may read. */
  nearest(access: NarrowedAccess, search: VectorSearch): Promise<VectorScore[]>;
  /** The scores of these memories, as far as `access` may read them. */
  score(access: NarrowedAccess, vector: QueryVector, memoryIds: readonly string[]): Promise<VectorScore[]>;
}

/** Call order: `prepare` before the transaction, every other method inside it, and `applyPending` after the commit. */
export interface VectorWrites {
  /**
   * Outside of any transaction, before that of the rows: puts vectors where nobody sees them without their rows. Throws
   * on a vector of another length or with a number that is none. `allowDeferred`: what happens must not wait for an
   * index that is unavailable.
   */
  prepare(
    access: Access,
    made: ComputedVectors,
    options?: { readonly allowDeferred: boolean },
  ): Promise<PreparedVectors>;
  /**
   * Adds or replaces in this space; a memory may have a vector in each of several. What searches compare changes with
   * the revision of its owner, raised before in the same transaction: copies are kept by it. To be called before what
   * changes or removes the same memories. False: they were prepared too long ago, decide again.
   */
  put(tx: Tx, access: Access, prepared: PreparedVectors): Promise<boolean>;
  /** Says until when memories hold, in every space. */
  setValidity(tx: Tx, access: Access, memoryIds: readonly string[], until: Date | null): Promise<void>;
  /** The rows of these memories tell of another provenance: whatever holds a copy of it is to read it again. */
  refreshProvenance(tx: Tx, access: Access, memoryIds: readonly string[]): Promise<void>;
  /** Removes vectors from every space, or from one; returns how many went at once. */
  remove(tx: Tx, access: Access, memoryIds: readonly string[], space?: VectorSpace): Promise<number>;
  /**
   * Does what a committed transaction left to be done for these memories; returns how many vectors went by it. Where it
   * is not called, or fails, a job does it.
   */
  applyPending(access: Access, memoryIds: readonly string[]): Promise<number>;
}

export interface VectorMaintenance {
  /** The index can come to differ from the rows: it is compared with them from time to time. */
  readonly needsReconciliation: boolean;
  /** Does all that is left to be done; how long to wait for what is not due yet, or null when nothing is. */
  applyAllPending(access: Access): Promise<number | null>;
  /** Counts the vectors of these memories, in all spaces. */
  count(access: Access, memoryIds: readonly string[]): Promise<number>;
  /** Finds those of the memories that have no complete vector in the space. */
  findMissing(access: Access, space: VectorSpace, memoryIds: readonly string[]): Promise<string[]>;
  /** Counts the complete vectors of the space. */
  size(access: Access, space: VectorSpace): Promise<number>;
  /** Whether a space that had `count` complete vectors a moment ago lost none by what was committed since. */
  isStillComplete(tx: Tx, access: Access, space: VectorSpace, count: number): Promise<boolean>;
  /** Pages through the vectors of a space, in the order of the memories' ids, behind `after`. */
  page(access: Access, space: VectorSpace, after: string | null, limit: number): Promise<IndexedVector[]>;
  /** Removes vectors of the instance that are in none of the `kept` spaces, at most `limit`; returns how many went. */
  clear(
    access: Pick<Access, 'instanceNumber' | 'instance'>,
    kept: readonly VectorSpace[],
    limit: number,
  ): Promise<number>;
  /** Removes all that is held of the instance. */
  dropInstance(access: Pick<Access, 'instanceNumber' | 'instance'>): Promise<void>;
}
