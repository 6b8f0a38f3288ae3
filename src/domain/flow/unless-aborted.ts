/** The result of `work`, or the signal's reason as soon as it aborts; `onAbort` then lets the work know. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, onAbort?: () => void): Promise<T> {
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const giveUp = (): void => {
      onAbort?.();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', giveUp, { once: true, signal: settled.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    settled.abort();
  }
}
