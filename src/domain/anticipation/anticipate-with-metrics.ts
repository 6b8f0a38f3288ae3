import { isHumanRole } from '../language/speaker.ts';
import type { Access } from '../tenancy/access.ts';
import { keepNewest } from './keep-newest.ts';
import { anticipate } from './anticipate.ts';
import type { AnticipationDependencies } from './dependencies.ts';
import type { HeldMemories } from './held-memories.ts';
import { observeStream, type StreamObserver } from './observe-stream.ts';
import type { Bundle, Signal, Update } from './stream-messages.ts';
import type { AnsweredSignal, StreamMetrics } from './stream-statistics.ts';

/** The dependencies of a stream whose predictions are measured; `learn` tells which of the memories counted. */
export interface StreamMetricsDependencies extends Omit<AnticipationDependencies, 'learn'> {
  readonly streamMetrics: StreamMetrics;
  readonly learn: (...args: Parameters<AnticipationDependencies['learn']>) => Promise<readonly string[]>;
  /** The memories that its agent holds. */
  readonly held: HeldMemories;
  readonly observers: readonly StreamObserver[];
}

/** Runs `anticipate` and measures its quality from its signals and updates alone. */
export async function* anticipateWithMetrics(
  deps: StreamMetricsDependencies,
  access: Access,
  signals: AsyncIterable<Signal>,
  signal: AbortSignal,
): AsyncGenerator<Update, void, undefined> {
  const stream = new StreamMetricsRecorder(deps.streamMetrics, access.instanceNumber, deps.held);
  const measured: AnticipationDependencies = {
    ...deps,
    predict: (...args) => stream.answering(() => deps.predict(...args)),
    learn: async (...args) => stream.used(await stream.learning(() => deps.learn(...args))),
    recheck: async (reader, before) => stream.rechecked(before, await deps.recheck(reader, before)),
    newBundleId: () => stream.named(deps.newBundleId()),
  };
  deps.streamMetrics.opened();
  try {
    // The held memories change last, so that the others see those that an update replaces.
    const observers = [stream, ...deps.observers, deps.held];
    yield* observeStream(signals, (heard) => anticipate(measured, access, heard, signal), observers);
  } finally {
    deps.streamMetrics.closed();
  }
}

/** A memory that this stream sent: when first, what it cost, whether it was needed since. */
interface SentMemory {
  readonly atMs: number;
  readonly tokens: number;
  isUseful: boolean;
}

/** A signal that asks for a bundle. */
interface PendingSignal {
  readonly signal: AnsweredSignal;
  readonly atMs: number;
}

/** The signal that a bundle responds to (the oldest one waiting), and the withdrawals sent when it was chosen. */
interface PendingBundle {
  readonly since: PendingSignal | undefined;
  readonly withdrawals: number;
}

/** Memories that a stream remembers to have sent and to have withdrawn, and bundles that it has yet to send. */
const [pushedAtMost, withdrawnAtMost, bundlesAtMost] = [5_000, 1_000, 8];

/** The signals and updates of one stream. Those of its session before it was resumed are not counted again. */
class StreamMetricsRecorder implements StreamObserver {
  readonly #metrics: StreamMetrics;
  readonly #instanceNumber: bigint;
  readonly #held: HeldMemories;
  readonly #pushed = new Map<string, SentMemory>();
  /** The memories that were held when the last human message was complete. */
  #heldAtLastUserMessage: { readonly memories: HeldMemories['since']; readonly atMs: number } | undefined;
  /** Reported since that message. */
  #used = new Set<string>();
  /** The oldest signal that no prediction took up, the one that is being answered, and by bundle those that were. */
  #waitingSince: PendingSignal | undefined;
  #answering: PendingBundle = { since: undefined, withdrawals: 0 };
  readonly #answered = new Map<string, PendingBundle>();
  /** The number of withdrawals that were sent, and the one with which each memory went. */
  #withdrawals = 0;
  readonly #withdrawn = new Map<string, number>();

  constructor(metrics: StreamMetrics, instanceNumber: bigint, held: HeldMemories) {
    this.#metrics = metrics;
    this.#instanceNumber = instanceNumber;
    this.#held = held;
    metrics.count(instanceNumber, 'streams');
  }

  heard(signal: Signal): void {
    const asking = askingFor(signal);
    if (asking) this.#waitingSince ??= { signal: asking, atMs: performance.now() };
    if (signal.kind === 'message' && isHumanRole(signal)) {
      this.#heldAtLastUserMessage = { memories: this.#held.since, atMs: performance.now() };
      this.#used = new Set();
    }
  }

  /** A prediction: it answers all that was heard until now. */
  answering<T>(predict: () => Promise<T>): Promise<T> {
    this.#answering = { since: this.#waitingSince, withdrawals: this.#withdrawals };
    this.#waitingSince = undefined;
    return predict();
  }

