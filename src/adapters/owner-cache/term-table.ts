import type { TermCounts, TermQuery } from '../../domain/search-index/term-store.ts';

/** A term occurs less often than this in a memory (smallint): a row and a count are one number. */
const countsBelow = 32_768;
/** The bytes of a term with its list, and of an entry, which stands in two. */
const [termBytes, entryBytes] = [72, 16];

/** The words of memories by term, as an index of words has them, with each memory's length. */
export class TermTable {
  /** The places of terms in `#rows`. */
  readonly #places = new Map<bigint, number>();
  /** The rows that each term occurs in, with how often. */
  readonly #rows: number[][] = [];
  /** The places of each row's terms, with how often it has each. */
  readonly #terms: number[][] = [];
  readonly #lengths: number[] = [];
  #entries = 0;
  /** Memories that have words: one with terms of its metadata alone has none. */
  size = 0;

  get bytes(): number {
    return this.#rows.length * termBytes + this.#entries * entryBytes;
  }

  /** Puts the words that a row has now in the place of those that it had. */
  set(row: number, { terms, counts, length }: TermCounts = noWords): void {
    const before = this.#terms[row] ?? [];
    const now = terms.map((term, n) => this.#placeOf(term) * countsBelow + counts[n]!);
    if (isSame(now, before)) return;
    for (const entry of before) this.#leave(row, entry);
    for (const [n, entry] of now.entries()) this.#rowsOf(entry).push(row * countsBelow + counts[n]!);
    this.#entries += now.length - before.length;
    this.size += Number(length > 0) - Number((this.#lengths[row] ?? 0) > 0);
    this.#terms[row] = now;
    this.#lengths[row] = length;
  }

  #placeOf(term: bigint): number {
    const existing = this.#places.get(term);
    if (existing !== undefined) return existing;
    this.#places.set(term, this.#rows.length);
    return this.#rows.push([]) - 1;
  }

  /** The rows with the term of an entry in `#terms`. */
  #rowsOf(entry: number): number[] {
    return this.#rows[Math.floor(entry / countsBelow)]!;
  }

  #leave(row: number, entry: number): void {
    const rows = this.#rowsOf(entry);
    rows.splice(rows.indexOf(row * countsBelow + (entry % countsBelow)), 1);
  }

  /** The number of memories in which a term occurs. */
  frequency(term: bigint): number {
    return this.#rowsWith(term).length;
  }

  /** Okapi BM25 of each row that has a term of the query; in the same order of operations as `searchTerms` in SQL. */
  scores({ idf, averageLength, k1, b }: TermQuery): Map<number, number> {
    const scores = new Map<number, number>();
    const [ceiling, even, perStem] = [k1 + 1, 1 - b, b / averageLength];
    for (const [term, weight] of idf) {
      for (const entry of this.#rowsWith(term)) {
        const count = entry % countsBelow;
        const row = (entry - count) / countsBelow;
        const score = (weight * count * ceiling) / (count + k1 * (even + perStem * this.#lengths[row]!));
        scores.set(row, (scores.get(row) ?? 0) + score);
      }
    }
    return scores;
  }

  #rowsWith(term: bigint): readonly number[] {
    const place = this.#places.get(term);
    return place === undefined ? [] : this.#rows[place]!;
  }
}

const noWords: TermCounts = { terms: [], counts: [], length: 0 };

/** Compares two lists without repetitions, in any order. */
function isSame(some: readonly number[], others: readonly number[]): boolean {
  const existing = new Set(others);
  return some.length === others.length && some.every((entry) => existing.has(entry));
}

/** The `limit` highest scores by place, best first; in the order of the ids where scores are equal. */
export function bestMatches(
  scores: ReadonlyMap<number, number>,
  limit: number,
  idOf: (place: number) => string,
): [place: number, score: number][] {
  const min = Float64Array.from(scores.values()).toSorted().at(-limit) ?? 0; // of most only this is looked at
  return [...scores]
    .filter(([, score]) => score >= min)
    .toSorted(([one, first], [other, second]) => second - first || (idOf(one) < idOf(other) ? -1 : 1))
    .slice(0, limit);
}
