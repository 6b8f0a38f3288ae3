import type { ConversationSummary, Message } from '../conversations/conversation.ts';
import type { ContextMemory } from '../memories/scored-memory.ts';
import type { Metadata } from '../search-index/metadata-terms.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import type { RetrievalMode } from '../configurations/configuration.ts';
import type { FetchOptions } from './fetch-options.ts';

/** The sources of a context: retrieved when it was requested, or prefetched. */
export const contextSources = ['store', 'anticipation'] as const;

/** `json`: the memories as records. `prompt`: also as a block of text for the prompt of a model. */
export const contextFormats = ['json', 'prompt'] as const;

/** A query of an agent, within the `limits` of a fetch. */
export interface ContextQuery extends SubjectIds, FetchOptions {
  readonly conversationId?: string | undefined;
  /** None: what matters whatever is asked. */
  readonly searchQueries: readonly string[];
  /** Only records that have each of these members in their metadata. */
  readonly metadata?: Metadata | undefined;
  /** Finds memories that held at this time; default: those that hold now. */
  readonly asOf?: Date | undefined;
  readonly explain: boolean;
  /** Default: `json`. */
  readonly format?: (typeof contextFormats)[number] | undefined;
}

/** The result of a fetch. */
export interface Context {
  /** The user and customer that the query named, or that its conversation belongs to. */
  readonly named: SubjectIds;
  readonly memories: readonly ContextMemory[];
  readonly source: (typeof contextSources)[number];
  /** The retrieval mode, from the query or else the configuration. */
  readonly mode: RetrievalMode;
  readonly totalTokens: number;
  /** A memory that ranked was left out for the budget. */
  readonly budgetExceeded: boolean;
  /** The last messages of the conversation that the query names, oldest first; null when it names none. */
  readonly recentMessages: readonly Message[] | null;
  /** The latest compaction of that conversation; null when there is none, or no conversation is named. */
  readonly summary: ConversationSummary | null;
  /** The block for the prompt of a model; undefined when another format was asked for. */
  readonly prompt?: string;
  readonly warnings: readonly string[];
  readonly configurationVersion: number;
}

/** The part of prefetching that a fetch uses. */
export interface PrefetchLookup {
  /** The context that was prefetched for this query; null when there is none that still holds. */
  find(access: Access, query: ContextQuery): Promise<Context | null>;
  /** Notes a fetch: its conversation will probably fetch with the same options again. */
  noteFetch(access: Access, query: ContextQuery): void;
}
