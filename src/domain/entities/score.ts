import type { NameRelation } from './compare-names.ts';

/** A reason to take two entities for one (above 0) or for two (below), and how much it tells: log-odds. */
export interface Feature {
  readonly name: string;
  readonly value: number;
  readonly weight: number;
}

/** Two thresholds on a score of 0 to 1: from `merge` on linked by itself, from `review` on asked about. */
export interface MatchThresholds {
  readonly merge: number;
  readonly review: number;
}
export type MatchDecision = 'merge' | 'review' | 'separate';

export const matchDecisionOf = (score: number, { merge, review }: MatchThresholds): MatchDecision =>
  score >= merge ? 'merge' : score >= review ? 'review' : 'separate';

/** The probability that the features amount to. */
export function matchProbability(features: readonly Feature[]): number {
  const logOdds = features.reduce((sum, feature) => sum + feature.weight, 0);
  return Math.round(1_000 / (1 + Math.exp(-logOdds))) / 1_000;
}

/** The weight of each relation between two names, whatever else is known. */
export const relationWeights: Readonly<Record<NameRelation, number>> = {
  'same-words': 4.5,
  'nickname-and-family': 4,
  handle: 3,
  'initial-and-family': 1.2,
  spelling: 0.6,
  'variant-and-family': 0.6,
  'given-of-full': 1.6,
  'title-and-family': 1.4,
  'courtesy-and-family': -1.4,
  nickname: 1.2,
  'family-of-full': 0.6,
  acronym: 0.6,
  'part-of': 0.6,
  'short-form': -0.3,
};

/** The weights of the circumstances, added to that of the relation. */
export const featureWeights = {
  /** A text says so: "my sister Dana". */
  stated: 5,
  /** No other known entity fits as well. */
  onlyFit: 1.2,
  /** For each other entity that fits as well, twice at most. */
  rival: -2,
  /** The full name is one of those who talk in the same document. */
  participant: 1.8,
  sameDocument: 1,
  /** Both were named by one user, or only by others of the customer. */
  sameCircle: 0.5,
  otherCircle: -1.5,
  sameKind: 0.5,
  otherKind: -4,
  /** For each other entity that both are mentioned with, up to `maxCompanions`. */
  company: 0.3,
  /** Per unit of cosine beyond what any two texts of one person have in common. */
  context: 1.5,
} as const;

/** Likeness (cosine) of the contexts of two names that tells nothing either way. */
export const neutralContextSimilarity = 0.3;

/** The most log-odds by which the texts around two names may move a score, either way. */
export const maxContextShift = 0.6;

/** So many other entities that both names are mentioned with count. */
export const maxCompanions = 3;

/** The decisions on the lowest and on the highest score that the text around the names may lead to. */
export function reachableDecisions(
  features: readonly Feature[],
  thresholds: MatchThresholds,
): readonly [MatchDecision, MatchDecision] {
  const moved = (by: number) =>
    matchDecisionOf(matchProbability([...features, { name: '', value: 1, weight: by }]), thresholds);
  return [moved(-maxContextShift), moved(maxContextShift + featureWeights.company * maxCompanions)];
}
