/**
 * Passes the items of `source` on until the signal is aborted, even while the source is silent. One listener serves the
 * whole stream and ends whatever is waited for; racing each item with one promise would hold on to every race for as
 * long as the stream lives.
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let stop: (() => void) | undefined;
  const end = () => stop?.();
  signal.addEventListener('abort', end, { once: true });
  try {
    while (!signal.aborted) {
      const next = await new Promise<IteratorResult<T, unknown>>((resolve, reject) => {
        stop = () => resolve({ done: true, value: undefined });
        iterator.next().then(resolve, reject);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', end);
  }
}
