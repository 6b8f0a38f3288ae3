import { LRUCache } from 'lru-cache';
import { recipe } from '../../domain/language/vector-recipe.ts';
import { spaceName, type VectorSpace } from '../../domain/search-index/vector-space.ts';
import type { OwnedAccess, ReadableOwner } from '../../domain/tenancy/access.ts';
import { OwnerCopy } from './owner-copy.ts';
import type { OwnerSource } from './owner-source.ts';

export interface CopyOptions {
  readonly warn: (message: string, error: unknown) => void;
  /** Of all copies together: some 60,000 memories with vectors of the shipped model. An owner who may need more has none. */
  readonly mostBytes?: number;
}

/** An owner that cannot be read is not tried again for so long: what answers meanwhile may need the same database. */
const restMs = 5_000;
/** What nobody asked for in this time is not kept. */
const keptForMs = 15 * 60_000;
/** What a memory takes beside its vector and its words, and a word of it, in bytes, about. */
const [memoryBytes, wordBytes] = [900, 16];

/**
 * The copies of the owners that were asked for lately. A copy answers only when it is of the revision that the caller
 * read, so that it is never staler than the store itself; until it has been read, and whenever reading fails, the store
 * answers.
 */
export class OwnerCopies {
  readonly #source: OwnerSource;
  readonly #warn: CopyOptions['warn'];
  readonly #mostBytes: number;
  readonly #copies: LRUCache<string, OwnerCopy>;
  readonly #resting = new LRUCache<string, true>({ max: 10_000, ttl: restMs });

  constructor(source: OwnerSource, { warn, mostBytes = 256 << 20 }: CopyOptions) {
    this.#source = source;
    this.#warn = warn;
    this.#mostBytes = mostBytes;
    this.#copies = new LRUCache({
      maxSize: mostBytes,
      sizeCalculation: (copy) => copy.bytes,
      ttl: keptForMs,
      ttlAutopurge: true,
      updateAgeOnGet: true,
    });
  }

  /** The copies that may answer, and the access that is left for the store. */
  async share(access: OwnedAccess, space: VectorSpace): Promise<{ copies: OwnerCopy[]; rest: OwnedAccess }> {
    const copies = await Promise.all(access.reads.map((owner) => this.#copyOf(access.i, owner, space)));
    const reads = access.reads.filter((_, n) => !copies[n]);
    return { copies: copies.filter((copy) => copy !== null), rest: { ...access, reads } };
  }

  /** The owner's copy, when it is of the revision that `access` saw. */
  async #copyOf(i: bigint, owner: ReadableOwner, space: VectorSpace): Promise<OwnerCopy | null> {
    if (mostBytesOf(owner, space) > this.#mostBytes) return null; // a copy without a place is read in vain
    const key = `${i}/${owner.ownerNo}/${spaceName(space)}`;
    const copy = this.#copies.get(key) ?? new OwnerCopy({ i, ownerNo: owner.ownerNo, space }, this.#source);
    if (copy.isCurrent(owner)) return copy;
    if (this.#resting.has(key)) return null;
    if (!this.#copies.has(key)) this.#copies.set(key, copy);
    const keepingUp = copy.keepUp(owner).then(
      (isWhole) => {
        if (this.#copies.peek(key) === copy) this.#copies.set(key, copy); // it may have grown
        return isWhole;
      },
      (error: unknown) => {
        if (!copy.isComplete) this.#copies.delete(key);
        if (!this.#resting.has(key)) this.#warn('memories could not be kept in memory', error);
        this.#resting.set(key, true);
        return false;
      },
    );
    // The first reading takes a while, and nobody waits for it.
    return copy.isComplete && (await keepingUp) ? copy : null;
  }

  /** What is forgotten leaves the memory of the process too; the revision tells the copies of others. */
  drop(isDropped: (copy: OwnerCopy) => boolean): void {
    for (const [key, copy] of this.#copies.entries()) if (isDropped(copy)) this.#copies.delete(key);
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#copies.values()].map((copy) => copy.settled()));
  }
}

/** What a copy comes to: a table that grows has room for half as many again. */
function mostBytesOf({ memoryCount, termTotal }: ReadableOwner, { dimensions }: VectorSpace): number {
  const vectorBytes = 1.5 * (recipe.sketchDimensions + dimensions) * Float32Array.BYTES_PER_ELEMENT;
  return memoryCount * (vectorBytes + memoryBytes) + termTotal * wordBytes;
}
