import { Readable } from 'node:stream';

/**
 * JSON values a line (NDJSON), read only as fast as the caller takes them; a caller that hangs up ends the reading.
 * The first is read before this resolves, so that a refusal is still an answer and not a broken stream.
 */
export async function toJsonLines(values: AsyncIterable<unknown>): Promise<Readable> {
  const iterator = values[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* lines(): AsyncGenerator<string> {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield `${JSON.stringify(next.value)}\n`;
    } finally {
      await iterator.return?.();
    }
  }
  return Readable.from(lines());
}

/** Maps each value to its form on the wire. */
export async function* presentLines<T>(values: AsyncIterable<T>, present: (value: T) => unknown): AsyncGenerator {
  for await (const value of values) yield present(value);
}
