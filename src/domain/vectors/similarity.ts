import { vectorRecipe } from './vector-recipe.ts';

/** `score` is the dot product of the whole vectors; `cosine` is that of their parts of meaning, at length 1. */
export interface VectorScore {
  readonly memoryId: string;
  readonly score: number;
  readonly cosine: number;
}

/** Sums in four accumulators, since an addition waits for the one before it; the remainder of four comes last. */
export function dotProduct(one: Float32Array, other: Float32Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  const whole = one.length - (one.length % 4);
  for (let n = 0; n < whole; n += 4) {
    first += one[n]! * other[n]!;
    second += one[n + 1]! * other[n + 1]!;
    third += one[n + 2]! * other[n + 2]!;
    fourth += one[n + 3]! * other[n + 3]!;
  }
  for (let n = whole; n < one.length; n++) first += one[n]! * other[n]!;
  return first + second + (third + fourth);
}

/** The cosine of two vectors; 0 where one of them is all zeros. */
export function cosineSimilarity(one: Float32Array, other: Float32Array): number {
  const lengths = Math.sqrt(dotProduct(one, one) * dotProduct(other, other));
  return lengths > 0 ? dotProduct(one, other) / lengths : 0;
}

/** Creates a function that scores how near a stored vector is to a query of its space. */
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

/** The norm of the part of meaning: weights and neighbours make it another than 1. */
export function meaningNorm(values: Float32Array): number {
  const meaning = meaningOf(values);
  return Math.sqrt(dotProduct(meaning, meaning));
}

/** Best first; in the order of the ids where scores are equal. */
export const byScoreDescending = (one: VectorScore, other: VectorScore) =>
  other.score - one.score || (one.memoryId < other.memoryId ? -1 : 1);

const meaningOf = (values: Float32Array) => values.subarray(vectorRecipe.sketchDimensions);
