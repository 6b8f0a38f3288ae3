import type { Message } from '../conversations/conversation.ts';
import type { ContextMemory } from '../memories/scored-memory.ts';
import type { SubjectIds } from '../tenancy/access.ts';

/** The key of a prefetched context: the words that one conversation asks for, and the options that it asks with. */
export interface PrefetchKey {
  readonly instanceNumber: bigint;
  /** A UUID. */
  readonly conversationId: string;
  /** See `optionsKeyOf`. */
  readonly options: string;
  /** The text of the query, as `normaliseQueryText` gives it. */
  readonly words: string;
}

/** A context that was retrieved before it was asked for, and what must still be so when it is served. */
export interface PrefetchedContext {
  /** The user and customer of its conversation. */
  readonly named: SubjectIds;
  readonly memories: readonly ContextMemory[];
  readonly totalTokens: number;
  readonly budgetExceeded: boolean;
  readonly configurationVersion: number;
  /** The version vector of all owners that its reader reads, read before the memories. */
  readonly versions: string;
  readonly expiresAt: Date;
  /** The last messages of its conversation, oldest first, when it had so many. */
  readonly recent: { readonly messages: readonly Message[]; readonly count: number };
}

/** Limits the age of what no revision covers, such as how often a memory was accessed. */
const keptMs = 5 * 60_000;

/** Until when a context of these memories may be served: none of them ends, or falls due, before. */
export function expiryOfContext(memories: readonly ContextMemory[], now: Date): Date {
  const ends = memories.flatMap(({ expiresAt, validUntil, dueAt }) => [
    ...(expiresAt ? [expiresAt.getTime()] : []),
    ...[validUntil, dueAt].flatMap((time) => (time && time > now ? [time.getTime()] : [])),
  ]);
  return new Date(Math.min(now.getTime() + keptMs, ...ends));
}
