import pLimit from 'p-limit';
import { vectorRecipe } from '../../domain/vectors/vector-recipe.ts';
import type { CandidateRow } from '../../domain/memories/candidate-row.ts';
import type { SealedCandidate } from '../../domain/memories/candidate-store.ts';
import { matchesTypeAndProvenance, containsTime } from '../../domain/memories/memory.ts';
import type { MemorySelection } from '../../domain/memories/memory.ts';
import type { TermMatch, TermQuery } from '../../domain/search-index/term-store.ts';
import type { OwnerSnapshot } from '../../domain/memories/change-store.ts';
import type { VectorSearch } from '../../domain/search-index/vector-index.ts';
import type { VectorScore } from '../../domain/vectors/similarity.ts';
import type { Access, ReadableOwner } from '../../domain/tenancy/access.ts';
import { type DotProducts, VectorTable } from './vector-table.ts';
import type { ChangedMemories, OwnerSource, OwnerSpace, StoredMemory } from './owner-source.ts';
import { MemoryRowTable, type Position } from './row-table.ts';
import { bestMatches, TermTable } from './term-table.ts';

type Then = OwnerSnapshot & Pick<ChangedMemories, 'isPartial'>;

const readAtOnce = 500;
/** The bytes of an empty cached owner. */
const emptyBytes = 1_000;

/** One owner’s memories in memory, as of one of the owner’s revisions. */
export class CachedOwner {
  readonly of: OwnerSpace;
  readonly #source: OwnerSource;
  #tables: Tables;
  #change = 0n;
  #revision = -1n;
  #memoryCount = 0;
  /** A row is never written while rows are compared. */
  readonly #inTurn = pLimit(1);

  constructor(of: OwnerSpace, source: OwnerSource) {
    this.of = of;
    this.#source = source;
    this.#tables = emptyTables(of);
  }

  get bytes(): number {
    const { vectors, rows, words } = this.#tables;
    return emptyBytes + vectors.bytes + rows.bytes + words.bytes;
  }

  /** Whether the owner was read to its end once, so that keeping up takes little. */
  get isComplete(): boolean {
    return this.#revision >= 0n;
  }

  /** Whether no memory with words is missing, as some are while vectors of another space replace these. */
  get hasAllWords(): boolean {
    return this.#tables.words.size === this.#memoryCount;
  }

  /** Whether a statement was superseded, so passages may need their successors. */
  get hasSuperseded(): boolean {
    return this.#tables.rows.hasSuperseded;
  }

  isCurrent({ revision }: ReadableOwner): boolean {
    return this.#revision >= revision;
  }

  has(memoryId: string): boolean {
    return this.#tables.rows.placeOf(memoryId) !== undefined;
  }

  /** Reads what changed since; false when something was removed, and all is to be read again. */
  keepUp(owner: ReadableOwner): Promise<boolean> {
    return this.#inTurn(async () => {
      while (!this.isCurrent(owner)) {
        const read = await this.#readChanges();
        const held = !read || this.#isAll(read) ? null : await this.#source.held(this.of);
        if (held && held.revision !== read!.revision) continue; // written to in between: what was read is not all
        if (!read || (held && held.count < this.#tables.rows.size)) {
          [this.#tables, this.#change, this.#revision] = [emptyTables(this.of), 0n, -1n];
          return false;
        }
        this.#revision = read.revision;
        this.#memoryCount = read.memoryCount;
      }
      return true;
    });
  }

