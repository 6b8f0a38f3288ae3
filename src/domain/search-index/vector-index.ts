import type { Tx } from '../../db/database.ts';
import type { MemoryType } from '../configurations/configuration.ts';
import type { Access, OwnedAccess } from '../tenancy/access.ts';
import type { VectorSpace } from './vector-space.ts';

/** The vector of one memory, made by `documentVector`, with what a search filters by. No text. */
export interface MemoryVector {
  readonly memoryId: string;
  readonly ownerNo: number;
  readonly type: MemoryType;
  readonly validity: Validity;
  readonly values: Float32Array;
  /** False: the model was not there, and the numbers of meaning are zeros until it is. */
  readonly isComplete: boolean;
}

/** When a memory holds: from, and until (null: still). `current` is false for what is superseded. */
export interface Validity {
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
  /** Search what held at this time instead of what holds now. */
  readonly asOf?: Date | undefined;
}

/** `score` is the dot product of the whole vectors; `cosine` is that of their parts of meaning, at length 1. */
export interface VectorScore {
  readonly memoryId: string;
  readonly score: number;
  readonly cosine: number;
}

/**
 * Finds memories near a vector. Rows decide what exists; the index only suggests, and holds ids and numbers only.
 * `tx` is for the index that keeps its vectors in the same database; any other leaves it alone.
 */
export interface VectorIndex {
  /** Whether `tx` carries its writes, so that they are made inside the transaction of the rows. */
  readonly inDatabase: boolean;
  /**
   * Adds or replaces in this space; a memory may have a vector in each of several. What searches compare changes with
   * the revision of its owner, raised before in the same transaction: copies are kept by it. Throws on a vector of
   * another length or with a number that is none.
   */
  put(tx: Tx, access: Access, space: VectorSpace, vectors: readonly MemoryVector[]): Promise<void>;
  /** Best first, only of the owners that `access` may read. */
  nearest(tx: Tx, access: OwnedAccess, search: VectorSearch): Promise<VectorScore[]>;
  /** The scores of these memories, as far as `access` may read them. */
  score(tx: Tx, access: OwnedAccess, vector: QueryVector, memoryIds: readonly string[]): Promise<VectorScore[]>;
  /** Says until when memories hold, in every space. */
  setValidity(tx: Tx, access: Access, memoryIds: readonly string[], until: Date | null): Promise<void>;
  /** How many vectors these memories have, in all spaces. */
  count(tx: Tx, access: Access, memoryIds: readonly string[]): Promise<number>;
  /** From every space, or from one; returns how many were there. */
  remove(tx: Tx, access: Access, memoryIds: readonly string[], space?: VectorSpace): Promise<number>;
  /** Which of these memories have no complete vector in the space. */
  lacking(tx: Tx, access: Access, space: VectorSpace, memoryIds: readonly string[]): Promise<string[]>;
  /** How many complete vectors the space has. */
  size(tx: Tx, access: Access, space: VectorSpace): Promise<number>;
  /** Removes vectors of the instance that are in none of the `kept` spaces, at most `limit`; returns how many went. */
  clear(tx: Tx, access: Access, kept: readonly VectorSpace[], limit: number): Promise<number>;
}
