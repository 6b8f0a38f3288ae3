import { isOfPeople } from '../conversations/conversation.ts';
import { countTokens } from '../language/count-tokens.ts';
import type { Access } from '../tenancy/access.ts';
import { anticipate } from './anticipate.ts';
import type { Anticipating } from './anticipating.ts';
import type { Bundle, Signal, Update } from './anticipation.ts';
import type { StreamTally } from './figures.ts';

/** What a stream that is watched needs; `learn` tells which of the memories counted. */
export interface Watched extends Omit<Anticipating, 'learn'> {
  readonly tally: StreamTally;
  readonly learn: (...args: Parameters<Anticipating['learn']>) => Promise<readonly string[]>;
}

/** `anticipate`, and how well it foresees: from outside, by what goes in and what comes out. */
export async function* anticipateWatched(
  d: Watched,
  access: Access,
  signals: AsyncIterable<Signal>,
  signal: AbortSignal,
): AsyncGenerator<Update, void, undefined> {
  const watch = new StreamWatch(d.tally, access.i);
  const watched: Anticipating = {
    ...d,
    predict: (...args) => watch.answering(() => d.predict(...args)),
    learn: async (...args) => watch.used(await d.learn(...args)),
    recheck: async (reader, before) => watch.rechecked(before, await d.recheck(reader, before)),
    newBundleId: () => watch.named(d.newBundleId()),
  };
  d.tally.opened();
  try {
    for await (const update of anticipate(watched, access, watch.heard(signals), signal)) {
      watch.sent(update);
      yield update;
    }
  } finally {
    d.tally.closed();
  }
}

/** A memory that this stream sent: when first, what it cost, whether it was needed since. */
interface Pushed {
  readonly atMs: number;
  readonly tokens: number;
  isUseful: boolean;
}

/** Memories that a stream remembers to have sent, and bundles that it has yet to send. */
const [pushedAtMost, bundlesAtMost] = [5_000, 8];

/** What one stream was told and sent. What a resumed session was sent before is not known here and not counted again. */
class StreamWatch {
  readonly #tally: StreamTally;
  readonly #i: bigint;
  readonly #pushed = new Map<string, Pushed>();
  /** The bundle that stands, and the one that stood when the last message of people was complete. */
  #standing: readonly string[] = [];
  #atHand: { readonly ids: readonly string[]; readonly atMs: number } | undefined;
  /** Reported since that message. */
  #needed = new Set<string>();
  /** The oldest signal that no prediction took up, the one that is being answered, and by bundle those that were. */
  #waitingSince: number | undefined;
  #answering: number | undefined;
  readonly #answered = new Map<string, number>();

  constructor(tally: StreamTally, i: bigint) {
    this.#tally = tally;
    this.#i = i;
    tally.count(i, 'streams');
  }

  async *heard(signals: AsyncIterable<Signal>): AsyncGenerator<Signal, void, undefined> {
    for await (const signal of signals) {
      if (wantsBundle(signal)) this.#waitingSince ??= performance.now();
      if (signal.kind === 'message' && isOfPeople(signal)) {
        this.#atHand = { ids: this.#standing, atMs: performance.now() };
        this.#needed = new Set();
      }
      yield signal;
    }
  }

  /** A prediction: it answers all that was heard until now. */
  answering<T>(predict: () => Promise<T>): Promise<T> {
    this.#answering = this.#waitingSince;
    this.#waitingSince = undefined;
    return predict();
  }

  /** What was predicted last becomes this bundle. */
  named(bundleId: string): string {
    if (this.#answering !== undefined) this.#answered.set(bundleId, this.#answering);
    for (const id of this.#answered.keys()) {
      if (this.#answered.size <= bundlesAtMost) break; // replaced before they left
      this.#answered.delete(id);
    }
    return bundleId;
  }

  /** What of a bundle is left that a change overtook. */
  rechecked<Left extends { readonly memories: readonly unknown[] }>(before: Left, left: Left | null): Left | null {
    if (left) this.#tally.count(this.#i, 'stale_prevented', before.memories.length - left.memories.length);
    return left;
  }

  sent(update: Update): void {
    switch (update.kind) {
      case 'bundle':
        return this.#sentBundle(update);
      case 'withdrawal': {
        this.#tally.count(this.#i, 'withdrawals');
        const gone = new Set(update.memoryIds);
        this.#standing = this.#standing.filter((id) => !gone.has(id));
        return;
      }
      case 'throttle':
        return this.#tally.count(this.#i, 'throttles');
      case 'pong':
    }
  }

  #sentBundle({ bundleId, memories }: Bundle): void {
    const nowMs = performance.now();
    this.#tally.count(this.#i, 'bundles');
    const since = this.#answered.get(bundleId);
    if (since !== undefined) this.#tally.took(this.#i, 'latency', nowMs - since);
    this.#answered.delete(bundleId);
    const stood = this.#standing;
    this.#standing = memories.map(({ id }) => id);
    for (const memory of memories) {
      if ('held' in memory || stood.includes(memory.id)) continue; // as most of a bundle is
      if (this.#pushed.has(memory.id) || this.#pushed.size >= pushedAtMost) continue;
      const tokens = countTokens(memory.content);
      this.#pushed.set(memory.id, { atMs: nowMs, tokens, isUseful: false });
      this.#tally.count(this.#i, 'pushed');
      this.#tally.count(this.#i, 'pushed_tokens', tokens);
    }
  }

  /** Memories that were of use for what people said last; each counts once for it. */
  used(memoryIds: readonly string[]): void {
    const atHand = this.#atHand ?? { ids: this.#standing, atMs: performance.now() };
    for (const id of memoryIds) {
      if (this.#needed.has(id)) continue;
      this.#needed.add(id);
      const isForeseen = atHand.ids.includes(id);
      const pushed = this.#pushed.get(id);
      this.#tally.count(this.#i, 'needed');
      if (isForeseen) this.#tally.count(this.#i, 'foreseen');
      if (isForeseen && pushed) this.#tally.took(this.#i, 'lead', atHand.atMs - pushed.atMs);
      if (!pushed || pushed.isUseful) continue;
      pushed.isUseful = true;
      this.#tally.count(this.#i, 'useful');
      this.#tally.count(this.#i, 'useful_tokens', pushed.tokens);
    }
  }
}

function wantsBundle(signal: Signal): boolean {
  if (signal.kind === 'partial-message') return isOfPeople(signal); // an agent's words are heard when complete
  return signal.kind === 'session-start' || signal.kind === 'message' || signal.kind === 'tool-call';
}
