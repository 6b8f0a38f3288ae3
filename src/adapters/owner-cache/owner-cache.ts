import { LRUCache } from 'lru-cache';
import { vectorRecipe, isSameSpace, formatSpaceName, type VectorSpace } from '../../domain/vectors/vector-recipe.ts';
import type { CandidateReads } from '../../domain/retrieval/candidate-reads.ts';
import { maxDocumentFrequency, type TermMatch } from '../../domain/search-index/term-store.ts';
import type { VectorIndex, VectorSearch } from '../../domain/search-index/vector-index.ts';
import { byScoreDescending, type VectorScore } from '../../domain/vectors/similarity.ts';
import type { NarrowedAccess, ReadableOwner } from '../../domain/tenancy/access.ts';
import { CachedOwner } from './cached-owner.ts';
import type { DotProducts } from './vector-table.ts';
import type { OwnerSource } from './owner-source.ts';
import { SuccessorCache } from './successor-cache.ts';

/** The stores that answer for owners that are not cached, and that the cache is read from. */
export interface OwnerCacheStores {
  readonly index: VectorIndex;
  readonly candidates: CandidateReads;
  readonly source: OwnerSource;
}

/**
 * Caches owners while they are asked for, with all that finding their memories reads: vectors, words and rows, whose text
 * stays sealed until it is read. The embedded Postgres needs many times as long, and Weaviate sends each vector that it
 * compared.
 */
export function cacheOwners(
  { index, candidates, source }: OwnerCacheStores,
  { products, ...options }: OwnerCacheOptions & { readonly products: DotProducts },
): { vectors: VectorIndex; candidates: CandidateReads; settled(): Promise<void> } {
  const cache = new OwnerCache(source, options);
  return {
    vectors: cachedVectors(cache, index, products),
    candidates: cachedCandidates(cache, candidates),
    settled: () => cache.settled(),
  };
}

const cachedVectors = (cache: OwnerCache, index: VectorIndex, products: DotProducts): VectorIndex => ({
  ...index,

  async nearest(access, search) {
    const { cached, rest } = await cache.share(access, search.vector.space, search);
    if (!cached.length) return index.nearest(access, search);
    const found = await Promise.all([
      ...cached.map((owner) => owner.nearest(products, search)),
      rest.readableOwners.length ? index.nearest(rest, search) : [],
    ]);
    return found.flat().toSorted(byScoreDescending).slice(0, search.limit);
  },

  async score(access, vector, memoryIds): Promise<VectorScore[]> {
    const { cached, rest } = await cache.share(access, vector.space);
    if (!cached.length) return index.score(access, vector, memoryIds);
    const existing = cached.flatMap((owner) => owner.scores(vector.values, memoryIds));
    const others = memoryIds.filter((id) => !cached.some((owner) => owner.has(id)));
    return rest.readableOwners.length && others.length
      ? [...existing, ...(await index.score(rest, vector, others))]
      : existing;
  },

  async remove(tx, access, memoryIds, space) {
    cache.drop(
      (owner) =>
        owner.of.instanceNumber === access.instanceNumber &&
        (!space || isSameSpace(owner.of.space, space)) &&
        memoryIds.some((id) => owner.has(id)),
    );
    return index.remove(tx, access, memoryIds, space);
  },

  async clear(access, kept, limit) {
    cache.drop(
      ({ of }) => of.instanceNumber === access.instanceNumber && !kept.some((space) => isSameSpace(of.space, space)),
    );
    return index.clear(access, kept, limit);
  },

  async dropInstance(access) {
    cache.drop(({ of }) => of.instanceNumber === access.instanceNumber);
    return index.dropInstance(access);
  },
});

/** Answers for all owners that are read, or for none: what stands beside a memory may be another owner's. */
function cachedCandidates(cache: OwnerCache, store: CandidateReads): CandidateReads {
  const successors = new SuccessorCache();
  async function allOf(access: NarrowedAccess, space: VectorSpace): Promise<readonly CachedOwner[] | null> {
    const { cached, rest } = await cache.share(access, space);
    return !rest.readableOwners.length && cached.every((owner) => owner.hasAllWords) ? cached : null;
  }

  return {
    async documentFrequencies(access, space, terms) {
      const all = await allOf(access, space);
      if (!all) return store.documentFrequencies(access, space, terms);
      const frequency = (term: bigint) => all.reduce((sum, owner) => sum + owner.frequency(term), 0);
      return new Map(terms.map((term) => [term, Math.min(frequency(term), maxDocumentFrequency)]));
    },

    async matchWords(access, space, query) {
      const all = await allOf(access, space);
      if (!all) return store.matchWords(access, space, query);
      const found = all.flatMap((owner) => owner.matchWords(query));
      return all.length > 1 ? found.toSorted(byWords).slice(0, query.limit) : found;
    },

    async readCandidates(access, space, selection) {
      const all = await allOf(access, space);
      if (!all) return store.readCandidates(access, space, selection);
      const { ids, expanded, reach } = selection;
      const wanted = new Set(ids);
      for (const place of all.flatMap((owner) => owner.standing(expanded))) {
        for (const owner of all) for (const id of owner.beside(place, reach)) wanted.add(id);
      }
      return all.flatMap((owner) => owner.candidates(wanted, access, selection));
    },

    async findSuccessors(access, space, passages) {
      const all = await allOf(access, space);
      if (all?.every((owner) => !owner.hasSuperseded)) return new Map(); // as it is for most
      const read = (missing: typeof passages) => store.findSuccessors(access, space, missing);
      return all ? successors.find(access, passages, read) : read(passages);
    },

    findAnswer: (access, asked) => store.findAnswer(access, asked),
  };
}

