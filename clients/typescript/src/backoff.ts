/** Where time and chance come from; tests bring their own. */
export interface Clock {
  /** Resolves after so many milliseconds; rejects with its reason when the signal is aborted. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  /** 0 to 1. */
  random(): number;
}

export const systemClock: Clock = {
  random: Math.random,
  pause: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal!.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    }),
};

const [firstMs, longestMs] = [500, 8_000];
/** A service that asks for more patience than this is not waited for: whoever called is told. */
export const mostPatienceSeconds = 60;
const spreadMs = 500;

/**
 * How long to wait before the n-th retry, from 1: 0.5 s, and twice as long each time, up to 8 s, less up to a quarter by
 * chance, so that clients do not come back together. Never earlier than the service asked (`retryAfter`, in seconds).
 */
export function backoffMs(n: number, retryAfter: number | undefined, random: number): number {
  const own = Math.min(longestMs, firstMs * 2 ** (n - 1)) * (0.75 + 0.25 * random);
  return retryAfter === undefined ? own : Math.max(own, retryAfter * 1000 + spreadMs * random);
}
