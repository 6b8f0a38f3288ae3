/** In four sums, since an addition waits for the one before it; what is left over of four comes last. */
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
