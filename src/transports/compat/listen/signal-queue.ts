import type { Signal } from '../../../domain/anticipation/stream-messages.ts';

/** Signals that wait for their session; of more than this the oldest words are dropped. */
const waitingAtMost = 100;

/** Told once the session has done what is to be done about a signal, such as to keep a message; or that it never will. */
type Settle = (isDone: boolean) => void;

interface Waiting {
  readonly signal: Signal;
  readonly settle: Settle;
}

/** The signals of one conversation, as they come over a connection that it shares with others. */
export class SignalQueue {
  /** The first is what the session works on, until it asks for the next one. */
  readonly #waiting: Waiting[] = [];
  /** A person spoke last, and not the agent. */
  isAsked = false;
  #isOver = false;
  #wake: (() => void) | undefined;

  push(signal: Signal, settle: Settle = () => undefined): void {
    if (this.#isOver) return settle(false);
    if (this.#waiting.length >= waitingAtMost) this.#waiting.splice(1, 1)[0]!.settle(false);
    this.#waiting.push({ signal, settle });
    this.#wake?.();
  }

  /** The session takes what waits, and ends. */
  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  /**
   * The session has ended, and takes nothing more. `isFirstDone`: it has done with what it worked on; where that was its
   * beginning, with all of it.
   */
  close(isFirstDone: boolean): void {
    const isNeverBegun = this.#waiting[0]?.signal.kind === 'session-start';
    this.end();
    for (const [n, { settle }] of this.#waiting.splice(0).entries()) settle(isFirstDone && (n === 0 || isNeverBegun));
  }

  async *signals(): AsyncGenerator<Signal, void, undefined> {
    while (true) {
      const next = this.#waiting[0];
      if (next) {
        yield next.signal;
        this.#waiting.shift();
        next.settle(true);
      } else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
