import { DomainError } from '../../domain/errors.ts';

/** How many large bodies are held at a time, and how many wait. */
export interface LargeBodyLimits {
  readonly atOnce: number;
  /** So many of those at once may be one sender's; the rest is left to others. */
  readonly ofSender: number;
  /** So many of one sender's wait; one more is refused at once. */
  readonly waiting: number;
  readonly waitMs: number;
}

const usual: LargeBodyLimits = { atOnce: 4, ofSender: 2, waiting: 16, waitMs: 30_000 };
const retryAfterSeconds = 5;

interface WaitingRequest {
  readonly sender: string;
  readonly begin: () => void;
}

/**
 * Holds a few large bodies at a time, each until its request is answered, so that memory is bounded by their number and
 * not by how many are sent. The others wait unread, which keeps them with their senders, first come first served; a
 * sender that holds its share waits until it gave one back. Small bodies never come here.
 */
export class LargeBodyLimiter {
  readonly #limits: LargeBodyLimits;
  readonly #held = new Map<string, number>();
  readonly #waiting = new Set<WaitingRequest>();
  #count = 0;

  constructor(limits: Partial<LargeBodyLimits> = {}) {
    this.#limits = { ...usual, ...limits };
  }

  /**
   * Resolves when the body may be read, with what gives its place back. Throws `rate_limited` where the sender's own
   * bodies are in the way, `unavailable` where others' are, and the reason of `left` when nobody sends it any more.
   */
  async enter(sender: string, disconnected: AbortSignal): Promise<() => void> {
    if (this.#isFree(sender)) this.#take(sender);
    else await this.#wait(sender, disconnected);
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack(sender);
      isHeld = false;
    };
  }

  #isFree(sender: string): boolean {
    return this.#count < this.#limits.atOnce && (this.#held.get(sender) ?? 0) < this.#limits.ofSender;
  }

  #take(sender: string): void {
    this.#count += 1;
    this.#held.set(sender, (this.#held.get(sender) ?? 0) + 1);
  }

  #giveBack(sender: string): void {
    this.#count -= 1;
    const held = this.#held.get(sender)! - 1;
    if (held > 0) this.#held.set(sender, held);
    else this.#held.delete(sender);
    for (const next of this.#waiting) if (this.#isFree(next.sender)) next.begin();
  }

  #wait(sender: string, disconnected: AbortSignal): Promise<void> {
    const own = [...this.#waiting].filter((each) => each.sender === sender).length;
    if (own >= this.#limits.waiting) throw this.#refusal(sender);
    disconnected.throwIfAborted();
    return new Promise((resolve, reject) => {
      const waiting: WaitingRequest = {
        sender,
        begin: () => {
          end();
          this.#take(sender);
          resolve();
        },
      };
      const giveUp = () => {
        end();
        reject(disconnected.aborted ? (disconnected.reason as Error) : this.#refusal(sender));
      };
      const timer = setTimeout(giveUp, this.#limits.waitMs);
      const end = () => {
        this.#waiting.delete(waiting);
        clearTimeout(timer);
        disconnected.removeEventListener('abort', giveUp);
      };
      disconnected.addEventListener('abort', giveUp);
      this.#waiting.add(waiting);
    });
  }

  #refusal(sender: string): DomainError {
    const details = { retry_after: retryAfterSeconds };
    if ((this.#held.get(sender) ?? 0) >= this.#limits.ofSender) {
      const message = `large bodies: ${this.#limits.ofSender} of yours are being worked on; send one after the other`;
      return new DomainError('rate_limited', message, { details });
    }
    return new DomainError('unavailable', 'too many large bodies are being worked on; try again', { details });
  }
}
