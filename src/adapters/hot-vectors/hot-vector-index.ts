import { LRUCache } from 'lru-cache';
import { recipe } from '../../domain/language/vector-recipe.ts';
import type { QueryVector, VectorIndex, VectorScore, VectorSearch } from '../../domain/search-index/vector-index.ts';
import { isSameSpace, spaceName, type VectorSpace } from '../../domain/search-index/vector-space.ts';
import type { OwnedAccess, ReadableOwner } from '../../domain/tenancy/access.ts';
import { byScore } from '../score-vector.ts';
import type { DotProducts } from './dot-products.ts';
import { HotOwner } from './hot-owner.ts';
import type { VectorSource } from './vector-source.ts';

export interface HotOptions {
  readonly products: DotProducts;
  readonly warn: (message: string, error: unknown) => void;
  /** Of an owner with fewer the index itself answers within a few milliseconds. */
  readonly leastMemories?: number;
  /** Of all copies together: some 70,000 vectors of the shipped model. An owner who may need more has none. */
  readonly mostBytes?: number;
}

/**
 * Keeps the vectors of large owners in memory while they are asked for: comparing 10,000 takes a fifth of the time that
 * the embedded Postgres needs. A copy answers only when it is of the revision that the caller read, so that it is never
 * staler than the index itself; until it has been read, and whenever reading fails, the index answers.
 */
export function keepHot(
  index: VectorIndex,
  source: VectorSource,
  { products, warn, leastMemories = 1_000, mostBytes = 256 << 20 }: HotOptions,
): VectorIndex & { settled(): Promise<void> } {
  const owners = new LRUCache<string, HotOwner>({ maxSize: mostBytes, sizeCalculation: (owner) => owner.bytes });

  /** The owner's copy, when it is of the revision that `access` saw. */
  async function copyOf(i: bigint, owner: ReadableOwner, space: VectorSpace): Promise<HotOwner | null> {
    if (owner.memoryCount < leastMemories || mostBytesOf(owner, space) > mostBytes) return null;
    const key = `${i}/${owner.ownerNo}/${spaceName(space)}`;
    const copy = owners.get(key) ?? new HotOwner({ i, ownerNo: owner.ownerNo, space }, source);
    if (copy.isCurrent(owner)) return copy;
    if (!owners.has(key)) owners.set(key, copy);
    const keepingUp = copy.keepUp(owner).then(
      (isWhole) => {
        if (owners.peek(key) === copy) owners.set(key, copy); // it may have grown
        return isWhole;
      },
      (error: unknown) => {
        owners.delete(key);
        warn('vectors could not be kept in memory', error);
        return false;
      },
    );
    // The first reading takes a while, and nobody waits for it.
    return copy.isComplete && (await keepingUp) ? copy : null;
  }

  /** The copies that may answer, and the access that is left for the index. */
  async function share(access: OwnedAccess, space: VectorSpace): Promise<{ hot: HotOwner[]; rest: OwnedAccess }> {
    const copies = await Promise.all(access.reads.map((owner) => copyOf(access.i, owner, space)));
    const reads = access.reads.filter((_, n) => !copies[n]);
    return { hot: copies.filter((copy) => copy !== null), rest: { ...access, reads } };
  }

  return {
    ...index,

    async nearest(access: OwnedAccess, search: VectorSearch): Promise<VectorScore[]> {
      const { hot, rest } = await share(access, search.vector.space);
      if (!hot.length) return index.nearest(access, search);
      const found = await Promise.all([
        ...hot.map((owner) => owner.nearest(products, search)),
        rest.reads.length ? index.nearest(rest, search) : [],
      ]);
      return found.flat().toSorted(byScore).slice(0, search.limit);
    },

    async score(access: OwnedAccess, vector: QueryVector, memoryIds: readonly string[]): Promise<VectorScore[]> {
      const { hot, rest } = await share(access, vector.space);
      if (!hot.length) return index.score(access, vector, memoryIds);
      const known = hot.flatMap((owner) => owner.scores(vector.values, memoryIds));
      const others = memoryIds.filter((id) => !hot.some((owner) => owner.has(id)));
      return rest.reads.length && others.length ? [...known, ...(await index.score(rest, vector, others))] : known;
    },

    async remove(tx, access, memoryIds, space) {
      // What is forgotten leaves the memory of the process too; the revision tells the copies of others.
      for (const [key, owner] of owners.entries()) {
        if (owner.of.i !== access.i || (space && !isSameSpace(owner.of.space, space))) continue;
        if (memoryIds.some((id) => owner.has(id))) owners.delete(key);
      }
      return index.remove(tx, access, memoryIds, space);
    },

    async clear(access, kept, limit) {
      for (const [key, { of }] of owners.entries())
        if (of.i === access.i && !kept.some((space) => isSameSpace(of.space, space))) owners.delete(key);
      return index.clear(access, kept, limit);
    },

    async dropInstance(access) {
      for (const [key, { of }] of owners.entries()) if (of.i === access.i) owners.delete(key);
      return index.dropInstance(access);
    },

    async settled() {
      await Promise.all([...owners.values()].map((owner) => owner.settled()));
    },
  };
}

/** What a copy comes to: a table that grows has room for half as many again. A copy without a place is read in vain. */
const mostBytesOf = ({ memoryCount }: ReadableOwner, { dimensions }: VectorSpace) =>
  memoryCount * 1.5 * (recipe.sketchDimensions + dimensions) * Float32Array.BYTES_PER_ELEMENT;
