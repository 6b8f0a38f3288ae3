import { Mutex } from 'async-mutex';
import type { Db } from '../../db/database.ts';
import { newUuid } from '../ids.ts';
import type { Operation, OperationOutcome } from './operations.ts';
import type { TokenCharge } from './purposes.ts';
import { OperationSampler } from './samples.ts';
import { raiseStoragePeaks, saveMeteringBatch, type MeteringBatch } from './metering-store.ts';
import { UsageCounts } from './usage-counts.ts';

interface Accesses {
  readonly instanceNumber: bigint;
  readonly memoryId: string;
  count: number;
  lastAt: Date;
}

/** Tables of other chapters, so what writes them is handed in. */
export interface UsageWriters {
  saveAccesses(db: Db, accesses: readonly Accesses[]): Promise<unknown>;
  /** Saves when users last called; the empty user stands for every call. */
  saveUserCalls(db: Db, calls: readonly { instanceNumber: bigint; userId: string; at: Date }[]): Promise<unknown>;
  /** Saves when keys were last used. */
  saveUses(db: Db, keyIds: readonly string[], at: Date): Promise<unknown>;
}

export interface MeteringDependencies {
  readonly db: Db;
  readonly usageWriters: UsageWriters;
  readonly now: () => Date;
}

/** Stands for no instance: calls of administrators that name none. */
export const noInstance = 0n;

/**
 * Counts in memory what is called, spent, measured and read, and writes it together, so that no call waits for a write.
 * Usage is written as numbered batches, each of which the database adds once, however often it is sent; a process that
 * is killed loses what it counted since its last write: usage of a second at most, never a memory. Peaks are raised
 * once a minute: what was held for less may be missing from them.
 */
export class Metering {
  readonly #deps: MeteringDependencies;
  readonly #writer = newUuid();
  /** Batches go one after the other. What else is kept may take long, and holds up none of them. */
  readonly #writing = new Mutex();
  readonly #savingPeaksAndLedgers = new Mutex();
  #usage = new UsageCounts();
  #samples = new OperationSampler();
  /** The batch that was sent, and perhaps written though no answer came: it is sent again unchanged. */
  #sent: MeteringBatch | undefined;
  #batches = 0;
  #grown = new Set<bigint>();
  #accesses = new Map<string, Accesses>();
  #keysUsed = new Set<string>();
  #userCalls = new Map<string, { instanceNumber: bigint; userId: string; at: Date }>();

  constructor(deps: MeteringDependencies) {
    this.#deps = deps;
  }

  /** Adds to a metric of the instance's day, as `usage` keeps it. */
  count(instanceNumber: bigint, metric: string, by = 1): void {
    this.#usage.count(instanceNumber, metric, { by, at: this.#deps.now() });
  }

  countCall(instanceNumber: bigint, keyId: string): void {
    this.#keysUsed.add(keyId);
    this.count(instanceNumber, 'api_calls');
  }

  /**
   * A call of an administrator: of the instance that it is about, or of `noInstance`. It is an API call like any other.
   * `within`: the client whose instances they reach; a call about another's is nobody's.
   */
  countAdminCall(instanceNumber: bigint, within?: string): void {
    const at = this.#deps.now();
    for (const metric of ['api_calls', 'admin_calls']) this.#usage.count(instanceNumber, metric, { by: 1, at, within });
  }

  countTokens(instanceNumber: bigint, tokens: TokenCharge): void {
    this.#usage.countTokens(instanceNumber, tokens, this.#deps.now());
  }

  /** Adds a call to the latencies and counts of an operation. */
  measure(instanceNumber: bigint, operation: Operation, outcome: OperationOutcome): void {
    this.#samples.add(instanceNumber, operation, outcome, this.#deps.now());
  }

  /** Memories were stored or removed: the instance may hold more than ever in this month, as `raisePeaks` finds. */
  noteStorage(instanceNumber: bigint): void {
    this.#grown.add(instanceNumber);
  }

