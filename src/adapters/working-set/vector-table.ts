import type { VectorScore, VectorSearch } from '../../domain/search-index/vector-index.ts';
import { cosineWith, dot, meaningLength } from '../score-vector.ts';
import type { DotProducts } from './dot-products.ts';
import { best } from './best.ts';
import type { StoredVector } from './owner-source.ts';

type Filter = Pick<VectorSearch, 'limit' | 'types' | 'asOf'>;

/** Most owners have few. */
const firstRows = 16;

/** Vectors of one length side by side in memory, with what a search filters by. */
export class VectorTable {
  readonly #dimensions: number;
  readonly #rows: Omit<StoredVector, 'values' | 'change'>[] = [];
  readonly #rowOf = new Map<string, number>();
  readonly #meaningLengths: number[] = [];
  #values: Float32Array;
  /** The products of all rows with the query that was asked last: one search asks in several ways. */
  #compared: { readonly query: Float32Array; readonly products: Float32Array } | undefined;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#values = new Float32Array(firstRows * dimensions);
  }

  get size(): number {
    return this.#rows.length;
  }

  get bytes(): number {
    return this.#values.byteLength;
  }

  /** Where it is. */
  placeOf(memoryId: string): number | undefined {
    return this.#rowOf.get(memoryId);
  }

  /** Adds it, or puts it in the place of the one before; returns where it is. */
  set({ memoryId, type, validity, values }: StoredVector): number {
    const row = this.#rowOf.get(memoryId) ?? this.#rows.length;
    this.#rowOf.set(memoryId, row);
    this.#rows[row] = { memoryId, type, validity };
    if ((row + 1) * this.#dimensions > this.#values.length) this.#grow();
    this.#values.set(values, row * this.#dimensions);
    this.#meaningLengths[row] = meaningLength(values);
    this.#compared = undefined;
    return row;
  }

  /** A half more, since a matrix that is copied at every row would cost more than it saves. */
  #grow(): void {
    const rows = Math.ceil((this.#values.length / this.#dimensions) * 1.5);
    const values = new Float32Array(rows * this.#dimensions);
    values.set(this.#values);
    this.#values = values;
  }

  async nearest(products: DotProducts, query: Float32Array, { limit, types, asOf }: Filter): Promise<VectorScore[]> {
    const all = this.#values.subarray(0, this.size * this.#dimensions);
    if (this.#compared?.query !== query) this.#compared = { query, products: await products(all, query) };
    const found = best(this.#compared.products, limit, {
      fits: (row) => this.#fits(row, types, asOf),
      isBefore: (one, other) => this.#rows[one]!.memoryId < this.#rows[other]!.memoryId,
    });
    return this.#scored(found, query);
  }

  /** The scores of those that are here. */
  scores(query: Float32Array, memoryIds: readonly string[]): VectorScore[] {
    return this.#scored(
      memoryIds.flatMap((id) => this.#rowOf.get(id) ?? []),
      query,
    );
  }

  /** Anew: in a matrix product equal rows differ in their last bits. */
  #scored(rows: readonly number[], query: Float32Array): VectorScore[] {
    const cosine = cosineWith(query);
    return rows.map((row) => ({
      memoryId: this.#rows[row]!.memoryId,
      score: dot(this.#at(row), query),
      cosine: cosine(this.#at(row), this.#meaningLengths[row]),
    }));
  }

  #fits(row: number, types: Filter['types'], asOf: Date | undefined): boolean {
    const { type, validity } = this.#rows[row]!;
    if (types && !types.includes(type)) return false;
    if (!asOf) return validity.until === null;
    return validity.from <= asOf && (validity.until === null || validity.until > asOf);
  }

  #at(row: number): Float32Array {
    return this.#values.subarray(row * this.#dimensions, (row + 1) * this.#dimensions);
  }
}
