import type { CandidateRow } from '../memories/candidate-row.ts';
import type { MemoryType } from '../memory-types.ts';

/** The words of a memory, and the passage that it is from: by these a repetition is told. */
export interface RowText {
  readonly text: string;
  readonly type: MemoryType;
  readonly documentId: string;
  readonly turn: number;
  readonly passage: number;
}

/** A key that is the same for a passage and the statements in it: most turns are one, and a long text has many. */
export const passageKeyOf = ({ documentId, turn, passage }: Pick<RowText, 'documentId' | 'turn' | 'passage'>): string =>
  `${documentId}/${turn}/${passage}`;

/** One memory that may answer a query. */
export interface Candidate {
  /** The row it was read from, with its text decrypted. What its text shows is kept as long as the row. */
  readonly row: CandidateRow;
  /** BM25 with the constants of `bm25` in `candidate-generation.ts`; 0 when no term matches. */
  readonly bm25: number;
  /** Cosine of its meaning with that of the query; 0 when there is none. */
  readonly similarity: number;
}

/** BM25 of a memory that matches the query, whether or not it became a candidate: for windows and sessions. */
export interface LexicalScore {
  readonly documentId: string;
  readonly turn: number;
  readonly bm25: number;
}

export interface RankedCandidate {
  readonly candidate: Candidate;
  /** Orders the candidates of one query, in units of similarity: the sum of its parts. */
  readonly rank: number;
  readonly parts: readonly (readonly [feature: string, part: number])[];
}
