import type { Candidate, LexicalScore, RankedCandidate } from './candidate.ts';
import { scorePartsOf } from './features.ts';
import { createCandidatePool } from './candidate-pool.ts';

/**
 * Orders candidates by what their words, their meaning and the turns around them say, best first. `stems`: those of the
 * query with their idf.
 */
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
