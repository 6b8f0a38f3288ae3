// Written by scripts/train-anticipation.mjs; do not edit. Conditional logit with L2 over 3220 situations.
import type { FeatureName } from './features.ts';

export type Coefficients = Readonly<Record<FeatureName | 'intercept', number>>;

/** The weight of each feature: what one unit of it adds to the log-odds that a memory will be needed. */
export const coefficients: Readonly<Record<'waiting' | 'listening', Coefficients>> = {
  /** Before a word of the next turn is known. */
  waiting: {
    intercept: -5.206,
    asked: 1.88,
    askedOdds: 0.239,
    before: 0.574,
    nearest: 0.576,
    reply: 0.621,
    replyOdds: 0.981,
    beside: -0.127,
    base: 1.173,
    learned: 3.768,
    agent: -2.082,
    laterPassage: -0.987,
    typed: 0.027,
    age: -0.212,
    recent: 1.574,
  },
  /** While it is said, and until it is answered. */
  listening: {
    intercept: -5.075,
    asked: 3.039,
    askedOdds: 0.387,
    before: 0.55,
    nearest: 0.428,
    reply: 0.528,
    replyOdds: 0.709,
    beside: 0.332,
    base: 0.844,
    learned: 3.868,
    agent: -2.068,
    laterPassage: -1.026,
    typed: -0.276,
    age: -0.519,
    recent: 1.235,
  },
};
