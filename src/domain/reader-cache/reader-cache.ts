import { LRUCache } from 'lru-cache';
import type { Db, Sql } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import type { ConversationSummary } from '../conversations/conversation.ts';
import type { Invalidation, VersionedRead } from '../invalidation/invalidation.ts';
import { toPublicId } from '../ids.ts';
import { countTokens } from '../language/count-tokens.ts';
import { AccessCounts } from '../memories/access-counts.ts';
import { isValidAt } from '../memories/memory.ts';
import { readMemories, readMemoriesUnchanged, type MemoryWithRowInfo } from '../memories/read.ts';
import { accessAndExpiryOf } from '../memories/retention.ts';
import type { ScoredMemory } from '../memories/scored-memory.ts';
import { narrowAccess, ownerNosIn, revisionsCoverReads, revisionsByOwner, versionVectorOf } from '../tenancy/access.ts';
import type { Access, Isolation, SubjectIds, NarrowedAccess, ReadableOwner } from '../tenancy/access.ts';
import { readableOwners } from '../tenancy/owner-store.ts';
import type { PrefetchedContext, PrefetchKey } from './prefetched-context.ts';

/** A memory with all that is shown of it, and the tokens of its content. */
export interface HydratedMemory extends MemoryWithRowInfo {
  readonly tokens: number;
}

/** A memory that was found, by its UUID, with its score. */
export interface ScoredId extends Pick<ScoredMemory, 'score'> {
  readonly id: string;
  readonly parts: Readonly<Record<string, number>>;
  /** The UUID of what superseded a statement in this passage. */
  readonly outdatedBy?: string | undefined;
}

/** A reader of memories: an access to the owners of one subject, and the configuration under which they are read. */
export interface MemoryReader {
  readonly access: NarrowedAccess;
  readonly configuration: Configuration;
}

interface CachedOwners extends VersionedRead {
  readonly owners: readonly ReadableOwner[];
}

interface CachedSummary extends VersionedRead {
  /** The version vector of its conversation's owners. */
  readonly versions: string;
  readonly summary: ConversationSummary | null;
}

/** A conversation by its UUID. */
type SummaryKey = Pick<PrefetchKey, 'instanceNumber' | 'conversationId'>;

const readersAtMost = 10_000;
/** The bytes that the cached memories may take, about, and as many for the prefetched contexts. */
const bytesAtMost = 64 << 20;
const [memoryMs, prefetchedMs] = [60_000, 300_000];
const summaryBytesAtMost = 16 << 20;
const [memoryBytes, contextBytes, summaryBytes, characterBytes] = [1_500, 500, 500, 2];

/**
 * Caches what readers read: the owners that they may read, memories as they are shown, how often these were accessed,
 * contexts that were prefetched, and summaries of conversations. All but the counts are kept under the version vector
 * of the reader's owners, so that nothing is found any more once anything changed that the reader may see.
 */