  /** The owner's own count tells that nothing was removed; what has no word is not in it. */
  #isAll({ memoryCount, isPartial }: Then): boolean {
    const { rows, words } = this.#tables;
    return !isPartial && this.isComplete && words.size === memoryCount && rows.size === memoryCount;
  }

  nearest(products: DotProducts, { vector, limit, ...wanted }: VectorSearch): Promise<VectorScore[]> {
    return this.#inTurn(async () => {
      const { rows, vectors } = this.#tables;
      const found = await vectors.nearest(products, vector.values, {
        limit,
        fits: (place) => isAmong(rows.at(place), wanted),
        isBefore: (one, other) => rows.at(one).id < rows.at(other).id,
      });
      return found.map(({ place, ...score }) => ({ memoryId: rows.at(place).id, ...score }));
    });
  }

  scores(query: Float32Array, memoryIds: readonly string[]): VectorScore[] {
    const { rows, vectors } = this.#tables;
    const places = memoryIds.flatMap((id) => rows.placeOf(id) ?? []);
    return vectors.scores(places, query).map(({ place, ...score }) => ({ memoryId: rows.at(place).id, ...score }));
  }

  frequency(term: bigint): number {
    return this.#tables.words.frequency(term);
  }

  matchWords(query: TermQuery): TermMatch[] {
    const { rows, words } = this.#tables;
    const all = words.scores(query);
    const { provenance } = query;
    const among = query.among && new Set(query.among);
    const isWanted = (place: number) =>
      (!provenance || provenance.includes(rows.at(place).provenance)) && (!among || among.has(rows.at(place).id));
    const scores = provenance || among ? new Map([...all].filter(([place]) => isWanted(place))) : all;
    return bestMatches(scores, query.limit, (place) => rows.at(place).id).map(([place, bm25]) => {
      const { id, documentId, turn } = rows.at(place);
      return { memoryId: id, documentId, turn, bm25 };
    });
  }

  /** The positions of the memories that are cached. */
  standing(memoryIds: readonly string[]): Position[] {
    return memoryIds.flatMap((id) => this.#row(id) ?? []);
  }

  /** The ids of what stands within `reach` turns, or passages of one. */
  beside(position: Position, reach: number): string[] {
    const { rows } = this.#tables;
    return rows.beside(position, reach).map((place) => rows.at(place).id);
  }

  candidates(memoryIds: Iterable<string>, access: Access, filter: MemorySelection): CandidateRow[] {
    const { rows } = this.#tables;
    return [...memoryIds].flatMap((id) => {
      const place = rows.placeOf(id);
      return place === undefined ? [] : (rows.candidate(place, access, filter) ?? []);
    });
  }

  #row(memoryId: string) {
    const { rows } = this.#tables;
    const place = rows.placeOf(memoryId);
    return place === undefined ? undefined : rows.at(place);
  }

  /** Resolves when nothing of it is under way. */
  settled(): Promise<void> {
    return this.#inTurn(async () => undefined);
  }

  /**
   * As of the owner's revision when the last was read: whoever writes holds the owner, so that no lower number follows.
   * A complete owner is read from meanwhile, and changes at once. Null: the owner is gone.
   */
  async #readChanges(): Promise<Then | null> {
    const waiting: StoredMemory[] = [];
    let after = this.#change;
    let isPartial = false;
    for (;;) {
      const read = await this.#source.changed(this.of, after, readAtOnce);
      if (!read) return null;
      after = read.last;
      isPartial ||= read.isPartial;
      if (this.isComplete) waiting.push(...read.memories);
      else this.#take(read.memories);
      if (!read.isEnd) continue;
      this.#take(waiting);
      this.#change = after;
      return { ...read, isPartial };
    }
  }

  #take(memories: readonly StoredMemory[]): void {
    const { vectors, rows, words } = this.#tables;
    for (const { row, terms, values } of memories) {
      const place = rows.set(row);
      if (values) vectors.set(place, values);
      words.set(place, terms);
    }
  }
}

/** Filters as an index of vectors does, which holds no archived memories. */
function isAmong(row: SealedCandidate, wanted: MemorySelection): boolean {
  if (!matchesTypeAndProvenance(row, wanted)) return false;
  const { at: from, until } = row;
  return wanted.asOf ? containsTime({ from, until }, wanted.asOf) : until === null;
}

/** A memory has one place in all of them. */
interface Tables {
  readonly vectors: VectorTable;
  readonly rows: MemoryRowTable;
  readonly words: TermTable;
}

const emptyTables = ({ space }: OwnerSpace): Tables => ({
  vectors: new VectorTable(vectorRecipe.sketchDimensions + space.dimensions),
  rows: new MemoryRowTable(),
  words: new TermTable(),
});
