import { readFile } from 'node:fs/promises';
import { dotProduct } from '../../domain/vectors/similarity.ts';
import { normaliseVector } from '../../domain/vectors/vector-recipe.ts';
import { embeddingDimensions } from './messages.ts';

/** Numbers of the smaller space that the change of a request's vector passes through. */
const rank = 64;

/** Moves the unit vector of a request to that of what answers it. */
export type RequestProjection = (meaning: Float32Array) => Float32Array;

/**
 * The projection in a file that `scripts/train/request_projection.py` made: `v + up · down · v + bias`, scaled to length 1.
 * The file holds `down` and `up`, each `rank` rows of `embeddingDimensions` numbers, then `bias`, all little-endian 32-bit
 * floats. Throws where it has another size.
 */
export async function readRequestProjection(file: string): Promise<RequestProjection> {
  const bytes = new Uint8Array(await readFile(file)); // a copy that begins at a multiple of four, as floats must
  const size = (2 * rank + 1) * embeddingDimensions;
  if (bytes.length !== 4 * size) throw new Error(`${file} has ${bytes.length} bytes and not ${4 * size}`);
  const weights = new Float32Array(bytes.buffer);
  const row = (n: number) => weights.subarray(n * embeddingDimensions, (n + 1) * embeddingDimensions);
  const down = Array.from({ length: rank }, (_, n) => row(n));
  const up = Array.from({ length: rank }, (_, n) => row(rank + n));
  return (meaning) => {
    const moved = row(2 * rank).slice();
    addScaled(moved, meaning, 1);
    for (const [n, direction] of down.entries()) addScaled(moved, up[n]!, dotProduct(direction, meaning));
    return normaliseVector(moved);
  };
}

function addScaled(sum: Float32Array, vector: Float32Array, scale: number): void {
  for (let at = 0; at < sum.length; at++) sum[at] = sum[at]! + scale * vector[at]!;
}
