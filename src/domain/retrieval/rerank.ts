import type { Candidate, LexicalScore, Ranked } from './candidate.ts';
import { coefficients, type Coefficients } from './coefficients.ts';
import { featureNames, featuresOf } from './features.ts';
import { poolOf } from './pool.ts';
import type { AnalysedQuery } from './query.ts';

/**
 * Orders candidates by a logistic score of their features, best first: for talk between people and for work with an
 * assistant the same features, weighed apart, because what stands beside an answer helps in one and misleads in the
 * other. `parts`, made when read, says what each feature added.
 */
export function rank(
  query: AnalysedQuery,
  candidates: readonly Candidate[],
  lexical: readonly LexicalScore[],
): Ranked[] {
  const pool = poolOf(query, candidates, lexical);
  return pool.readings
    .map((reading) => {
      const { candidate } = reading;
      const weights = pool.assisted.has(candidate.documentId) ? coefficients.assisted : coefficients.between;
      return new Scored(candidate, featuresOf(reading, pool), weights);
    })
    .toSorted((one, other) => other.score - one.score);
}

class Scored implements Ranked {
  readonly candidate: Candidate;
  readonly score: number;
  readonly #values: readonly number[];
  readonly #weights: Coefficients;

  constructor(candidate: Candidate, values: readonly number[], weights: Coefficients) {
    this.candidate = candidate;
    this.#values = values;
    this.#weights = weights;
    this.score = values.reduce((sum, value, at) => sum + value * weightOf(weights, at), weights.base);
  }

  get parts(): Record<string, number> {
    const parts: Record<string, number> = { base: this.#weights.base };
    for (const [at, value] of this.#values.entries()) {
      const part = value * weightOf(this.#weights, at);
      if (part !== 0) parts[featureNames[at] ?? ''] = part;
    }
    return parts;
  }
}

const weightOf = (weights: Coefficients, at: number): number => {
  const name = featureNames[at];
  return name === undefined ? 0 : weights[name];
};
