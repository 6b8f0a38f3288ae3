import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import type { AccessCount, CountedAccesses } from './retention.ts';
import { readAccessCounts } from './standing-store.ts';

const memoriesAtMost = 100_000;
/** Accesses that another process counted may go unnoticed for this long. */
const accessesKeptMs = 60_000;

/** Caches the accesses of memories, which raise no revision. Streams ask for the same ones with every typed word. */
export class AccessCounts {
  readonly #known = new LRUCache<string, AccessCount | 'none'>({ max: memoriesAtMost, ttl: accessesKeptMs });
  /** Writes in progress and finished; a concurrent read may or may not include them. */
  #writing = 0;
  #written = 0;

  /** The counts of those of these memories that were ever returned or used. */
  async read(sql: Sql, { instanceNumber }: Access, ids: readonly string[]): Promise<Map<string, AccessCount>> {
    const counts = new Map(ids.map((id) => [id, this.#known.get(keyOf(instanceNumber, id))]));
    const unknown = ids.filter((id) => !counts.get(id));
    if (unknown.length) {
      const keep = this.keeping(instanceNumber);
      const read = await readAccessCounts(sql, instanceNumber, unknown);
      for (const id of unknown) {
        keep(id, read.get(id));
        counts.set(id, read.get(id));
      }
    }
    return new Map([...counts].flatMap(([id, count]) => (count && count !== 'none' ? [[id, count]] : [])));
  }

  /**
   * Call it before counts are read. Returns a function that caches each of them, unless counts were written meanwhile.
   */
  keeping(instanceNumber: bigint): (memoryId: string, count: AccessCount | undefined) => void {
    const [writing, written] = [this.#writing, this.#written];
    return (memoryId, count) => {
      if (writing + this.#writing === 0 && written === this.#written)
        this.#known.set(keyOf(instanceNumber, memoryId), count ?? 'none');
    };
  }

  /** Adds these to what is known while `write` adds them to what is stored. */
  async add(accesses: readonly CountedAccesses[], write: () => Promise<unknown>): Promise<void> {
    this.#writing += 1;
    try {
      await write();
      for (const access of accesses) this.#raise(access);
    } catch (error) {
      // Nobody knows whether they were written.
      for (const { instanceNumber, memoryId } of accesses) this.#known.delete(keyOf(instanceNumber, memoryId));
      throw error;
    } finally {
      this.#writing -= 1;
      this.#written += 1;
    }
  }

  /** Adds as `addAccesses` does, and keeps the sum no longer than the count before: another process may count, too. */
  #raise({ instanceNumber, memoryId, count, lastAt }: CountedAccesses): void {
    const existing = this.#known.get(keyOf(instanceNumber, memoryId));
    if (!existing) return;
    const raised =
      existing === 'none'
        ? { count, lastAt }
        : { count: existing.count + count, lastAt: later(existing.lastAt, lastAt) };
    this.#known.set(keyOf(instanceNumber, memoryId), raised, { noUpdateTTL: true });
  }
}

const keyOf = (instanceNumber: bigint, memoryId: string) => `${instanceNumber}/${memoryId}`;
const later = (one: Date, other: Date) => (other > one ? other : one);