const byWords = (one: TermMatch, other: TermMatch) => other.bm25 - one.bm25 || (one.memoryId < other.memoryId ? -1 : 1);

export interface OwnerCacheOptions {
  readonly warn: (message: string, error: unknown) => void;
  /** All cached owners together: some 60,000 memories with vectors of the shipped model. An owner who may need more is not cached. */
  readonly mostBytes?: number;
}

/** An owner that cannot be read is not tried again for so long: what answers meanwhile may need the same database. */
const restMs = 5_000;
/** An owner that nobody asked for in this time is dropped. */
const keptForMs = 15 * 60_000;
/** The bytes of a memory beside its vector and its words, and of a word, about. */
const [memoryBytes, wordBytes] = [950, 24];

/**
 * The owners that were asked for lately. A cached owner answers only when it is of the revision that the caller read, so
 * that it is never staler than the store itself; until it has been read, and whenever reading fails, the store answers.
 */
class OwnerCache {
  readonly #source: OwnerSource;
  readonly #warn: OwnerCacheOptions['warn'];
  readonly #mostBytes: number;
  readonly #owners: LRUCache<string, CachedOwner>;
  readonly #resting = new LRUCache<string, true>({ max: 10_000, ttl: restMs });

  constructor(source: OwnerSource, { warn, mostBytes = 256 << 20 }: OwnerCacheOptions) {
    this.#source = source;
    this.#warn = warn;
    this.#mostBytes = mostBytes;
    this.#owners = new LRUCache({
      maxSize: mostBytes,
      sizeCalculation: (owner) => owner.bytes,
      ttl: keptForMs,
      ttlAutopurge: true,
      updateAgeOnGet: true,
    });
  }

  /** The cached owners that may answer, and the access that is left for the store. */
  async share(
    access: NarrowedAccess,
    space: VectorSpace,
    { doesNotFillCache = false }: Pick<VectorSearch, 'doesNotFillCache'> = {},
  ): Promise<{ cached: CachedOwner[]; rest: NarrowedAccess }> {
    const owners = await Promise.all(
      access.readableOwners.map((owner) =>
        this.#cachedOwnerOf(access.instanceNumber, owner, { space, doesNotFillCache }),
      ),
    );
    const readableOwners = access.readableOwners.filter((_, n) => !owners[n]);
    return { cached: owners.filter((owner) => owner !== null), rest: { ...access, readableOwners } };
  }

  /** The cached owner, when it is of the revision that `access` saw. */
  async #cachedOwnerOf(
    instanceNumber: bigint,
    owner: ReadableOwner,
    { space, doesNotFillCache }: { space: VectorSpace; doesNotFillCache: boolean },
  ): Promise<CachedOwner | null> {
    if (mostBytesOf(owner, space) > this.#mostBytes) return null; // without a place it would be read in vain
    const key = `${instanceNumber}/${owner.ownerNo}/${formatSpaceName(space)}`;
    if (doesNotFillCache && !this.#owners.has(key)) return null;
    const cached =
      this.#owners.get(key) ?? new CachedOwner({ instanceNumber, ownerNo: owner.ownerNo, space }, this.#source);
    if (cached.isCurrent(owner)) return cached;
    if (this.#resting.has(key)) return null;
    if (!this.#owners.has(key)) this.#owners.set(key, cached);
    const keepingUp = cached.keepUp(owner).then(
      (isWhole) => {
        if (this.#owners.peek(key) === cached) this.#owners.set(key, cached); // it may have grown
        return isWhole;
      },
      (error: unknown) => {
        if (!cached.isComplete) this.#owners.delete(key);
        if (!this.#resting.has(key)) this.#warn('memories could not be kept in memory', error);
        this.#resting.set(key, true);
        return false;
      },
    );
    // The first reading takes a while, and nobody waits for it.
    return cached.isComplete && (await keepingUp) ? cached : null;
  }

  /** Takes what is forgotten out of the memory of the process; the revision tells other processes. */
  drop(isDropped: (owner: CachedOwner) => boolean): void {
    for (const [key, owner] of this.#owners.entries()) if (isDropped(owner)) this.#owners.delete(key);
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#owners.values()].map((owner) => owner.settled()));
  }
}

/** The bytes that a cached owner comes to: a table that grows has room for half as many again. */
function mostBytesOf({ memoryCount, termTotal }: ReadableOwner, { dimensions }: VectorSpace): number {
  const vectorBytes = 1.5 * (vectorRecipe.sketchDimensions + dimensions) * Float32Array.BYTES_PER_ELEMENT;
  return memoryCount * (vectorBytes + memoryBytes) + termTotal * wordBytes;
}
