/**
 * Constants that the SQL of a fetch shares with `scripts/lab/search.mjs`: what is fitted there only holds for these.
 */

/** Okapi BM25 (Robertson et al. 1994) over memories; a length counts the stems of the indexed text. */
export const bm25 = { k1: 1.2, b: 0.75 } as const;

export const candidateLimits = {
  /** Candidates by vector score, and by BM25. */
  nearest: 150,
  lexical: 150,
  /** BM25 scores of the best matching memories, for window and session sums. */
  lexicalScores: 400,
  /** The best of both lists in turn, whose neighbours become candidates too, and how many turns to either side. */
  expanded: 40,
  reach: 2,
  /** The nearest memories of the type `preferences`: a standing instruction rarely shares words with its occasion. */
  preferences: 20,
} as const;
