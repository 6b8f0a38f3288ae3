import { recipe } from '../../domain/language/vector-recipe.ts';
import type { VectorScore, VectorSearch } from '../../domain/search-index/vector-index.ts';
import type { ReadableOwner } from '../../domain/tenancy/access.ts';
import type { DotProducts } from './dot-products.ts';
import type { OwnerSpace, VectorSource } from './vector-source.ts';
import { VectorTable } from './vector-table.ts';

const readAtOnce = 500;

/** A copy in memory of one owner's vectors, as of one of the owner's revisions. */
export class HotOwner {
  readonly of: OwnerSpace;
  readonly #source: VectorSource;
  #table: VectorTable;
  #change = 0n;
  #revision = -1n;
  #memoryCount = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(of: OwnerSpace, source: VectorSource) {
    this.of = of;
    this.#source = source;
    this.#table = this.#empty();
  }

  get bytes(): number {
    return this.#table.bytes;
  }

  /** It was read to its end once, so that keeping up takes little. */
  get isComplete(): boolean {
    return this.#revision >= 0n;
  }

  isCurrent({ revision }: ReadableOwner): boolean {
    return this.#revision >= revision;
  }

  has(memoryId: string): boolean {
    return this.#table.has(memoryId);
  }

  /** Reads what changed since; false when something was removed, and all is to be read again. */
  keepUp(owner: ReadableOwner): Promise<boolean> {
    return this.#inTurn(async () => {
      while (!this.isCurrent(owner)) {
        const read = await this.#readChanges();
        const isExplained = this.isComplete && read.memoryCount - this.#memoryCount === read.added;
        const held = isExplained ? null : await this.#source.held(this.of);
        if (held && held.revision !== read.revision) continue; // written to in between: what was read is not all
        if (read.isGone || (held && held.count < this.#table.size)) {
          [this.#table, this.#change, this.#revision] = [this.#empty(), 0n, -1n];
          return false;
        }
        this.#revision = read.revision;
        this.#memoryCount = read.memoryCount;
      }
      return true;
    });
  }

  nearest(products: DotProducts, { vector, ...filter }: VectorSearch): Promise<VectorScore[]> {
    return this.#inTurn(() => this.#table.nearest(products, vector.values, filter));
  }

  scores(query: Float32Array, memoryIds: readonly string[]): VectorScore[] {
    return this.#table.scores(query, memoryIds);
  }

  /** Resolves when nothing of it is under way. */
  settled(): Promise<void> {
    return this.#inTurn(async () => undefined);
  }

  /** As of the owner's revision when the last was read: whoever writes holds the owner, so that no lower number follows. */
  async #readChanges(): Promise<{ added: number; revision: bigint; memoryCount: number; isGone: boolean }> {
    let added = 0;
    for (;;) {
      const read = await this.#source.changed(this.of, this.#change, readAtOnce);
      if (!read) return { added, revision: -1n, memoryCount: 0, isGone: true };
      added += read.rows.filter((row) => this.#table.set(row)).length;
      this.#change = read.rows.at(-1)?.change ?? this.#change;
      if (read.rows.length < readAtOnce) return { ...read, added, isGone: false };
    }
  }

  #empty(): VectorTable {
    return new VectorTable(recipe.sketchDimensions + this.of.space.dimensions);
  }

  /** A row is never written while rows are compared. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
