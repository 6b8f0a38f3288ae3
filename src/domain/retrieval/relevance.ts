import { indexedText } from '../vectors/vector-recipe.ts';
import { logit } from '../memories/log-odds.ts';
import type { Candidate, RankedCandidate } from './candidate.ts';
import type { RelevanceModel } from './relevance-model.ts';
import type { Hit } from './search.ts';

/**
 * So many of the first are judged by the model, which takes 2 to 5 ms of a core for each, by its length.
 */
export const judgedAtMost = 24;

/**
 * How what is known of a memory comes to the log-odds that the query needs it: by the model's judgement together with
 * the parts of its rank, by its rank where no model judged it, or by the similarity of its vector, which is all that
 * `fast` knows. Beside a judgement the similarity tells little that is new, and the words and turns, `others`, more.
 * Fitted by `scripts/fit-relevance.mjs` on the requests of corpus/, in which most memories do not matter.
 */
const relevanceCoefficients = {
  judged: { need: 0.67, similarity: 2.01, others: 4.69, constant: -1.3 },
  ranked: { rank: 3.96, constant: -3.73 },
  similar: { similarity: 4.25, constant: -3.58 },
} as const;

/**
 * The hits for a query, best first; `wasJudged` is false when the model should have judged them and could not be used.
 */
export interface JudgedHits {
  readonly hits: Hit[];
  readonly wasJudged: boolean;
}

/** Found by vectors alone. */
export function scoreBySimilarity({ memoryId, score: similarity }: { memoryId: string; score: number }): Hit {
  const { similarity: weight, constant } = relevanceCoefficients.similar;
  return hitOf(memoryId, { similarity: similarity * weight, constant });
}

/**
 * Candidates with the log-odds that the query needs them, best first: as the model judges those that rank first, and the
 * rest behind them. Where the model cannot be used, all by their rank.
 */
export async function judgeRelevance(
  model: RelevanceModel,
  query: string,
  ranked: readonly RankedCandidate[],
): Promise<JudgedHits> {
  const first = ranked.slice(0, judgedAtMost);
  const needs = await model.needs(
    query,
    first.map(({ candidate }) => judgedText(candidate)),
  );
  if (!needs) return { hits: ranked.map(scoreRanked), wasJudged: false };
  const judged = first.map((each, n) => scoreJudged(each, needs[n]!)).toSorted((one, other) => other.score - one.score);
  const least = judged.at(-1)?.score ?? 0;
  const rest = ranked.slice(judgedAtMost).map((each) => {
    const hit = scoreRanked(each);
    return hit.score > least ? { ...hit, score: least, parts: { judgedLess: least } } : hit;
  });
  return { hits: [...judged, ...rest], wasJudged: true };
}

/**
 * The text that the model reads for a memory, as `scripts/train/corpus.py` makes it: with its speaker's name or role.
 */
export const judgedText = ({ text, speaker, role }: Candidate): string =>
  role === 'assistant' ? `assistant: ${text}` : indexedText(text, speaker);

function scoreJudged(ranked: RankedCandidate, need: number): Hit {
  const { need: weight, similarity, others, constant } = relevanceCoefficients.judged;
  const parts = weighed(ranked, (feature) => (feature === 'similarity' ? similarity : others));
  return { ...hitOf(ranked.candidate.id, { need: weight * logit(need), ...parts, constant }), row: rowOf(ranked) };
}

/** The log-odds of relevance by a memory's rank alone. */
export const logOddsByRank = ({ rank }: Pick<RankedCandidate, 'rank'>): number =>
  rank * relevanceCoefficients.ranked.rank + relevanceCoefficients.ranked.constant;

function scoreRanked(ranked: RankedCandidate): Hit {
  const { rank, constant } = relevanceCoefficients.ranked;
  const parts = weighed(ranked, () => rank);
  return { ...hitOf(ranked.candidate.id, { ...parts, constant }), row: rowOf(ranked) };
}

const hitOf = (id: string, parts: Record<string, number>): Hit => ({
  id,
  score: Object.values(parts).reduce((sum, part) => sum + part, 0),
  parts,
});

const weighed = ({ parts }: RankedCandidate, weightOf: (feature: string) => number): Record<string, number> =>
  Object.fromEntries(parts.flatMap(([name, part]) => (part === 0 ? [] : [[name, part * weightOf(name)]])));

const rowOf = ({ candidate }: RankedCandidate) => candidate.row ?? candidate;
