import type { Signal } from '../../../domain/anticipation/anticipation.ts';

/** Signals that wait for their session; of more than this the oldest words are dropped. */
const waitingAtMost = 100;

/** The signals of one conversation, as they come over a connection that it shares with others. */
export class SignalQueue {
  readonly #waiting: Signal[] = [];
  /** A person spoke last, and not the agent. */
  isAsked = false;
  #isOver = false;
  #wake: (() => void) | undefined;

  push(signal: Signal): void {
    if (this.#isOver) return;
    if (this.#waiting.length >= waitingAtMost) this.#waiting.splice(1, 1); // the first may begin the session
    this.#waiting.push(signal);
    this.#wake?.();
  }

  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  async *signals(): AsyncGenerator<Signal, void, undefined> {
    while (true) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
