import type { SubjectIds } from '../tenancy/access.ts';

/** An ended one is open again with its next message. */
export const conversationStates = ['open', 'ended'] as const;
export type ConversationState = (typeof conversationStates)[number];

/** Messages that are not remembered yet become memories when they are this many, or after this silence. */
const ingestionTrigger = { messages: 8, silentMs: 5 * 60_000 } as const;
/** A conversation that nobody ended has ended by itself after this silence. */
const endedAfterMs = 30 * 60_000;

/** A message to add to a conversation. */
export interface NewMessage {
  /** "user", "assistant" or another role. */
  readonly role: string;
  readonly content: string;
  /** The name of the speaker. */
  readonly name?: string | undefined;
  /** Default: the time at which the message was received. */
  readonly timestamp?: Date | undefined;
  /** Metadata of the caller's, kept with the message. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The caller's own id of the visit, call or login in which it was said. */
  readonly sessionId?: string | undefined;
}

/** A message of a conversation, as it is shown. */
export interface Message {
  readonly id: string;
  readonly role: string;
  readonly content: string;
  readonly name: string | null;
  readonly at: Date;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly sessionId: string | null;
}

/** A memory that streams pushed for a turn, as it is shown. */
export interface AnticipatedTurnMemory {
  /** The public id. */
  readonly memoryId: string;
  /** Milliseconds from the push until the message was complete; negative when it was pushed after that. */
  readonly leadTimeMs: number;
  /** The agent reported that it used the memory. */
  readonly isUsed: boolean;
}

/** A message with its conversation. */
export interface ExportedMessage extends Message {
  /** The memories that streams pushed for it, best first; null: no stream received it, or too long ago. */
  readonly anticipated: readonly AnticipatedTurnMemory[] | null;
  /** A UUID: the caller's own, or one made of the caller's id. */
  readonly conversationId: string;
  /** The caller's own id, when it is no UUID. */
  readonly externalId: string | null;
}

/** A conversation as it is shown. */
export interface Conversation {
  /** A UUID: the caller's own, or one made of the caller's id. */
  readonly id: string;
  /** The caller's own id, when it is no UUID. */
  readonly externalId: string | null;
  readonly userId: string | null;
  readonly customerId: string | null;
  readonly state: ConversationState;
  /** Null: it was named by a document or a fetch, and nobody spoke in it. */
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly lastMessageAt: Date | null;
  /** Counts all messages that were ever added, also those that were forgotten since. */
  readonly messageCount: number;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** A conversation with what was said last, oldest first. */
export interface ConversationWithMessages extends Conversation {
  readonly recentMessages: readonly Message[];
}

/** The text of a conversation's latest compaction. */
export interface ConversationSummary {
  readonly compactionId: string;
  readonly version: number;
  readonly text: string;
}

/** Refers to a conversation by its UUID or the caller's own id, and names its subject. */
export interface ConversationReference extends SubjectIds {
  readonly conversationId: string;
}

/** The times and counts of a conversation's row that tell what is due. */
export interface ConversationProgress {
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly lastAt: Date | null;
  readonly messageCount: number;
  /** Messages with a lesser number are turns of documents. */
  readonly ingestedMessageCount: number;
}

const after = (time: Date, ms: number) => new Date(time.getTime() + ms);

/** Whether a conversation has ended or paused, so that nobody is about to answer. */
export const isEndedOrPaused = ({ lastAt, endedAt }: ConversationProgress, at: Date): boolean =>
  endedAt !== null || (lastAt !== null && after(lastAt, ingestionTrigger.silentMs) <= at);

/** The time at which the last turns are to be ingested; null: all of them are. */
export function memoryExtractionDueAt({ lastAt, endedAt, ...progress }: ConversationProgress): Date | null {
  const waiting = progress.messageCount - progress.ingestedMessageCount;
  if (waiting === 0 || !lastAt) return null;
  return endedAt || waiting >= ingestionTrigger.messages ? lastAt : after(lastAt, ingestionTrigger.silentMs);
}

/** The time at which a conversation ends by itself; null: it ended, or never began. */
export function automaticEndDueAt({ startedAt, endedAt, lastAt }: ConversationProgress): Date | null {
  if (endedAt || !startedAt) return null;
  return after(lastAt && lastAt > startedAt ? lastAt : startedAt, endedAfterMs);
}

/** The time at which a conversation next has something due; null: never. */
export const nextDueAt = (progress: ConversationProgress): Date | null =>
  memoryExtractionDueAt(progress) ?? automaticEndDueAt(progress);
