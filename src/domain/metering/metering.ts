import type { Db } from '../../db/database.ts';
import { raisePeak, saveUsage } from './store.ts';

/** Tokens of a provider: read and written by a language model, read by an embedding model. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly embedding: number;
}

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
 * Counts API calls, tokens, what streams did and accesses to memories in memory and writes them together, so that no
 * fetch waits for a write.
 * A process that is killed loses what it counted since the last flush: seconds, never a memory.
 */
export class Metering {
  readonly #db: Db;
  readonly #ledgers: Ledgers;
  /** By instance and metric. */
  #usage = new Map<bigint, Map<string, number>>();
  #accesses = new Map<string, Accesses>();
  #keysUsed = new Set<string>();
  #userCalls = new Map<string, { i: bigint; userId: string; at: Date }>();

  constructor(db: Db, ledgers: Ledgers) {
    this.#db = db;
    this.#ledgers = ledgers;
  }

  /** Adds to a metric of the instance's day, as `usage` keeps it. */
  count(i: bigint, metric: string, count = 1): void {
    const counts = this.#usage.get(i) ?? new Map<string, number>();
    counts.set(metric, (counts.get(metric) ?? 0) + count);
    this.#usage.set(i, counts);
  }

  countCall(i: bigint, keyId: string | null): void {
    if (keyId) this.#keysUsed.add(keyId);
    this.count(i, 'api_calls');
  }

  /** Tokens that a provider charges, by its own figures, whether its answer was of use or not. */
  countTokens(i: bigint, { input = 0, output = 0, embedding = 0 }: Partial<Tokens>): void {
    this.count(i, 'llm_tokens_in', input);
    this.count(i, 'llm_tokens_out', output);
    this.count(i, 'embedding_tokens', embedding);
  }

  countAccesses(i: bigint, memoryIds: readonly string[], at: Date): void {
    for (const memoryId of memoryIds) this.#addAccesses({ i, memoryId, count: 1, lastAt: at });
  }

  /** A call on behalf of this user, or of nobody. */
  countUserCall(i: bigint, userId: string | undefined, at: Date): void {
    for (const each of new Set(['', userId ?? ''])) this.#userCalls.set(`${i}/${each}`, { i, userId: each, at });
  }

  /** Writes what was counted. What could not be written is counted again next time, with what came meanwhile. */
  async flush(at: Date): Promise<void> {
    const [usage, accesses, keysUsed] = [this.#usage, this.#accesses, this.#keysUsed];
    this.#usage = new Map();
    this.#keysUsed = new Set();
    this.#accesses = new Map();
    const userCalls = this.#userCalls;
    this.#userCalls = new Map();
    try {
      for (const [i, counts] of usage) {
        if (counts.has('api_calls')) await raisePeak(this.#db, i, at); // first: raised twice, it is the same
        await saveUsage(this.#db, i, counts, at);
        usage.delete(i); // what is written is not counted again
      }
      if (keysUsed.size) await this.#ledgers.saveUses(this.#db, [...keysUsed], at);
      keysUsed.clear();
      if (accesses.size) await this.#ledgers.saveAccesses(this.#db, [...accesses.values()]);
      accesses.clear();
      if (userCalls.size) await this.#ledgers.saveUserCalls(this.#db, [...userCalls.values()]);
    } catch (error) {
      for (const [i, counts] of usage) for (const [metric, count] of counts) this.count(i, metric, count);
      for (const id of keysUsed) this.#keysUsed.add(id);
      for (const each of accesses.values()) this.#addAccesses(each);
      for (const [key, call] of userCalls) if (!this.#userCalls.has(key)) this.#userCalls.set(key, call);
      throw error;
    }
  }

  #addAccesses({ i, memoryId, count, lastAt }: Readonly<Accesses>): void {
    const known = this.#accesses.get(memoryId);
    if (!known) this.#accesses.set(memoryId, { i, memoryId, count, lastAt });
    else {
      known.count += count;
      if (lastAt > known.lastAt) known.lastAt = lastAt;
    }
  }
}
