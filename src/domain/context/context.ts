import type { MemoryType } from '../configurations/configuration.ts';
import type { Message } from '../conversations/conversation.ts';
import type { RetrievalMode, ScoredMemory } from '../retrieval/scored-memory.ts';
import type { Named } from '../tenancy/access.ts';

/** Where an answer came from: looked up, or ready before it was asked for. */
export const contextSources = ['store', 'anticipation'] as const;

/** What an agent asks, within the `limits` of a fetch. */
export interface ContextQuery extends Named {
  readonly conversationId?: string | undefined;
  /** At least one. */
  readonly searchQueries: readonly string[];
  readonly types?: readonly MemoryType[] | undefined;
  /** This and the next two: as the configuration says where it is left out. */
  readonly mode?: RetrievalMode | undefined;
  /** Tokens that the contents together may have. */
  readonly contextBudget?: number | undefined;
  /** At least 1. */
  readonly maxResults?: number | undefined;
  /** What held at this time, instead of what holds now. */
  readonly asOf?: Date | undefined;
  readonly explain: boolean;
}

/** What a fetch returns. */
export interface Context<M extends ScoredMemory = ScoredMemory> {
  /** Whom it is for: those the query named, or those its conversation belongs to. */
  readonly named: Named;
  readonly memories: readonly M[];
  readonly source: (typeof contextSources)[number];
  readonly totalTokens: number;
  /** Something that ranked was left out for the budget. */
  readonly budgetExceeded: boolean;
  /** What was said last in the conversation that the query names, oldest first; null when it names none. */
  readonly recentMessages: readonly Message[] | null;
  readonly warnings: readonly string[];
  readonly configurationVersion: number;
}
