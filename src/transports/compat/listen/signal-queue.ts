import type { Signal } from '../../../domain/anticipation/stream-messages.ts';

/** Signals that wait for their session; of more than this the oldest words are dropped. */
const waitingAtMost = 100;

interface Waiting {
  readonly signal: Signal;
  readonly done: () => void;
}

/** The signals of one conversation, as they come over a connection that it shares with others. */
export class SignalQueue {
  readonly #waiting: Waiting[] = [];
  /** A person spoke last, and not the agent. */
  isAsked = false;
  #isOver = false;
  #wake: (() => void) | undefined;

  /**
   * Calls `done` when the session has done what is to be done about the signal, such as to keep a message, which it has
   * when it asks for the next one; or when it never will.
   */
  push(signal: Signal, done: () => void = () => undefined): void {
    if (this.#isOver) return done();
    if (this.#waiting.length >= waitingAtMost) this.#waiting.splice(1, 1)[0]!.done(); // the first may begin the session
    this.#waiting.push({ signal, done });
    this.#wake?.();
  }

  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  async *signals(): AsyncGenerator<Signal, void, undefined> {
    try {
      while (true) {
        const next = this.#waiting.shift();
        if (next) {
          try {
            yield next.signal;
          } finally {
            next.done();
          }
        } else if (this.#isOver) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#isOver = true; // nobody takes what would come now
      for (const { done } of this.#waiting.splice(0)) done();
    }
  }
}
