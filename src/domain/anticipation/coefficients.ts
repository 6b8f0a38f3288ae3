// Written by scripts/train-anticipation.mjs; do not edit. Conditional logit with L2 over 3220 situations.
import type { FeatureName } from './features.ts';

export type Coefficients = Readonly<Record<FeatureName | 'intercept', number>>;

/** What each feature adds to the log-odds that a memory will be needed, for one unit of it. */
export const coefficients: Readonly<Record<'waiting' | 'listening', Coefficients>> = {
  /** Before a word of the next turn is known. */
  waiting: {
    intercept: -4.127,
    asked: 1.912,
    askedOdds: 0.218,
    before: 0.399,
    window: 0.471,
    reply: 1.019,
    beside: -0.045,
    base: 1.1,
    learned: 2.87,
    agent: -2.094,
    laterPassage: -0.99,
    typed: 0.082,
    age: -0.857,
  },
  /** While it is said, and until it is answered. */
  listening: {
    intercept: -4.246,
    asked: 3.091,
    askedOdds: 0.353,
    before: 0.493,
    window: 0.26,
    reply: 0.819,
    beside: 0.423,
    base: 0.865,
    learned: 2.974,
    agent: -2.067,
    laterPassage: -1.032,
    typed: -0.216,
    age: -1.057,
  },
};
