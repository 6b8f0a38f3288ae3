import type { Db } from '../../db/database.ts';
import { saveCalls, saveTokens, type Tokens } from './store.ts';

interface Accesses {
  readonly i: bigint;
  readonly memoryId: string;
  count: number;
  lastAt: Date;
}

/** Tables of other chapters, so what writes them is handed in. */
export interface Ledgers {
  saveAccesses(db: Db, accesses: readonly Accesses[]): Promise<unknown>;
  /** When users last called; the empty user stands for every call. */
  saveUserCalls(db: Db, calls: readonly { i: bigint; userId: string; at: Date }[]): Promise<unknown>;
  /** When keys were last used. */
  saveUses(db: Db, keyIds: readonly string[], at: Date): Promise<unknown>;
}

/**
 * Counts API calls, tokens and accesses to memories in memory and writes them together, so that no fetch waits for a write.
 * A process that is killed loses what it counted since the last flush: seconds, never a memory.
 */
export class Metering {
  readonly #db: Db;
  readonly #ledgers: Ledgers;
  #calls = new Map<bigint, number>();
  #tokens = new Map<bigint, Tokens>();
  #accesses = new Map<string, Accesses>();
  #keysUsed = new Set<string>();
  #userCalls = new Map<string, { i: bigint; userId: string; at: Date }>();

  constructor(db: Db, ledgers: Ledgers) {
    this.#db = db;
    this.#ledgers = ledgers;
  }

  countCall(i: bigint, keyId: string | null): void {
    if (keyId) this.#keysUsed.add(keyId);
    this.#calls.set(i, (this.#calls.get(i) ?? 0) + 1);
  }

  /** Tokens that a provider charges, by its own figures, whether its answer was of use or not. */
  countTokens(i: bigint, tokens: Partial<Tokens>): void {
    const known = this.#tokens.get(i);
    this.#tokens.set(i, {
      input: (known?.input ?? 0) + (tokens.input ?? 0),
      output: (known?.output ?? 0) + (tokens.output ?? 0),
      embedding: (known?.embedding ?? 0) + (tokens.embedding ?? 0),
    });
  }

  countAccesses(i: bigint, memoryIds: readonly string[], at: Date): void {
    for (const memoryId of memoryIds) {
      const known = this.#accesses.get(memoryId);
      if (known) {
        known.count += 1;
        known.lastAt = at;
      } else this.#accesses.set(memoryId, { i, memoryId, count: 1, lastAt: at });
    }
  }

  /** A call on behalf of this user, or of nobody. */
  countUserCall(i: bigint, userId: string | undefined, at: Date): void {
    for (const each of new Set(['', userId ?? ''])) this.#userCalls.set(`${i}/${each}`, { i, userId: each, at });
  }

  /** Writes what was counted. What could not be written is counted again next time. */
  async flush(at: Date): Promise<void> {
    const [calls, tokens, accesses, keysUsed] = [this.#calls, this.#tokens, this.#accesses, this.#keysUsed];
    this.#tokens = new Map();
    this.#keysUsed = new Set();
    this.#calls = new Map();
    this.#accesses = new Map();
    const userCalls = this.#userCalls;
    this.#userCalls = new Map();
    try {
      for (const [i, count] of calls) {
        await saveCalls(this.#db, i, count, at);
        calls.delete(i); // what is written is not counted again
      }
      for (const [i, used] of tokens) {
        await saveTokens(this.#db, i, used, at);
        tokens.delete(i);
      }
      if (keysUsed.size) await this.#ledgers.saveUses(this.#db, [...keysUsed], at);
      if (accesses.size) await this.#ledgers.saveAccesses(this.#db, [...accesses.values()]);
      accesses.clear();
      if (userCalls.size) await this.#ledgers.saveUserCalls(this.#db, [...userCalls.values()]);
    } catch (error) {
      for (const [i, count] of calls) this.#calls.set(i, (this.#calls.get(i) ?? 0) + count);
      for (const [i, used] of tokens) this.countTokens(i, used);
      for (const [key, call] of userCalls) if (!this.#userCalls.has(key)) this.#userCalls.set(key, call);
      for (const [id, access] of accesses) if (!this.#accesses.has(id)) this.#accesses.set(id, access);
      throw error;
    }
  }
}
