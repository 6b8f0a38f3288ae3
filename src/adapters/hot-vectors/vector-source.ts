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

/** The owner at the moment of a reading. */
export interface OwnerThen {
  readonly revision: bigint;
  readonly memoryCount: number;
}

/**
 * What a copy of an owner's vectors is kept up with. Each answer is of one moment, and tells which: several processes
 * write. Null: the owner is gone.
 */
export interface VectorSource {
  /** What was added or changed after `after`, in the order of the changes, at most `limit`. */
  changed(of: OwnerSpace, after: bigint, limit: number): Promise<(OwnerThen & { rows: StoredVector[] }) | null>;
  /** How many there are. */
  held(of: OwnerSpace): Promise<(OwnerThen & { count: number }) | null>;
}
