import { LRUCache } from 'lru-cache';
import type { Tx } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import { accessesKeptMs } from '../memories/access-counts.ts';
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
    ttl: accessesKeptMs,
    ttlAutopurge: true,
  });
  /** How often something was dropped: what was being read then is not kept. */
  #drops = 0;

  /** As `readMemories`: all of them as of one moment. */
  async read(
    tx: Tx,
    access: OwnedAccess,
    configuration: Configuration,
    ids: readonly string[],
  ): Promise<PlacedMemory[]> {
    if (!tellAll(access.reads)) return readMemories(tx, access, configuration, ids);
    const { i } = access;
    const as = `${i}/${access.configurationVersion}/${markOf(access.reads)}`; // whatever they read, and as it is now
    const known = ids.flatMap((id) => this.#known.get(`${as}/${id}`)?.memory ?? []);
    if (known.length === ids.length) return known;
    const drops = this.#drops;
    const memories = await readMemories(tx, access, configuration, ids);
    if (drops === this.#drops) for (const memory of memories) this.#known.set(`${as}/${memory.uuid}`, { i, memory });
    return memories;
  }

  /** These were accessed, of which no revision tells. */
  accessed(memories: readonly { readonly memoryId: string }[]): void {
    const accessed = new Set(memories.map(({ memoryId }) => memoryId));
    this.#drop(({ memory }) => accessed.has(memory.uuid));
  }

  /** What is forgotten leaves the memory of the process too. Without owners: all of the instance. */
  forget(i: bigint, ownerNos?: readonly number[]): void {
    this.#drop((known) => known.i === i && (!ownerNos || ownerNos.includes(known.memory.ownerNo)));
  }

  #drop(isDropped: (known: Known) => boolean): void {
    this.#drops += 1;
    for (const [key, known] of this.#known.entries()) if (isDropped(known)) this.#known.delete(key);
  }
}
