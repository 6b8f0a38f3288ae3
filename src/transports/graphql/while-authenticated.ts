import type { GraphqlContext } from './context.ts';

/** A revoked key ends its subscriptions within this time, also while nothing happens. */
const lookEveryMs = 1_000;

/**
 * The events of a source for as long as its subscriber is there and their credential holds. Throws
 * `unauthenticated` once it does not. Ends the source with it.
 */
export function whileAuthenticated<T, R>(
  { ended, reauthenticate }: Pick<GraphqlContext, 'ended' | 'reauthenticate'>,
  open: (signal: AbortSignal) => AsyncIterable<T>,
  shape: (event: T) => R,
): AsyncIterableIterator<R> {
  const disconnected = new AbortController();
  const signal = AbortSignal.any([ended, disconnected.signal]);

  async function* events(): AsyncGenerator<R, void, undefined> {
    const source = open(signal)[Symbol.asyncIterator]();
    try {
      let next = settled(source.next());
      while (!signal.aborted) {
        const event = await firstOf(next, signal);
        if (signal.aborted) return;
        await reauthenticate();
        if (event === 'nothing yet') continue;
        if ('error' in event) throw event.error;
        if (event.done) return;
        yield shape(event.value);
        next = settled(source.next());
      }
    } finally {
      disconnected.abort();
      await source.return?.();
    }
  }

  const iterator = events();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => iterator.next(),
    // A generator would answer only after its next event, and that may never come.
    return() {
      disconnected.abort();
      return iterator.return();
    },
  };
}

/** The failure is returned as a value, since nobody may be waiting for the promise when it rejects. */
const settled = <T>(next: Promise<T>): Promise<T | { error: unknown }> => next.catch((error: unknown) => ({ error }));

async function firstOf<T>(next: Promise<T>, signal: AbortSignal): Promise<T | 'nothing yet'> {
  let wake!: () => void;
  const waited = new Promise<'nothing yet'>((resolve) => {
    wake = () => resolve('nothing yet');
  });
  const timer = setTimeout(wake, lookEveryMs);
  signal.addEventListener('abort', wake, { once: true });
  try {
    return await Promise.race([next, waited]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', wake);
  }
}
