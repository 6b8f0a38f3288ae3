import type { Signal, Update } from '../../../src/domain/anticipation/stream-messages.ts';

/** What a run counts. */
export interface Counts {
  bundles: number;
  withdrawals: number;
  prevented: number;
  acknowledged: number;
  revoked: number;
  hung: number;
  staleServes: number;
  /** A change was acknowledged, and the next update to a stream that shows it was not its withdrawal. */
  lateWithdrawals: number;
}

/** When what was acknowledged: numbers that only rise. */
export interface Ledger {
  now: number;
  readonly ended: Map<string, number>;
}

/** Somebody who reads a stream, and never forgives. */
export class Reader {
  readonly #ledger: Ledger;
  readonly #counts: Counts;
  readonly #said: Signal[] = [];
  #heard: (() => void) | undefined;
  #hasHungUp = false;
  #resume: (() => void) | undefined;
  #isAway = false;
  held = new Set<string>();
  /** Withdrawals that must come before anything else. */
  readonly owed = new Set<string>();
  /** When the last check before an update began. */
  checkedAt = 0;
  endedWith: unknown;
  isOver = false;

  constructor(ledger: Ledger, counts: Counts) {
    this.#ledger = ledger;
    this.#counts = counts;
  }

  say(...signals: Signal[]): void {
    this.#said.push(...signals);
    this.#heard?.();
  }

  hangUp(): void {
    this.#hasHungUp = true;
    this.#heard?.();
    this.comeBack();
  }

  /** Takes nothing until `comeBack`. */
  goAway(): void {
    this.#isAway = true;
  }

  comeBack(): void {
    this.#isAway = false;
    this.#resume?.();
  }

  async *signals(): AsyncGenerator<Signal, void, undefined> {
    for (;;) {
      const signal = this.#said.shift();
      if (signal) yield signal;
      else if (this.#hasHungUp) return;
      else await new Promise<void>((resolve) => (this.#heard = resolve));
    }
  }

  async read(updates: AsyncIterable<Update>): Promise<void> {
    try {
      for await (const update of updates) {
        this.#take(update);
        if (this.#isAway) await new Promise<void>((resolve) => (this.#resume = resolve));
      }
    } catch (error) {
      this.endedWith = error;
    }
    this.isOver = true;
  }

  #take(update: Update): void {
    if (this.owed.size) {
      const withdrawn = new Set(update.kind === 'withdrawal' ? update.memoryIds : []);
      if (![...this.owed].every((id) => withdrawn.has(id))) this.#counts.lateWithdrawals += 1;
      this.owed.clear();
    }
    if (update.kind === 'withdrawal') {
      this.#counts.withdrawals += 1;
      for (const id of update.memoryIds) this.held.delete(id);
    }
    if (update.kind !== 'bundle') return;
    this.#counts.bundles += 1;
    this.held = new Set(update.memories.map(({ id }) => id));
    const isStale = [...this.held].some((id) => (this.#ledger.ended.get(id) ?? Infinity) < this.checkedAt);
    if (isStale) this.#counts.staleServes += 1;
  }
}
