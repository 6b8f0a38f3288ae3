import type { Candidate, LexicalScore, Ranked } from './candidate.ts';
import { partsOf } from './features.ts';
import { poolOf } from './pool.ts';

/**
 * Orders candidates by what their words, their meaning and the turns around them say, best first. `stems`: those of the
 * query with their idf.
 */
export function rank(
  stems: ReadonlyMap<string, number>,
  candidates: readonly Candidate[],
  lexical: readonly LexicalScore[],
): Ranked[] {
  const pool = poolOf(stems, candidates, lexical);
  return pool.readings
    .map((reading): Ranked => {
      const parts = partsOf(reading, pool);
      return { candidate: reading.candidate, rank: parts.reduce((sum, [, part]) => sum + part, 0), parts };
    })
    .toSorted((one, other) => other.rank - one.rank);
}
