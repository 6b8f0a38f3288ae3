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
      const weights = pool.assisted.has(candidate.documentId) ? assisted : between;
      return new Scored(candidate, featuresOf(reading, pool), weights);
    })
    .toSorted((one, other) => other.score - one.score);
}

/** In the order of the features: hundreds of candidates have forty each. */
interface Weights {
  readonly base: number;
  readonly of: readonly number[];
}

const inOrder = (of: Coefficients): Weights => ({ base: of.base, of: featureNames.map((name) => of[name]) });
const [assisted, between] = [inOrder(coefficients.assisted), inOrder(coefficients.between)];

class Scored implements Ranked {
  readonly candidate: Candidate;
  readonly score: number;
  readonly #values: readonly number[];
  readonly #weights: Weights;

  constructor(candidate: Candidate, values: readonly number[], weights: Weights) {
    this.candidate = candidate;
    this.#values = values;
    this.#weights = weights;
    this.score = values.reduce((sum, value, at) => sum + value * weights.of[at]!, weights.base);
  }

  get parts(): Record<string, number> {
    const parts: Record<string, number> = { base: this.#weights.base };
    for (const [at, value] of this.#values.entries()) {
      const part = value * this.#weights.of[at]!;
      if (part !== 0) parts[featureNames[at]!] = part;
    }
    return parts;
  }
}
