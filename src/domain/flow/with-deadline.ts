/** A time limit, and a signal that ends the work sooner. */
export interface Deadline {
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
  /** The reason that the work's signal has when the time is over. */
  readonly timeoutError?: () => Error;
}

/**
 * The result of `work`, whose signal is aborted with the caller's, for the same reason, and when the time is over. By
 * hand: Node 20 collects an `AbortSignal.any` or `.timeout` that nothing else holds, and the wait never ends.
 */
export async function withDeadline<T>(
  { ms, signal, timeoutError }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const stop = () => ending.abort(signal?.reason);
  const timer = setTimeout(() => ending.abort(timeoutError?.()), ms);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
