import type { TermCounts, TermQuery } from '../../domain/search-index/term-store.ts';

/** A term occurs less often than this in a memory (smallint): a row and a count are one number. */
const countsBelow = 32_768;
/** The bytes of a term with its list, and of an entry in one. */
const [termBytes, entryBytes] = [64, 8];

/** The words of memories by term, as an index of words has them, with each memory's length. */
export class TermTable {
  /** The rows that each term occurs in, with how often. */
  readonly #rows = new Map<bigint, number[]>();
  readonly #lengths: number[] = [];
  #entries = 0;
  /** Memories that have words. */
  size = 0;

  get bytes(): number {
    return this.#rows.size * termBytes + this.#entries * entryBytes;
  }

  /** The words of one row, which never change. */
  add(row: number, { terms, counts, length }: TermCounts): void {
    if (this.#lengths[row] !== undefined) return;
    for (const [n, term] of terms.entries()) {
      const rows = this.#rows.get(term) ?? [];
      if (!rows.length) this.#rows.set(term, rows);
      rows.push(row * countsBelow + counts[n]!);
    }
    this.#lengths[row] = length;
    this.#entries += terms.length;
    this.size += 1;
  }

  /** In how many memories it occurs. */
  frequency(term: bigint): number {
    return this.#rows.get(term)?.length ?? 0;
  }

  /** Okapi BM25 of each row that has a term of the query; in the same order of operations as `searchTerms` in SQL. */
  scores({ idf, averageLength, k1, b }: TermQuery): Map<number, number> {
    const scores = new Map<number, number>();
    const [most, even, perStem] = [k1 + 1, 1 - b, b / averageLength];
    for (const [term, weight] of idf) {
      for (const entry of this.#rows.get(term) ?? []) {
        const count = entry % countsBelow;
        const row = (entry - count) / countsBelow;
        const score = (weight * count * most) / (count + k1 * (even + perStem * this.#lengths[row]!));
        scores.set(row, (scores.get(row) ?? 0) + score);
      }
    }
    return scores;
  }
}

/** The `limit` highest scores by place, best first; in the order of the ids where scores are equal. */
export function bestMatches(
  scores: ReadonlyMap<number, number>,
  limit: number,
  idOf: (place: number) => string,
): [place: number, score: number][] {
  const least = Float64Array.from(scores.values()).toSorted().at(-limit) ?? 0; // of most only this is looked at
  return [...scores]
    .filter(([, score]) => score >= least)
    .toSorted(([one, first], [other, second]) => second - first || (idOf(one) < idOf(other) ? -1 : 1))
    .slice(0, limit);
}
