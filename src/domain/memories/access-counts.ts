import { LRUCache } from 'lru-cache';
import type { Tx } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { readAccessCounts, type AccessCount } from './standing-store.ts';

const memoriesAtMost = 100_000;
/** How late it is noticed that another process counted an access: no revision tells of that. */
export const accessesKeptMs = 60_000;

/** The counts that predictions weigh memories by, of which a stream asks for the same ones with every word that is typed. */
export class AccessCounts {
  readonly #known = new LRUCache<string, AccessCount | 'none'>({ max: memoriesAtMost, ttl: accessesKeptMs });

  /** Of these memories, those that were ever returned or used. */
  async read(tx: Tx, { i }: Access, ids: readonly string[]): Promise<Map<string, AccessCount>> {
    const counts = new Map(ids.map((id) => [id, this.#known.get(keyOf(i, id))]));
    const unknown = ids.filter((id) => !counts.get(id));
    const read = await readAccessCounts(tx, i, unknown);
    for (const id of unknown) {
      const count = read.get(id) ?? 'none';
      this.#known.set(keyOf(i, id), count);
      counts.set(id, count);
    }
    return new Map([...counts].flatMap(([id, count]) => (count && count !== 'none' ? [[id, count]] : [])));
  }

  /** These were accessed. */
  accessed(memories: readonly { readonly i: bigint; readonly memoryId: string }[]): void {
    for (const { i, memoryId } of memories) this.#known.delete(keyOf(i, memoryId));
  }
}

const keyOf = (i: bigint, memoryId: string) => `${i}/${memoryId}`;
