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

/** In four sums, since an addition waits for the one before it; what is left over of four comes last. */
export function dot(one: Float32Array, other: Float32Array): number {
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

const meaningOf = (values: Float32Array) => values.subarray(recipe.sketchDimensions);