  countAccesses(instanceNumber: bigint, memoryIds: readonly string[], at: Date): void {
    for (const memoryId of memoryIds) this.#addAccesses({ instanceNumber, memoryId, count: 1, lastAt: at });
  }

  /** A call on behalf of this user, or of nobody. */
  countUserCall(instanceNumber: bigint, userId: string | undefined, at: Date): void {
    for (const each of new Set(['', userId ?? '']))
      this.#userCalls.set(`${instanceNumber}/${each}`, { instanceNumber, userId: each, at });
  }

  /** Writes what was used, unless that is under way: for a timer, more often than `flush`. */
  async flushUsage(): Promise<void> {
    if (!this.#writing.isLocked()) await this.#writing.runExclusive(() => this.#saveBatch([]));
  }

  /** Writes all that was counted. What could not be written is written next time, with what came meanwhile. */
  async flush(at: Date): Promise<void> {
    await this.#writing.runExclusive(async () => {
      await this.#sendAgain(); // before samples are taken that would be lost with a second batch
      const samples = this.#samples.all;
      this.#samples = new OperationSampler();
      await this.#saveBatch(samples);
    });
    await this.#savingPeaksAndLedgers.runExclusive(() => this.#saveLedgers(at));
  }

  /**
   * Looks at what is held where memories came or went, and raises the peaks of the month. It adds up all owners of
   * these instances: for a timer, less often than `flush`.
   */
  raisePeaks(at: Date): Promise<void> {
    return this.#savingPeaksAndLedgers.runExclusive(() => this.#raisePeaks(at));
  }

  async #saveBatch(samples: MeteringBatch['samples']): Promise<void> {
    await this.#sendAgain();
    if (this.#usage.isEmpty && !samples.length) return;
    this.#batches += 1;
    const { metrics, tokens } = this.#usage;
    this.#usage = new UsageCounts();
    this.#sent = { writer: this.#writer, number: this.#batches, metrics, tokens, samples };
    await this.#sendAgain();
  }

  async #sendAgain(): Promise<void> {
    if (!this.#sent) return;
    await saveMeteringBatch(this.#deps.db, this.#sent, this.#deps.now());
    this.#sent = undefined;
  }

  async #raisePeaks(at: Date): Promise<void> {
    const grown = this.#grown;
    if (!grown.size) return;
    this.#grown = new Set();
    try {
      await raiseStoragePeaks(this.#deps.db, { instances: [...grown], at });
    } catch (error) {
      for (const instanceNumber of grown) this.#grown.add(instanceNumber); // raised twice, it is the same
      throw error;
    }
  }

  async #saveLedgers(at: Date): Promise<void> {
    const { db, usageWriters } = this.#deps;
    const [accesses, keysUsed, userCalls] = [this.#accesses, this.#keysUsed, this.#userCalls];
    this.#keysUsed = new Set();
    this.#accesses = new Map();
    this.#userCalls = new Map();
    try {
      if (keysUsed.size) await usageWriters.saveUses(db, [...keysUsed], at);
      keysUsed.clear(); // what is written is not written again
      if (accesses.size) await usageWriters.saveAccesses(db, [...accesses.values()]);
      accesses.clear();
      if (userCalls.size) await usageWriters.saveUserCalls(db, [...userCalls.values()]);
    } catch (error) {
      for (const id of keysUsed) this.#keysUsed.add(id);
      for (const each of accesses.values()) this.#addAccesses(each);
      for (const [key, call] of userCalls) if (!this.#userCalls.has(key)) this.#userCalls.set(key, call);
      throw error;
    }
  }

  #addAccesses({ instanceNumber, memoryId, count, lastAt }: Readonly<Accesses>): void {
    const existing = this.#accesses.get(memoryId);
    if (!existing) this.#accesses.set(memoryId, { instanceNumber, memoryId, count, lastAt });
    else {
      existing.count += count;
      if (lastAt > existing.lastAt) existing.lastAt = lastAt;
    }
  }
}
