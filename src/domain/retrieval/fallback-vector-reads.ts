import { hasErrorCode } from '../errors.ts';
import type { VectorReads } from '../search-index/vector-index.ts';

/** Vectors that answer nothing while their index is unavailable, and remember that they did not answer. */
export class FallbackVectorReads implements VectorReads {
  readonly #vectors: VectorReads;
  wasMissed = false;

  constructor(vectors: VectorReads) {
    this.#vectors = vectors;
  }

  nearest(...asked: Parameters<VectorReads['nearest']>) {
    return this.#orNothing(this.#vectors.nearest(...asked));
  }

  score(...asked: Parameters<VectorReads['score']>) {
    return this.#orNothing(this.#vectors.score(...asked));
  }

  async #orNothing<T>(answer: Promise<T[]>): Promise<T[]> {
    try {
      return await answer;
    } catch (error) {
      if (!hasErrorCode(error, 'unavailable')) throw error;
      this.wasMissed = true;
      return [];
    }
  }
}
