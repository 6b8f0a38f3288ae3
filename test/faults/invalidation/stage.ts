import { setImmediate as nextRound } from 'node:timers/promises';
import type { Db } from '../../../src/db/database.ts';
import { withReplacedMembers } from '../../../src/db/direct-statements.ts';

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Lets one actor after the other take a step, in an order that chance chooses: a step is a statement (a transaction is
 * one, since nobody sees into it), or what somebody does with its answer.
 */
export class Stage {
  readonly #random: () => number;
  readonly #waiting: { actor: string; go: () => void }[] = [];
  /** They stand still. */
  readonly frozen = new Set<string>();
  #doing: Promise<unknown> | undefined;
  steps = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** The same database, for an actor who waits for its turn before each statement and again with its answer. */
  gate(db: Db, actor: string): Db {
    const gated =
      (run: (...given: never[]) => Promise<unknown>) =>
      async (...given: never[]): Promise<unknown> => {
        await this.#turn(actor);
        const result = run(...given);
        this.#doing = result.catch(() => undefined);
        try {
          return await result;
        } finally {
          await this.#turn(actor);
        }
      };
    // The three have overloads of their own, which do not matter to what only waits in front of them.
    type Run = (...given: never[]) => Promise<unknown>;
    const names = ['$queryRaw', '$executeRaw', '$transaction'] as const;
    return withReplacedMembers(
      db,
      Object.fromEntries(names.map((name) => [name, gated(db[name].bind(db) as unknown as Run)])),
    );
  }

  #turn(actor: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ actor, go: resolve }));
  }

  /** One step of somebody; false when nobody waits for a turn. */
  async step(): Promise<boolean> {
    await nextRound();
    const able = this.#waiting.filter(({ actor }) => !this.frozen.has(actor));
    const chosen = able[Math.floor(this.#random() * able.length)];
    if (!chosen) return false;
    this.#waiting.splice(this.#waiting.indexOf(chosen), 1);
    this.steps += 1;
    chosen.go();
    await nextRound();
    await this.#doing;
    this.#doing = undefined;
    return true;
  }
}
