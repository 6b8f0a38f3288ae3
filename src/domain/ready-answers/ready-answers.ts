import { LRUCache } from 'lru-cache';
import type { ReadyAnswer } from './ready-answer.ts';

/** Of all answers together, as they stand in memory, about. */
const bytesAtMost = 64 << 20;
const [emptyBytes, bytesOfText] = [500, 2];

/** What one instance's conversation is answered, by what it asks and how. */
export interface Asked {
  readonly i: bigint;
  /** Its UUID. */
  readonly conversationId: string;
  /** See `keyOfManner`. */
  readonly manner: string;
  /** See `wordsOf`. */
  readonly words: string;
}

/** The answers that this process has ready, and those that it is making. */
export class ReadyAnswers {
  readonly #answers = new LRUCache<string, { i: bigint; answer: ReadyAnswer }>({
    maxSize: bytesAtMost,
    sizeCalculation: ({ answer: { memories, recent } }, key) =>
      emptyBytes + key.length + bytesOfText * JSON.stringify([memories, recent]).length,
  });
  readonly #making = new Map<string, Promise<ReadyAnswer | null>>();

  /** What is ready, or will be in a moment: whoever asks for what is being made waits for it. Null: nothing. */
  async find(asked: Asked, now: Date): Promise<ReadyAnswer | null> {
    const key = keyOf(asked);
    const known = this.#answers.get(key);
    if (!known) return (await this.#making.get(key)?.catch(() => null)) ?? null; // the store says what is wrong
    if (known.answer.expiresAt > now) return known.answer;
    this.#answers.delete(key);
    return null;
  }

  keep(asked: Asked, answer: ReadyAnswer): void {
    this.#answers.set(keyOf(asked), { i: asked.i, answer });
  }

  /** Makes an answer, unless it is being made; `make` gives null for one that is not to be kept. */
  make(asked: Asked, make: () => Promise<ReadyAnswer | null>): Promise<ReadyAnswer | null> {
    const key = keyOf(asked);
    const known = this.#making.get(key);
    if (known) return known;
    const making = make()
      .then((answer) => {
        if (answer) this.keep(asked, answer);
        return answer;
      })
      .finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  /** Drops an answer that holds no more, unless another has taken its place. */
  drop(asked: Asked, answer: ReadyAnswer): void {
    const key = keyOf(asked);
    if (this.#answers.peek(key)?.answer === answer) this.#answers.delete(key);
  }

  /** Takes all answers of those who read any of these owners out of memory; returns how many there were. */
  forget(i: bigint, ownerNos: readonly number[]): number {
    const gone = new Set(ownerNos);
    let count = 0;
    for (const [key, { i: of, answer }] of this.#answers.entries()) {
      const isTheirs = of === i && [...answer.revisions.keys()].some((ownerNo) => gone.has(ownerNo));
      if (isTheirs && this.#answers.delete(key)) count += 1;
    }
    return count;
  }

  get isMaking(): boolean {
    return this.#making.size > 0;
  }

  get size(): number {
    return this.#answers.size;
  }

  /** Takes what is over out of memory. */
  tidy(now: Date): void {
    for (const [key, { answer }] of this.#answers.entries()) if (answer.expiresAt <= now) this.#answers.delete(key);
  }
}

const keyOf = ({ i, conversationId, manner, words }: Asked) => `${i}/${conversationId}/${manner}/${words}`;
