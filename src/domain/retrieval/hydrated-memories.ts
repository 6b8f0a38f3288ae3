import { LRUCache } from 'lru-cache';
import type { Tx } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import { readMemories, type PlacedMemory } from '../memories/read.ts';
import { tellAll, type OwnedAccess } from '../tenancy/access.ts';
import { markOf } from '../tenancy/store.ts';

interface Known {
  readonly i: bigint;
  readonly memory: PlacedMemory;
}

/** Of all of them together, as they stand in memory, about. */
const bytesAtMost = 64 << 20;
const [emptyBytes, bytesOfText] = [1_500, 2];
/** How late it is noticed that another process counted an access: no revision tells of that. */
const keptMs = 60_000;

/**
 * Memories as they are shown, kept while nothing changed that their reader may see: while somebody types, and asks about
 * one thing, the same ones are shown again and again, and to read one with its evidence and entities takes longest of all
 * that a search reads.
 */
export class HydratedMemories {
  readonly #known = new LRUCache<string, Known>({
    maxSize: bytesAtMost,
    sizeCalculation: ({ memory: { content, evidence, metadata } }) =>
      emptyBytes +
      bytesOfText * evidence.reduce((sum, { quote }) => sum + quote.length, content.length) +
      bytesOfText * (metadata ? JSON.stringify(metadata).length : 0),
    ttl: keptMs,
    ttlAutopurge: true,
  });

  /** As `readMemories`. */
  async read(
    tx: Tx,
    access: OwnedAccess,
    configuration: Configuration,
    ids: readonly string[],
  ): Promise<PlacedMemory[]> {
    if (!tellAll(access.reads)) return readMemories(tx, access, configuration, ids);
    const { i } = access;
    const as = `${i}/${access.configurationVersion}/${markOf(access.reads)}`; // whatever they read, and as it is now
    const found = new Map(ids.map((id) => [id, this.#known.get(`${as}/${id}`)?.memory]));
    const unknown = ids.filter((id) => !found.get(id));
    for (const memory of await readMemories(tx, access, configuration, unknown)) {
      this.#known.set(`${as}/${memory.uuid}`, { i, memory });
      found.set(memory.uuid, memory);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** These were accessed, of which no revision tells. */
  accessed(memories: readonly { readonly i: bigint; readonly memoryId: string }[]): void {
    const accessed = new Set(memories.map(({ i, memoryId }) => `${i}/${memoryId}`));
    this.#drop(({ i, memory }) => accessed.has(`${i}/${memory.uuid}`));
  }

  /** What is forgotten leaves the memory of the process too. */
  forget(i: bigint, ownerNos: readonly number[]): void {
    this.#drop((known) => known.i === i && ownerNos.includes(known.memory.ownerNo));
  }

  #drop(isDropped: (known: Known) => boolean): void {
    for (const [key, known] of this.#known.entries()) if (isDropped(known)) this.#known.delete(key);
  }
}
