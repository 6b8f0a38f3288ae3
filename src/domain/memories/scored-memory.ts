import type { retrievalModes } from '../configurations/configuration.ts';
import type { Memory } from './memory.ts';

export type RetrievalMode = (typeof retrievalModes)[number];

/** A memory with its place in an answer: higher scores come first; `parts` (when asked for) sum to the score. */
export interface ScoredMemory extends Memory {
  readonly score: number;
  readonly parts: Readonly<Record<string, number>> | null;
}
