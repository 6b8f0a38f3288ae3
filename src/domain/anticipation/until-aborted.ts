/**
 * The same items, ended by the signal even while the source is silent. A listener for each item instead of one promise
 * raced with all of them: that promise would hold on to every item's race for as long as the stream lives.
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  while (true) {
    const next = await new Promise<IteratorResult<T, unknown>>((resolve, reject) => {
      const stop = () => resolve({ done: true, value: undefined });
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      void iterator
        .next()
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', stop));
    });
    if (next.done) return;
    yield next.value;
  }
}
