import type { Db } from '../../db/database.ts';
import { findAttributeAnswer, type AttributeQuestion } from '../memories/answer-store.ts';
import type { CandidateRow } from '../memories/candidate-row.ts';
import { readCandidates, type CandidateSelection } from '../memories/candidate-store.ts';
import { findSuccessors } from '../memories/successor-store.ts';
import type { MemorySelection } from '../memories/memory.ts';
import { documentFrequencies, searchTerms, type TermMatch, type TermQuery } from '../search-index/term-store.ts';
import type { VectorSpace } from '../vectors/vector-recipe.ts';
import type { NarrowedAccess } from '../tenancy/access.ts';

/**
 * Reads what finding candidates needs beside vectors: only of what `access` may read, as of its revisions or later.
 * `space` is the one that the query is in, since what is kept in memory is kept with the vectors of one.
 */
export interface CandidateReads {
  /** Counts the memories in which each term occurs; counts stop at 5,000. */
  documentFrequencies(
    access: NarrowedAccess,
    space: VectorSpace,
    terms: readonly bigint[],
  ): Promise<Map<bigint, number>>;
  /** The memories that have words of the query, of any status, best first. */
  matchWords(access: NarrowedAccess, space: VectorSpace, query: TermQuery): Promise<TermMatch[]>;
  /** Reads the selected candidates, in no order. */
  readCandidates(access: NarrowedAccess, space: VectorSpace, selection: CandidateSelection): Promise<CandidateRow[]>;
  /** Finds the current statements that replaced a superseded one in each of these passages. */
  findSuccessors(
    access: NarrowedAccess,
    space: VectorSpace,
    passages: MemorySelection & { readonly ids: readonly string[] },
  ): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The statement that gives the value of an attribute of the reader's user; null: none does. */
  findAnswer(access: NarrowedAccess, asked: AttributeQuestion): Promise<string | null>;
}

export const candidatesInDatabase = (db: Db): CandidateReads => ({
  documentFrequencies: (access, _, terms) => documentFrequencies(db, access, terms),
  matchWords: (access, _, query) => searchTerms(db, access, query),
  readCandidates: (access, _, selection) => readCandidates(db, access, selection),
  findSuccessors: (access, _, { ids, ...filter }) => findSuccessors(db, access, ids, filter),
  findAnswer: (access, asked) => findAttributeAnswer(db, access, asked),
});
