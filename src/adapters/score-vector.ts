import { dot } from '../domain/language/dot-product.ts';
import { recipe } from '../domain/language/vector-recipe.ts';
import type { VectorScore } from '../domain/search-index/vector-index.ts';

/** How near a stored vector is to a query of its space. */
export function scorer(query: Float32Array): (memoryId: string, values: Float32Array) => VectorScore {
  const cosine = cosineWith(query);
  return (memoryId, values) => ({ memoryId, score: dot(values, query), cosine: cosine(values) });
}

/** The cosine of the parts of meaning; 0 without meaning. `length` is what `meaningLength` says of the stored vector. */
export function cosineWith(query: Float32Array): (values: Float32Array, length?: number) => number {
  const meaning = meaningOf(query);
  const ownLength = meaningLength(query);
  return (values, length = meaningLength(values)) => {
    const lengths = ownLength * length;
    return lengths > 0 ? dot(meaningOf(values), meaning) / lengths : 0;
  };
}

/** How long the part of meaning is: weights and neighbours make it another than 1. */
export function meaningLength(values: Float32Array): number {
  const meaning = meaningOf(values);
  return Math.sqrt(dot(meaning, meaning));
}

/** Best first; in the order of the ids where scores are equal. */
export const byScore = (one: VectorScore, other: VectorScore) =>
  other.score - one.score || (one.memoryId < other.memoryId ? -1 : 1);

const meaningOf = (values: Float32Array) => values.subarray(recipe.sketchDimensions);
