/**
 * Vectors in Postgres' binary formats. As text, 896 numbers are 10 KB that the server parses: a binary array is stored
 * some forty times as fast on the embedded Postgres.
 */

/** One vector, as pgvector's `vector_recv` reads it: dimensions, a reserved word, then the numbers; all big-endian. */
export function vectorBytes(values: Float32Array): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(4 + values.length * 4);
  bytes.writeInt16BE(values.length, 0);
  for (let n = 0; n < values.length; n++) {
    const value = values[n]!;
    if (!Number.isFinite(value)) throw new Error(`number ${n} of a vector is ${value}`);
    bytes.writeFloatBE(value, 4 + 4 * n);
  }
  return bytes;
}

/** A one-dimensional array of vectors of this length, as Postgres' `array_recv` reads it. Throws on another length. */
export function vectorArrayBytes(
  vectors: readonly Float32Array[],
  elementType: number,
  dimensions: number,
): Buffer<ArrayBuffer> {
  const other = vectors.find((values) => values.length !== dimensions);
  if (other) throw new Error(`a vector has ${other.length} numbers, not ${dimensions}`);
  const header = Buffer.alloc(20);
  header.writeInt32BE(1, 0); // dimensions
  header.writeInt32BE(0, 4); // no nulls
  header.writeInt32BE(elementType, 8);
  header.writeInt32BE(vectors.length, 12);
  header.writeInt32BE(1, 16); // lower bound
  const parts = vectors.flatMap((values) => {
    const bytes = vectorBytes(values);
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat([header, ...parts]);
}

/** Decodes the bytes that `vectorBytes` wrote, in the format of `vector_send`. */
export function parseVectorBytes(bytes: Uint8Array): Float32Array {
  const values = Buffer.from(bytes.slice(4).buffer).swap32();
  return new Float32Array(values.buffer, values.byteOffset, values.length / 4);
}
