import { recipe } from '../domain/language/vector-recipe.ts';
import { normalise } from '../domain/language/sketch.ts';
import type { VectorScore } from '../domain/search-index/vector-index.ts';

/** How near a stored vector is to a query of its space. */
export function scoreVector(memoryId: string, values: Float32Array, query: Float32Array): VectorScore {
  const words = recipe.sketchDimensions;
  return { memoryId, score: dot(values, query), cosine: cosine(values.subarray(words), query.subarray(words)) };
}

/** Best first; in the order of the ids where scores are equal. */
export const byScore = (one: VectorScore, other: VectorScore) =>
  other.score - one.score || (one.memoryId < other.memoryId ? -1 : 1);

const cosine = (one: Float32Array, other: Float32Array) => dot(normalise(one.slice()), normalise(other.slice()));

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < one.length; n++) sum += one[n]! * other[n]!;
  return sum;
}
