import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { readAccessCounts, type AccessCount } from './standing-store.ts';

const memoriesAtMost = 100_000;
/** How late it is noticed that another process counted an access: no revision tells of that. */
export const accessesKeptMs = 60_000;

/** Accesses to a memory, counted since the last were written. */
export interface CountedAccesses extends AccessCount {
  readonly i: bigint;
  readonly memoryId: string;
}

/** How often memories were accessed, of which a stream asks for the same ones with every word that is typed. */
export class AccessCounts {
  readonly #known = new LRUCache<string, AccessCount | 'none'>({ max: memoriesAtMost, ttl: accessesKeptMs });
  /** Writes that are under way, and that ended: what is read beside one may have it in it or not. */
  #writing = 0;
  #written = 0;

  /** Of these memories, those that were ever returned or used. */
  async read(sql: Sql, { i }: Access, ids: readonly string[]): Promise<Map<string, AccessCount>> {
    const counts = new Map(ids.map((id) => [id, this.#known.get(keyOf(i, id))]));
    const unknown = ids.filter((id) => !counts.get(id));
    const learn = this.learning(i);
    const read = await readAccessCounts(sql, i, unknown);
    for (const id of unknown) {
      const count = read.get(id);
      learn(id, count);
      counts.set(id, count);
    }
    return new Map([...counts].flatMap(([id, count]) => (count && count !== 'none' ? [[id, count]] : [])));
  }

  /** Called before counts are read, gives what to tell them to. */
  learning(i: bigint): (memoryId: string, count: AccessCount | undefined) => void {
    const [writing, written] = [this.#writing, this.#written];
    return (memoryId, count) => {
      if (writing + this.#writing === 0 && written === this.#written)
        this.#known.set(keyOf(i, memoryId), count ?? 'none');
    };
  }

  /** Adds these to what is known while `write` adds them to what is stored. */
  async add(accesses: readonly CountedAccesses[], write: () => Promise<unknown>): Promise<void> {
    this.#writing += 1;
    try {
      await write();
      for (const access of accesses) this.#raise(access);
    } catch (error) {
      for (const { i, memoryId } of accesses) this.#known.delete(keyOf(i, memoryId)); // written or not, who knows
      throw error;
    } finally {
      this.#writing -= 1;
      this.#written += 1;
    }
  }

  /** As `addAccesses` does; for no longer than without it, since another process may count too. */
  #raise({ i, memoryId, count, lastAt }: CountedAccesses): void {
    const known = this.#known.get(keyOf(i, memoryId));
    if (!known) return;
    const raised =
      known === 'none' ? { count, lastAt } : { count: known.count + count, lastAt: later(known.lastAt, lastAt) };
    this.#known.set(keyOf(i, memoryId), raised, { noUpdateTTL: true });
  }
}

const keyOf = (i: bigint, memoryId: string) => `${i}/${memoryId}`;
const later = (one: Date, other: Date) => (other > one ? other : one);