export class ReaderCache {
  readonly #db: Db;
  readonly #invalidation: Pick<Invalidation, 'epoch' | 'isFresh'>;
  readonly accessCounts = new AccessCounts();
  readonly #owners = new LRUCache<string, CachedOwners>({ max: readersAtMost });
  readonly #memories = new LRUCache<string, { instanceNumber: bigint; memory: HydratedMemory }>({
    maxSize: bytesAtMost,
    sizeCalculation: ({ memory: { content, evidence, metadata } }) =>
      memoryBytes +
      characterBytes * evidence.reduce((sum, { quote }) => sum + quote.length, content.length) +
      characterBytes * (metadata ? JSON.stringify(metadata).length : 0),
    ttl: memoryMs,
    ttlAutopurge: true,
  });
  readonly #prefetched = new LRUCache<string, { instanceNumber: bigint; context: PrefetchedContext }>({
    maxSize: bytesAtMost,
    sizeCalculation: ({ context: { memories, recent } }, key) =>
      contextBytes + key.length + characterBytes * JSON.stringify([memories, recent]).length,
    ttl: prefetchedMs,
    ttlAutopurge: true,
  });
  readonly #summaries = new LRUCache<string, CachedSummary>({
    maxSize: summaryBytesAtMost,
    sizeCalculation: ({ summary }) => summaryBytes + characterBytes * (summary?.text.length ?? 0),
  });
  /** Counts dropped summaries: one that was being read meanwhile is not kept. */
  #droppedSummaries = 0;
  readonly #prefetching = new Map<string, Promise<PrefetchedContext | null>>();
  /** Counts what was forgotten: what was being read then is not kept. */
  #forgotten = 0;

  constructor({ db, invalidation }: { db: Db; invalidation: Pick<Invalidation, 'epoch' | 'isFresh'> }) {
    this.#db = db;
    this.#invalidation = invalidation;
  }

  /** The access narrowed to what the named may read now. Throws as `narrowAccess` does. */
  async reader(access: Access, named: SubjectIds): Promise<MemoryReader> {
    const configuration = await currentConfiguration(this.#db, access);
    const { isolation } = configuration;
    const owners = await this.owners(access.instanceNumber, named, isolation);
    return { access: narrowAccess(access, owners, { named, isolation }), configuration };
  }

  /** The owners that the named may read now; without a statement where this process knows that nothing changed. */
  async owners(instanceNumber: bigint, named: SubjectIds, isolation: Isolation): Promise<readonly ReadableOwner[]> {
    const { userId = '', customerId = '' } = named;
    const key = JSON.stringify([String(instanceNumber), isolation, userId, customerId]);
    const existing = this.#owners.get(key);
    if (existing && areRegistered(existing.owners, named) && this.#invalidation.isFresh(existing))
      return existing.owners;
    const epoch = this.#invalidation.epoch(instanceNumber); // before they are read
    const owners = await readableOwners(this.#db, instanceNumber, named, isolation);
    this.#owners.set(key, { instanceNumber, epoch, owners, revisions: revisionsByOwner(owners) });
    return owners;
  }

  /**
   * The memories that were found, as they are shown, in their order and as of the reader's revisions or later. The rows
   * are the truth: what was found and is gone, not readable, or does not hold at the time, is left out.
   */
  async hydrate(
    sql: Sql,
    reader: MemoryReader,
    found: readonly ScoredId[],
    { explain, asOf }: { explain: boolean; asOf?: Date | undefined },
  ): Promise<(ScoredMemory & HydratedMemory)[]> {
    const byId = new Map(found.map((each) => [each.id, each]));
    const memories = await this.memories(sql, reader, [...byId.keys()]);
    const held = memories.filter(({ status, validFrom, validUntil }) => isValidAt(status, validFrom, validUntil, asOf));
    return held.map((memory) => {
      const { score, parts, outdatedBy } = byId.get(memory.uuid)!;
      const outdated = outdatedBy
        ? { possiblyOutdatedBy: toPublicId('memory', outdatedBy), possiblyOutdatedConfidence: 1 }
        : {};
      return { ...memory, ...outdated, score, parts: explain ? parts : null };
    });
  }

  /**
   * The memories of these ids as they are shown, all of them as of one moment: that of the reader's revisions, or a
   * later one. To read a memory with its evidence and entities takes longest of all that a fetch reads.
   */
  async memories(sql: Sql, { access, configuration }: MemoryReader, ids: readonly string[]): Promise<HydratedMemory[]> {
    const readAnew = async () => (await readMemories(sql, access, configuration, ids)).map(hydrated);
    if (!revisionsCoverReads(access.readableOwners)) return readAnew();
    const versions = `${access.instanceNumber}/${access.configurationVersion}/${versionVectorOf(access.readableOwners)}`;
    const existing = new Map(ids.flatMap((id) => this.#memoryOf(versions, id)));
    const missing = ids.filter((id) => !existing.has(id));
    if (missing.length) {
      const read = await this.#keeping(versions, access, () =>
        readMemoriesUnchanged(sql, access, configuration, missing),
      );
      if (!read.length) return readAnew(); // something changed meanwhile: of that, nothing is kept
      for (const memory of read) existing.set(memory.uuid, memory);
    }
    const accesses = await this.accessCounts.read(sql, access, ids);
    return ids.flatMap((id) => {
      const memory = existing.get(id); // else it went, and what found it does not know yet
      return memory ? { ...memory, ...accessAndExpiryOf(memory, accesses.get(id), configuration) } : [];
    });
  }

  #memoryOf(versions: string, id: string): [string, HydratedMemory][] {
    const existing = this.#memories.get(`${versions}/${id}`);
    return existing ? [[id, existing.memory]] : [];
  }

  async #keeping(
    versions: string,
    { instanceNumber }: NarrowedAccess,
    read: () => Promise<MemoryWithRowInfo[]>,
  ): Promise<HydratedMemory[]> {
    const [forgotten, keepCount] = [this.#forgotten, this.accessCounts.keeping(instanceNumber)];
    const memories = (await read()).map(hydrated);
    for (const memory of memories) {
      const { uuid, accessCount: count, lastAccessedAt: lastAt } = memory;
      keepCount(uuid, lastAt ? { count, lastAt } : undefined);
      if (forgotten === this.#forgotten) this.#memories.set(`${versions}/${uuid}`, { instanceNumber, memory });
    }
    return memories;
  }

  /** The context that was prefetched; whoever asks for one that is being prefetched waits for it. */
  async prefetched(key: PrefetchKey, now: Date): Promise<PrefetchedContext | null> {
    const name = nameOf(key);
    const existing = this.#prefetched.get(name);
    // Null on failure: the ordinary way says what is wrong.
    if (!existing) return (await this.#prefetching.get(name)?.catch(() => null)) ?? null;
    if (existing.context.expiresAt > now) return existing.context;
    this.#prefetched.delete(name);
    return null;
  }

  /**
   * The summary of a conversation that belongs to one of these owners, as `read` gives it; without asking where this
   * process knows that nothing changed.
   */
  async summary(
    { instanceNumber, conversationId }: SummaryKey,
    owners: readonly ReadableOwner[],
    read: () => Promise<ConversationSummary | null>,
  ): Promise<ConversationSummary | null> {
    const key = `${instanceNumber}/${conversationId}`;
    const existing = this.#summaries.get(key);
    const versions = versionVectorOf(owners);
    if (existing?.versions === versions && this.#invalidation.isFresh(existing)) return existing.summary;
    const [epoch, dropped] = [this.#invalidation.epoch(instanceNumber), this.#droppedSummaries];
    const summary = await read();
    const revisions = revisionsByOwner(owners);
    if (dropped === this.#droppedSummaries)
      this.#summaries.set(key, { instanceNumber, epoch, revisions, versions, summary });
    return summary;
  }

  /** Drops the summary of a conversation. Call it after the commit of a compaction, which raises no revision. */
  dropSummary({ instanceNumber, conversationId }: SummaryKey): void {
    this.#droppedSummaries += 1;
    this.#summaries.delete(`${instanceNumber}/${conversationId}`);
  }

  keepPrefetched(key: PrefetchKey, context: PrefetchedContext): void {
    this.#prefetched.set(nameOf(key), { instanceNumber: key.instanceNumber, context });
  }

  /** Prefetches a context, which whoever asks meanwhile waits for; `retrieve` gives null for one not to be kept. */
  prefetch(key: PrefetchKey, retrieve: () => Promise<PrefetchedContext | null>): Promise<PrefetchedContext | null> {
    const name = nameOf(key);
    const forgotten = this.#forgotten;
    const prefetching = retrieve()
      .then((context) => {
        if (context && forgotten === this.#forgotten) this.keepPrefetched(key, context);
        return context;
      })
      .finally(() => this.#prefetching.delete(name));
    this.#prefetching.set(name, prefetching);
    return prefetching;
  }

  /** Drops a context that holds no more, unless another has taken its place. */
  dropPrefetched(key: PrefetchKey, context: PrefetchedContext): void {
    const name = nameOf(key);
    if (this.#prefetched.peek(name)?.context === context) this.#prefetched.delete(name);
  }

  get prefetchedCount(): number {
    return this.#prefetched.size;
  }

  /**
   * Takes what is forgotten out of the memory of the process: the memories of these owners, and the contexts of all who
   * read any of them; without owners, all of the instance. Summaries go with either, since whose they are is not kept.
   * Returns how many contexts there were.
   */
  forget(instanceNumber: bigint, ownerNos?: readonly number[]): number {
    this.#forgotten += 1;
    this.#droppedSummaries += 1;
    for (const [key, summary] of this.#summaries.entries())
      if (summary.instanceNumber === instanceNumber) this.#summaries.delete(key);
    const isGone = (ownerNo: number) => !ownerNos || ownerNos.includes(ownerNo);
    for (const [key, known] of this.#memories.entries()) {
      if (known.instanceNumber === instanceNumber && isGone(known.memory.ownerNo)) this.#memories.delete(key);
    }
    let count = 0;
    for (const [key, { instanceNumber: of, context }] of this.#prefetched.entries()) {
      if (of === instanceNumber && ownerNosIn(context.versions).some(isGone) && this.#prefetched.delete(key))
        count += 1;
    }
    return count;
  }
}

/** No revision tells that somebody was registered who holds nothing yet: until then their owners are read anew. */
const areRegistered = (owners: readonly ReadableOwner[], { userId = '', customerId = '' }: SubjectIds) =>
  (!userId && !customerId) || owners.some((owner) => owner.userId === userId && owner.customerId === customerId);

const hydrated = (memory: MemoryWithRowInfo): HydratedMemory => ({ ...memory, tokens: countTokens(memory.content) });

const nameOf = ({ instanceNumber, conversationId, options, words }: PrefetchKey) =>
  `${instanceNumber}/${conversationId}/${options}/${words}`;
