import { sumTokens } from '../language/count-tokens.ts';
import type { Bundle, Update, Withdrawal } from './stream-messages.ts';

/**
 * Updates that the reader of a stream has not taken yet: at most one withdrawal, one summary, the newest bundle, one
 * throttle notice and one pong, so that a slow reader is never buffered without bound. Bundles replace each other;
 * withdrawals are merged, and none is lost.
 */
export interface UpdateOutbox {
  readonly put: (update: Exclude<Update, Withdrawal>) => void;
  /** Whether one of this kind waits. */
  readonly has: (kind: Update['kind']) => boolean;
  /** Goes before a bundle that waits, which loses these memories too. `next` numbers the updates. */
  readonly withdraw: (memoryIds: readonly string[], next: () => number) => void;
  /** Nothing more will be put; what is here is still for the reader. */
  readonly finish: () => void;
  /** Ends in this error, at once: under a revoked key nothing that waits may still go out. */
  readonly fail: (error: unknown) => void;
  /** Nobody reads any more. */
  readonly close: () => void;
  readonly updates: () => AsyncGenerator<Update, void, undefined>;
}

const order: readonly Update['kind'][] = ['withdrawal', 'summary', 'bundle', 'throttle', 'pong'];

export function createUpdateOutbox(): UpdateOutbox {
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
    has: (kind) => waiting.has(kind),
    withdraw(memoryIds, next) {
      const before = waiting.get('withdrawal') as Withdrawal | undefined;
      const all = new Set([...(before?.memoryIds ?? []), ...memoryIds]);
      waiting.set('withdrawal', { kind: 'withdrawal', sequence: next(), memoryIds: [...all] });
      const bundle = waiting.get('bundle') as Bundle | undefined;
      // Not what earlier withdrawals named: the bundle is newer than they are, and may hold what came back since.
      if (bundle) waiting.set('bundle', { ...without(bundle, new Set(memoryIds)), sequence: next() });
      wake?.();
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
        } else if (end === 'finished') return;
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
