import { indexedText } from '../vectors/vector-recipe.ts';
import type { CandidateRow } from '../memories/candidate-row.ts';
import { logit } from '../memories/log-odds.ts';
import type { RankedCandidate } from './candidate.ts';
import type { RelevanceModel } from './relevance-model.ts';
import type { Hit } from './search.ts';

/**
 * So many are judged by the model, which takes 2 to 5 ms of a core for each, by its length: the first by rank, and the
 * nearest preferences behind them, since an instruction or a limit seldom shares words with the request that it bears
 * on.
 */
const judgedAtMost = { byRank: 20, preferences: 4 } as const;

/**
 * The coefficients of the log-odds that a query needs a memory: by the model's judgement together with the parts of its
 * rank; by its rank, where the model could not be asked; or, in `fast`, by the parts of its rank alone. What an
 * assistant said is seldom needed, a bare question hardly ever. Beside a judgement the similarity tells little that is
 * new, and the words and turns, `others`, more. Without one, words in common often only repeat the topic, and when it
 * was said tells nothing. Fitted by `scripts/fit-relevance.mjs` on the requests of corpus/, in which most memories do
 * not matter.
 */
const relevanceCoefficients = {
  judged: { need: 0.72, similarity: 2.16, assistant: 28.8, isBareQuestion: 36, others: 5.04, constant: -0.93 },
  ranked: { rank: 7.01, constant: -4.07 },
  similar: {
    covered: 5.14,
    coveredAround: 5.14,
    assistant: 30.84,
    isBareQuestion: 37.22,
    recent: 0,
    others: 10.28,
    constant: -4.62,
  },
} as const;

/**
 * The hits for a query, best first; `wasJudged` is false when the model should have judged them and could not be used.
 */
export interface JudgedHits {
  readonly hits: Hit[];
  readonly wasJudged: boolean;
}

/** A hit of `fast`, where no model judges. */
export const scoreBySimilarity = (ranked: RankedCandidate): Hit => hitOf(ranked, relevanceCoefficients.similar);

/**
 * At most `limit` candidates, or as many as are judged, with the log-odds that the query needs them, best first. What
 * was not judged comes behind all that was judged for its rank. Where the model cannot be used, all by their rank.
 */
export async function judgeRelevance(
  model: RelevanceModel,
  query: string,
  ranked: readonly RankedCandidate[],
  limit: number,
): Promise<JudgedHits> {
  const judged = selectJudged(ranked);
  const needs = await model.needs(
    query,
    judged.map(({ candidate }) => judgedText(candidate.row)),
  );
  if (!needs) return { hits: ranked.slice(0, limit).map(scoreRanked), wasJudged: false };
  const scored = judged.map((each, n) => scoreJudged(each, needs[n]!));
  const min = Math.min(...scored.slice(0, judgedAtMost.byRank).map(({ score }) => score));
  const isJudged = new Set(judged);
  const others = ranked.filter((each) => !isJudged.has(each)).slice(0, Math.max(0, limit - judged.length));
  const rest = others.map((each) => {
    const hit = scoreRanked(each);
    return hit.score > min ? { ...hit, score: min, parts: { judgedLess: min } } : hit;
  });
  return { hits: [...scored, ...rest].toSorted((one, other) => other.score - one.score), wasJudged: true };
}

function selectJudged(ranked: readonly RankedCandidate[]): RankedCandidate[] {
  const preferences = ranked
    .slice(judgedAtMost.byRank)
    .filter(({ candidate }) => candidate.row.type === 'preferences')
    .toSorted((one, other) => other.candidate.similarity - one.candidate.similarity);
  return [...ranked.slice(0, judgedAtMost.byRank), ...preferences.slice(0, judgedAtMost.preferences)];
}

/**
 * The text that the model reads for a memory, as `scripts/train/corpus.py` makes it: with its speaker's name or role.
 */
export const judgedText = ({ text, speaker, role }: Pick<CandidateRow, 'text' | 'speaker' | 'role'>): string =>
  role === 'assistant' ? `assistant: ${text}` : indexedText(text, speaker);

function scoreJudged(ranked: RankedCandidate, need: number): Hit {
  const { judged } = relevanceCoefficients;
  return hitOf(ranked, judged, { need: judged.need * logit(need) });
}

/** The log-odds of relevance by a memory's rank alone. */
export const logOddsByRank = ({ rank }: Pick<RankedCandidate, 'rank'>): number =>
  rank * relevanceCoefficients.ranked.rank + relevanceCoefficients.ranked.constant;

function scoreRanked(ranked: RankedCandidate): Hit {
  const { rank, constant } = relevanceCoefficients.ranked;
  return hitOf(ranked, { others: rank, constant });
}

/** The coefficients of features by name; `others` is that of the rest. */
interface Coefficients {
  readonly [feature: string]: number;
  readonly others: number;
  readonly constant: number;
}

/** A hit scored by the sum of what was judged, the parts of its rank by their coefficients, and the constant. */
function hitOf(
  { candidate, parts: ranked }: RankedCandidate,
  { others, constant, ...own }: Coefficients,
  judged: Readonly<Record<string, number>> = {},
): Hit {
  const weighed = ranked.flatMap(([name, part]) => (part === 0 ? [] : [[name, part * (own[name] ?? others)] as const]));
  const parts = { ...judged, ...Object.fromEntries(weighed), constant };
  const score = Object.values(parts).reduce((sum, part) => sum + part, 0);
  return { id: candidate.row.id, score, parts, row: candidate.row };
}
