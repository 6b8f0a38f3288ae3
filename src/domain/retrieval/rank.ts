import type { Candidate, LexicalScore, RankedCandidate } from './candidate.ts';
import { createCandidatePool, type CandidatePool, type MeasuredCandidate } from './candidate-pool.ts';

const bit = (value: boolean): number => (value ? 1 : 0);

/** The features of a candidate, each at most 1. */
const rankingFeatures = {
  /** The likeness of its meaning, and a little of that of the turns beside it. */
  similarity: ({ candidate }) => candidate.similarity,
  /** The BM25 of its words, few beside a long text. A question repeats those of the query, and answers nothing. */
  words: ({ candidate, asks }, pool) => (asks ? 0 : pool.relativeBm25(candidate.bm25)),
  /** The share of the query's words that it has, each word by its rarity. */
  covered: ({ stems }, pool) => pool.share(stems),
  coveredAround: ({ candidate }, pool) => pool.shareAround(candidate.row.documentId, candidate.row.turn),
  /** The turn before asked with words of the query: an answer need not repeat them. */
  answersQuestion: ({ candidate }, pool) => pool.askedBefore(candidate.row.documentId, candidate.row.turn),
  /** One statement that stands alone is preferred to the turn that it is from. */
  typed: ({ candidate }) => bit(candidate.row.type !== 'episodes'),
  /** Its recency among the candidates: of two that say the same of a time, the later one holds more often. */
  recent: ({ candidate }, pool) => pool.recency(candidate.row.at),
  /** An assistant said it: that is known to the agent, and seldom matters about a person. */
  assistant: ({ candidate }) => bit(candidate.row.role === 'assistant'),
  /** It only asks: however like the query it is, it does not answer it. */
  isBareQuestion: ({ isBareQuestion }) => bit(isBareQuestion),
} satisfies Record<string, (reading: MeasuredCandidate, pool: CandidatePool) => number>;

type FeatureName = keyof typeof rankingFeatures;

/**
 * The weight of each feature in the rank of a candidate, in units of similarity. Their signs are known; their sizes are
 * round values set by hand, see docs/experiments.md.
 */
export const featureWeights: Readonly<Record<FeatureName, number>> = {
  similarity: 1,
  words: 0.6,
  covered: 0.4,
  coveredAround: 0.25,
  answersQuestion: 1,
  typed: 0.05,
  recent: 0.07,
  assistant: -0.1,
  isBareQuestion: -0.2,
};

const names = Object.keys(rankingFeatures) as FeatureName[];

/** The part of one candidate's rank that each feature adds, in the order of `rankingFeatures`. */
const scorePartsOf = (reading: MeasuredCandidate, pool: CandidatePool): [FeatureName, number][] =>
  names.map((name) => [name, rankingFeatures[name](reading, pool) * featureWeights[name]]);

/** Orders candidates by words, meaning and neighbouring turns, best first. `stems`: the query's, with their idf. */
export function rankCandidates(
  stems: ReadonlyMap<string, number>,
  candidates: readonly Candidate[],
  lexical: readonly LexicalScore[],
): RankedCandidate[] {
  const pool = createCandidatePool(stems, candidates, lexical);
  return pool.readings
    .map((reading): RankedCandidate => {
      const parts = scorePartsOf(reading, pool);
      return { candidate: reading.candidate, rank: parts.reduce((sum, [, part]) => sum + part, 0), parts };
    })
    .toSorted((one, other) => other.rank - one.rank);
}
