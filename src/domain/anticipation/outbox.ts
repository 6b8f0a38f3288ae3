import type { Update } from './anticipation.ts';

/**
 * What the reader of a stream has not taken yet: never more than one pong and the newest bundle, so that a slow reader
 * is never buffered without bound.
 */
export interface Outbox {
  readonly put: (update: Update) => void;
  /** Nothing more will be put; what is here is still for the reader. */
  readonly finish: () => void;
  /** Ends in this error, at once: under a revoked key nothing that waits may still go out. */
  readonly fail: (error: unknown) => void;
  /** Nobody reads any more. */
  readonly close: () => void;
  readonly updates: () => AsyncGenerator<Update, void, undefined>;
}

export function createOutbox(): Outbox {
  const waiting = new Map<Update['kind'], Update>();
  let end: 'finished' | 'closed' | { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;

  /** The first end counts, except that a failure cuts short what was finishing. */
  function endWith(next: NonNullable<typeof end>) {
    if (end === undefined || end === 'finished') end = next;
    wake?.();
  }

  return {
    put(update) {
      waiting.set(update.kind, update);
      wake?.();
    },
    finish: () => endWith('finished'),
    fail: (error) => endWith({ error }),
    close: () => endWith('closed'),
    async *updates() {
      while (true) {
        if (end === 'closed') return;
        if (typeof end === 'object') throw end.error;
        const [update] = waiting.values();
        if (update) {
          waiting.delete(update.kind);
          yield update;
        } else if (end === 'finished') return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
