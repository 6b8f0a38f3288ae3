import { sumTokens } from '../language/count-tokens.ts';
import type { Bundle, Update, Withdrawal } from './stream-messages.ts';

/**
 * The send buffer of one stream: the updates that its reader has not taken yet, at most one of each kind, so that a
 * slow reader is never buffered without bound. A newer bundle replaces the one that waits; withdrawals are merged, so
 * that none is lost.
 */
export interface CoalescingSendBuffer {
  readonly put: (update: Exclude<Update, Withdrawal>) => void;
  /** Adds a withdrawal, and takes its memories out of a bundle that waits. `next` numbers the updates. */
  readonly withdraw: (memoryIds: readonly string[], next: () => number) => void;
  /** Keeps `finish` waiting for `work`, which may put an update and must not reject. */
  readonly waitFor: (work: Promise<void>) => void;
  /** Ends the updates once the reader has taken those that wait, and those that pending work still puts. */
  readonly finish: () => void;
  /** Ends the updates with this error at once: under a revoked key nothing that waits may still be sent. */
  readonly fail: (error: unknown) => void;
  /** Ends the updates at once, since nobody reads any more. */
  readonly close: () => void;
  readonly updates: () => AsyncGenerator<Update, void, undefined>;
}

const order: readonly Update['kind'][] = ['withdrawal', 'summary', 'bundle', 'throttle', 'pong'];

export function createSendBuffer(): CoalescingSendBuffer {
  const waiting = new Map<Update['kind'], Update>();
  let end: 'finished' | 'closed' | { readonly error: unknown } | undefined;
  let pending = 0;
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
    withdraw(memoryIds, next) {
      const before = waiting.get('withdrawal') as Withdrawal | undefined;
      const all = new Set([...(before?.memoryIds ?? []), ...memoryIds]);
      waiting.set('withdrawal', { kind: 'withdrawal', sequence: next(), memoryIds: [...all] });
      const bundle = waiting.get('bundle') as Bundle | undefined;
      // Only these: the bundle was predicted after earlier withdrawals, and may hold a withdrawn memory that is valid
      // again.
      if (bundle) waiting.set('bundle', { ...without(bundle, new Set(memoryIds)), sequence: next() });
      wake?.();
    },
    waitFor(work) {
      pending += 1;
      void work.finally(() => {
        pending -= 1;
        wake?.();
      });
    },
    finish: () => endWith('finished'),
    fail: (error) => endWith({ error }),
    close: () => endWith('closed'),
    async *updates() {
      while (true) {
        if (end === 'closed') return;
        if (typeof end === 'object') throw end.error;
        const kind = order.find((each) => waiting.has(each));
        const update = kind && waiting.get(kind);
        if (update) {
          waiting.delete(update.kind);
          yield update;
        } else if (end === 'finished' && pending === 0) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

function without(bundle: Bundle, gone: ReadonlySet<string>): Bundle {
  // A memory is held only from when its bundle leaves.
  const lost = bundle.memories.flatMap((memory) => (gone.has(memory.id) && !('held' in memory) ? memory : []));
  return {
    ...bundle,
    memories: bundle.memories.filter(({ id }) => !gone.has(id)),
    totalTokens: bundle.totalTokens - sumTokens(lost),
  };
}
