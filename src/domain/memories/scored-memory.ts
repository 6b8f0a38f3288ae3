import { sigmoid } from './log-odds.ts';
import type { Memory } from './memory.ts';

/** A memory with its place in an answer. */
export interface ScoredMemory extends Memory {
  /**
   * Log-odds that the query needs it, and no more than those of a memory of the same answer that may have replaced it:
   * higher scores come first.
   */
  readonly score: number;
  /** The parts that the score is the sum of, when they were asked for. */
  readonly parts: Readonly<Record<string, number>> | null;
}

/** A memory of a context, with its id as rows have it. */
export interface ContextMemory extends ScoredMemory {
  readonly uuid: string;
  /** The probability, 0 to 1, that the query needs it, whatever its place. */
  readonly relevance: number;
}

/** The probability, 0 to 1, that the query needs a memory with this score. */
export const relevanceOf = sigmoid;
