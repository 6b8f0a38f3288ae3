import { LRUCache } from 'lru-cache';
import type { Tx } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import type { AccessCounts } from '../memories/access-counts.ts';
import { lifeOf, readMemories, type PlacedMemory } from '../memories/read.ts';
import { tellAll, type OwnedAccess } from '../tenancy/access.ts';
import { markOf } from '../tenancy/store.ts';

interface Known {
  readonly i: bigint;
  readonly memory: PlacedMemory;
}

/** Of all of them together, as they stand in memory, about. */
const bytesAtMost = 64 << 20;
const keptMs = 60_000;
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
    ttl: keptMs,
    ttlAutopurge: true,
  });
  /** No revision tells of these. */
  readonly #accesses: AccessCounts;
  /** How often something was forgotten: what was being read then is not kept. */
  #forgotten = 0;

  constructor(accesses: AccessCounts) {
    this.#accesses = accesses;
  }

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
    if (known.length === ids.length) {
      const accesses = await this.#accesses.read(tx, access, ids);
      return known.map((memory) => ({ ...memory, ...lifeOf(memory, accesses.get(memory.uuid), configuration) }));
    }
    const [forgotten, learn] = [this.#forgotten, this.#accesses.learning(i)];
    const memories = await readMemories(tx, access, configuration, ids);
    for (const { uuid, accessCount, lastAccessedAt } of memories) {
      learn(uuid, lastAccessedAt ? { count: accessCount, lastAt: lastAccessedAt } : undefined);
    }
    if (forgotten === this.#forgotten) {
      for (const memory of memories) this.#known.set(`${as}/${memory.uuid}`, { i, memory });
    }
    return memories;
  }

  /** What is forgotten leaves the memory of the process too. Without owners: all of the instance. */
  forget(i: bigint, ownerNos?: readonly number[]): void {
    this.#forgotten += 1;
    for (const [key, known] of this.#known.entries()) {
      if (known.i === i && (!ownerNos || ownerNos.includes(known.memory.ownerNo))) this.#known.delete(key);
    }
  }
}
