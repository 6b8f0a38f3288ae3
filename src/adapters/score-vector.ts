import { recipe } from '../domain/language/vector-recipe.ts';
import type { VectorScore } from '../domain/search-index/vector-index.ts';

/** How near a stored vector is to a query of its space. */
export function scorer(query: Float32Array): (memoryId: string, values: Float32Array) => VectorScore {
  const words = recipe.sketchDimensions;
  const meaning = query.subarray(words);
  const length = Math.sqrt(dot(meaning, meaning));
  return (memoryId, values) => {
    const other = values.subarray(words);
    const lengths = length * Math.sqrt(dot(other, other));
    return { memoryId, score: dot(values, query), cosine: lengths > 0 ? dot(other, meaning) / lengths : 0 };
  };
}

/** Best first; in the order of the ids where scores are equal. */
export const byScore = (one: VectorScore, other: VectorScore) =>
  other.score - one.score || (one.memoryId < other.memoryId ? -1 : 1);

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < one.length; n++) sum += one[n]! * other[n]!;
  return sum;
}
