/** Numbers in a sketch. A power of two: slots are cut from the bits of a hash. */
export const sketchDimensions = 512;

/** Saturation of repeated words, as BM25's k1: the second mention says less than the first. */
const saturation = 1.2;

/** A keyed, uniformly mixed 63-bit hash of a stem (HMAC): slots and signs are its low bits, taken as they are. */
export type TermHash = bigint;

/**
 * A signed-hash sketch (feature hashing, Weinberger et al. 2009; three slots a term, as in count sketches, so that one
 * collision does not cost the term: measured a point of recall better than one or two). Length 1, or all zeros for no terms. The dot product of two sketches estimates
 * the cosine of their word vectors.
 *
 * @param terms how often each term occurs
 * @param weightOf idf of a term (queries only: the counts of an owner change, stored sketches must not)
 */
export function termSketchOf(
  terms: ReadonlyMap<TermHash, number>,
  weightOf: (term: TermHash) => number = () => 1,
): Float32Array {
  const sketch = new Float32Array(sketchDimensions);
  for (const [term, count] of terms) {
    const weight = ((count * (saturation + 1)) / (count + saturation)) * weightOf(term);
    const bits = Number(term & 0x3fffffffn);
    add(sketch, bits & 0x3ff, weight);
    add(sketch, (bits >>> 10) & 0x3ff, weight);
    add(sketch, bits >>> 20, weight);
  }
  return normaliseVector(sketch);
}

/** `bits`: nine of slot, one of sign. */
function add(sketch: Float32Array, bits: number, weight: number): void {
  const slot = bits & 0x1ff;
  sketch[slot] = (sketch[slot] ?? 0) + (bits & 0x200 ? weight : -weight);
}

/** Scales to length 1 in place; all zeros stay. */
export function normaliseVector(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector;
  const factor = 1 / Math.sqrt(sum);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) * factor;
  return vector;
}