  /** Gives the latest prediction the id of its bundle. */
  named(bundleId: string): string {
    this.#answered.set(bundleId, this.#answering);
    keepNewest(this.#answered, bundlesAtMost); // the others were replaced before they left
    return bundleId;
  }

  /** Notes how much of a bundle is left after a change overtook it. */
  rechecked<Left extends { readonly memories: readonly unknown[] }>(before: Left, remaining: Left | null): Left | null {
    if (remaining)
      this.#metrics.count(this.#instanceNumber, 'stale_prevented', before.memories.length - remaining.memories.length);
    return remaining;
  }

  sending(update: Update): void {
    switch (update.kind) {
      case 'bundle':
        return this.#sentBundle(update);
      case 'withdrawal': {
        this.#metrics.count(this.#instanceNumber, 'withdrawals');
        return this.#sentWithdrawal(update.memoryIds);
      }
      case 'throttle':
        return this.#metrics.count(this.#instanceNumber, 'throttles');
      case 'summary':
      case 'pong':
    }
  }

  /** Counts a withdrawal of memories that this stream sent: a resumed session tells of withdrawals of long ago. */
  #sentWithdrawal(memoryIds: readonly string[]): void {
    this.#withdrawals += 1;
    for (const id of memoryIds) if (this.#held.since.has(id)) this.#withdrawn.set(id, this.#withdrawals);
    keepNewest(this.#withdrawn, withdrawnAtMost);
  }

  #sentBundle({ bundleId, memories }: Bundle): void {
    const nowMs = performance.now();
    this.#metrics.count(this.#instanceNumber, 'bundles');
    const { since, withdrawals } = this.#answered.get(bundleId) ?? { since: undefined, withdrawals: Infinity };
    if (since) {
      const ms = nowMs - since.atMs;
      this.#metrics.recordDuration(this.#instanceNumber, 'latency', ms);
      this.#metrics.recordSignal(this.#instanceNumber, since.signal, { ms, items: memories.length });
    }
    this.#answered.delete(bundleId);
    if (this.#withdrawals > withdrawals) {
      const stale = memories.filter(({ id }) => (this.#withdrawn.get(id) ?? 0) > withdrawals);
      // Whoever chose them did not know, nor did the last check.
      this.#metrics.count(this.#instanceNumber, 'stale_serves', stale.length);
    }
    for (const memory of memories) {
      if ('held' in memory || this.#held.since.has(memory.id)) continue; // as most of a bundle is
      if (this.#pushed.has(memory.id) || this.#pushed.size >= pushedAtMost) continue;
      const { tokens } = memory;
      this.#pushed.set(memory.id, { atMs: nowMs, tokens, isUseful: false });
      this.#metrics.count(this.#instanceNumber, 'pushed');
      this.#metrics.count(this.#instanceNumber, 'pushed_tokens', tokens);
    }
  }

  /** The use that was reported is being learned from. */
  async learning<T extends readonly string[]>(learn: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const used = await learn();
    this.#metrics.recordSignal(this.#instanceNumber, 'context_used', { ms: performance.now() - began, items: 0 });
    return used;
  }

  /** Memories that were of use for what people said last; each counts once for it. */
  used(memoryIds: readonly string[]): void {
    const before = this.#heldAtLastUserMessage ?? { memories: this.#held.since, atMs: performance.now() };
    for (const id of memoryIds) {
      if (this.#used.has(id)) continue;
      this.#used.add(id);
      const isUsedFromBundle = before.memories.has(id);
      const pushed = this.#pushed.get(id);
      this.#metrics.count(this.#instanceNumber, 'used');
      if (isUsedFromBundle) this.#metrics.count(this.#instanceNumber, 'used_from_bundle');
      if (isUsedFromBundle && pushed)
        this.#metrics.recordDuration(this.#instanceNumber, 'lead_time', before.atMs - pushed.atMs);
      if (!pushed || pushed.isUseful) continue;
      pushed.isUseful = true;
      this.#metrics.count(this.#instanceNumber, 'useful');
      this.#metrics.count(this.#instanceNumber, 'useful_tokens', pushed.tokens);
    }
  }
}

/** The signals that ask for a bundle, as they are named on the wire. */
const asking: Partial<Record<Signal['kind'], AnsweredSignal>> = {
  'session-start': 'session_start',
  message: 'message',
  'partial-message': 'partial_message',
  'tool-call': 'tool_call',
};

function askingFor(signal: Signal): AnsweredSignal | undefined {
  // An agent's words are heard when they are complete.
  return signal.kind === 'partial-message' && !isHumanRole(signal) ? undefined : asking[signal.kind];
}
