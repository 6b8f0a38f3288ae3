import type { MemoryType } from '../../domain/configurations/configuration.ts';
import type { Validity } from '../../domain/search-index/vector-index.ts';
import type { VectorSpace } from '../../domain/search-index/vector-space.ts';

/** A stored vector, as it was changed last. */
export interface StoredVector {
  readonly memoryId: string;
  readonly type: MemoryType;
  readonly validity: Validity;
  readonly values: Float32Array;
  /** Later changes of one owner's vectors have higher numbers. */
  readonly change: bigint;
}

/** Whose vectors, and of which space. */
export interface OwnerSpace {
  readonly i: bigint;
  readonly ownerNo: number;
  readonly space: VectorSpace;
}

/** What a copy of an owner's vectors is kept up with. */
export interface VectorSource {
  /** What was added or changed after `after`, in the order of the changes, at most `limit`. */
  changed(of: OwnerSpace, after: bigint, limit: number): Promise<StoredVector[]>;
  /** How many there are. */
  held(of: OwnerSpace): Promise<number>;
}
