import { countedUpTo, type WordMatch } from '../../domain/search-index/store.ts';
import type { CandidateReads } from '../../domain/retrieval/candidate-reads.ts';
import type { VectorIndex, VectorScore } from '../../domain/search-index/vector-index.ts';
import { isSameSpace, type VectorSpace } from '../../domain/search-index/vector-space.ts';
import type { OwnedAccess } from '../../domain/tenancy/access.ts';
import { byScore } from '../score-vector.ts';
import type { DotProducts } from './dot-products.ts';
import { OwnerCopies, type CopyOptions } from './owner-copies.ts';
import type { OwnerCopy } from './owner-copy.ts';
import type { OwnerSource } from './owner-source.ts';

/** What answers where there is no copy, and what copies are read from. */
export interface Stores {
  readonly index: VectorIndex;
  readonly candidates: CandidateReads;
  readonly source: OwnerSource;
}

/**
 * Keeps the memories of owners in memory while they are asked for, with all that finding them reads: their vectors, their
 * words and their rows, whose text stays sealed until it is read. The embedded Postgres needs many times as long, and
 * Weaviate sends each vector that it compared.
 */
export function keepWorkingSet(
  { index, candidates, source }: Stores,
  { products, ...options }: CopyOptions & { readonly products: DotProducts },
): { vectors: VectorIndex; candidates: CandidateReads; settled(): Promise<void> } {
  const copies = new OwnerCopies(source, options);
  return {
    vectors: vectorsAtHand(copies, index, products),
    candidates: candidatesAtHand(copies, candidates),
    settled: () => copies.settled(),
  };
}

const vectorsAtHand = (copies: OwnerCopies, index: VectorIndex, products: DotProducts): VectorIndex => ({
  ...index,

  async nearest(access, search) {
    const { copies: near, rest } = await copies.share(access, search.vector.space);
    if (!near.length) return index.nearest(access, search);
    const found = await Promise.all([
      ...near.map((copy) => copy.nearest(products, search)),
      rest.reads.length ? index.nearest(rest, search) : [],
    ]);
    return found.flat().toSorted(byScore).slice(0, search.limit);
  },

  async score(access, vector, memoryIds): Promise<VectorScore[]> {
    const { copies: near, rest } = await copies.share(access, vector.space);
    if (!near.length) return index.score(access, vector, memoryIds);
    const known = near.flatMap((copy) => copy.scores(vector.values, memoryIds));
    const others = memoryIds.filter((id) => !near.some((copy) => copy.has(id)));
    return rest.reads.length && others.length ? [...known, ...(await index.score(rest, vector, others))] : known;
  },

  async remove(tx, access, memoryIds, space) {
    copies.drop(
      (copy) =>
        copy.of.i === access.i && (!space || isSameSpace(copy.of.space, space)) && memoryIds.some((id) => copy.has(id)),
    );
    return index.remove(tx, access, memoryIds, space);
  },

  async clear(access, kept, limit) {
    copies.drop(({ of }) => of.i === access.i && !kept.some((space) => isSameSpace(of.space, space)));
    return index.clear(access, kept, limit);
  },

  async dropInstance(access) {
    copies.drop(({ of }) => of.i === access.i);
    return index.dropInstance(access);
  },
});

/** Of all owners that are read, or of none: what stands beside a memory may be another owner's. */
function candidatesAtHand(copies: OwnerCopies, store: CandidateReads): CandidateReads {
  async function allOf(access: OwnedAccess, space: VectorSpace): Promise<readonly OwnerCopy[] | null> {
    const { copies: found, rest } = await copies.share(access, space);
    return !rest.reads.length && found.every((copy) => copy.hasAllWords) ? found : null;
  }

  return {
    async documentFrequencies(access, space, terms) {
      const all = await allOf(access, space);
      if (!all) return store.documentFrequencies(access, space, terms);
      const frequency = (term: bigint) => all.reduce((sum, copy) => sum + copy.frequency(term), 0);
      return new Map(terms.map((term) => [term, Math.min(frequency(term), countedUpTo)]));
    },

    async matchWords(access, space, query) {
      const all = await allOf(access, space);
      if (!all) return store.matchWords(access, space, query);
      const found = all.flatMap((copy) => copy.matchWords(query));
      return all.length > 1 ? found.toSorted(byWords).slice(0, query.limit) : found;
    },

    async readCandidates(access, space, selection) {
      const all = await allOf(access, space);
      if (!all) return store.readCandidates(access, space, selection);
      const { ids, expanded, reach } = selection;
      const wanted = new Set(ids);
      for (const place of all.flatMap((copy) => copy.standing(expanded))) {
        for (const copy of all) for (const id of copy.beside(place, reach)) wanted.add(id);
      }
      return all.flatMap((copy) => copy.candidates(wanted, access, selection));
    },

    async findSuccessors(access, space, passages) {
      const all = await allOf(access, space);
      if (all?.every((copy) => !copy.hasSuperseded)) return new Map(); // as it is for most
      return store.findSuccessors(access, space, passages);
    },

    findAnswer: (access, asked) => store.findAnswer(access, asked),
  };
}

const byWords = (one: WordMatch, other: WordMatch) => other.bm25 - one.bm25 || (one.memoryId < other.memoryId ? -1 : 1);
