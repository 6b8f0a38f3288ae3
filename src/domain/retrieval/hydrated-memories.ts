import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import { countTokens } from '../language/count-tokens.ts';
import type { AccessCounts } from '../memories/access-counts.ts';
import { lifeOf, readMemories, readMemoriesUnchanged, type PlacedMemory } from '../memories/read.ts';
import { tellAll, type OwnedAccess } from '../tenancy/access.ts';
import { markOf } from '../tenancy/store.ts';

/** A memory with all that is shown of it. */
export interface HydratedMemory extends PlacedMemory {
  /** Of its content. */
  readonly tokens: number;
}

interface Known {
  readonly i: bigint;
  readonly memory: HydratedMemory;
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
    sql: Sql,
    access: OwnedAccess,
    configuration: Configuration,
    ids: readonly string[],
  ): Promise<HydratedMemory[]> {
    const readAnew = async () => (await readMemories(sql, access, configuration, ids)).map(hydrated);
    if (!tellAll(access.reads)) return readAnew();
    const as = `${access.i}/${access.configurationVersion}/${markOf(access.reads)}`; // whatever they read, and as it is now
    const known = new Map(ids.flatMap((id) => this.#knownAs(as, id)));
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length) {
      const read = await this.#keeping(as, access, () => readMemoriesUnchanged(sql, access, configuration, missing));
      if (!read.length) return readAnew(); // something changed meanwhile: of that, nothing is kept
      for (const memory of read) known.set(memory.uuid, memory);
    }
    const accesses = await this.#accesses.read(sql, access, ids);
    return ids.flatMap((id) => {
      const memory = known.get(id); // else it went, and what found it does not know yet
      return memory ? { ...memory, ...lifeOf(memory, accesses.get(id), configuration) } : [];
    });
  }

  #knownAs(as: string, id: string): [string, HydratedMemory][] {
    const known = this.#known.get(`${as}/${id}`);
    return known ? [[id, known.memory]] : [];
  }

  async #keeping(as: string, { i }: OwnedAccess, read: () => Promise<PlacedMemory[]>): Promise<HydratedMemory[]> {
    const [forgotten, learn] = [this.#forgotten, this.#accesses.learning(i)];
    const memories = (await read()).map(hydrated);
    for (const memory of memories) {
      const { uuid, accessCount: count, lastAccessedAt: lastAt } = memory;
      learn(uuid, lastAt ? { count, lastAt } : undefined);
      if (forgotten === this.#forgotten) this.#known.set(`${as}/${uuid}`, { i, memory });
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

const hydrated = (memory: PlacedMemory): HydratedMemory => ({ ...memory, tokens: countTokens(memory.content) });
