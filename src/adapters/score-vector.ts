import { dotProduct } from '../domain/language/dot-product.ts';
import { vectorRecipe } from '../domain/language/vector-recipe.ts';
import type { VectorScore } from '../domain/search-index/vector-index.ts';

/** How near a stored vector is to a query of its space. */
export function createVectorScorer(query: Float32Array): (memoryId: string, values: Float32Array) => VectorScore {
  const cosine = cosineSimilarityTo(query);
  return (memoryId, values) => ({ memoryId, score: dotProduct(values, query), cosine: cosine(values) });
}

/** The cosine of the parts of meaning; 0 without meaning. `length` is what `meaningNorm` says of the stored vector. */
export function cosineSimilarityTo(query: Float32Array): (values: Float32Array, length?: number) => number {
  const meaning = meaningOf(query);
  const ownLength = meaningNorm(query);
  return (values, length = meaningNorm(values)) => {
    const lengths = ownLength * length;
    return lengths > 0 ? dotProduct(meaningOf(values), meaning) / lengths : 0;
  };
}

/** How long the part of meaning is: weights and neighbours make it another than 1. */
export function meaningNorm(values: Float32Array): number {
  const meaning = meaningOf(values);
  return Math.sqrt(dotProduct(meaning, meaning));
}

/** Best first; in the order of the ids where scores are equal. */
export const byScoreDescending = (one: VectorScore, other: VectorScore) =>
  other.score - one.score || (one.memoryId < other.memoryId ? -1 : 1);

const meaningOf = (values: Float32Array) => values.subarray(vectorRecipe.sketchDimensions);
