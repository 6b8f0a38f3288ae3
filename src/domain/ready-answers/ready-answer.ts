import type { Message } from '../conversations/conversation.ts';
import type { Stamp } from '../freshness/heard-changes.ts';
import type { ScoredMemory } from '../retrieval/scored-memory.ts';
import type { Named } from '../tenancy/access.ts';

/** A memory of an answer, with its id as rows have it. */
export type AnsweredMemory = ScoredMemory & { readonly uuid: string };

/** What the store answered before it was asked, and what must still hold when it is told. */
export interface ReadyAnswer {
  /** Its reader: whom its conversation belongs to. */
  readonly named: Named;
  readonly memories: readonly AnsweredMemory[];
  readonly totalTokens: number;
  readonly budgetExceeded: boolean;
  readonly configurationVersion: number;
  /** Of all owners that its reader reads, read before the memories. */
  readonly revisions: ReadonlyMap<number, bigint>;
  /** The same as one text; see `markOf`. */
  readonly mark: string;
  /** Taken before those; see `HeardChanges`. Empty where another process made it. */
  readonly stamp: Stamp;
  readonly expiresAt: Date;
  /** What was said last in its conversation, oldest first, when so many messages had been said. */
  readonly recent: { readonly messages: readonly Message[]; readonly count: number };
  /** Whether more was said since, as far as this process can tell; none where it cannot. */
  readonly heardMore?: () => boolean;
}

/** So that what no revision tells of, such as how often a memory was accessed, is never old. */
const keptMs = 5 * 60_000;

/** Until when the answer may be told, as far as its memories go: none of them ends, or falls due, before. */
export function expiryOfAnswer(memories: readonly AnsweredMemory[], now: Date): Date {
  const ends = memories.flatMap(({ expiresAt, validUntil, dueAt }) => [
    ...(expiresAt ? [expiresAt.getTime()] : []),
    ...[validUntil, dueAt].flatMap((time) => (time && time > now ? [time.getTime()] : [])),
  ]);
  return new Date(Math.min(now.getTime() + keptMs, ...ends));
}
