import type { ConversationSummary } from '../conversations/conversation.ts';
import type { Provenance } from '../extraction/provenance.ts';
import type { ReadVersions } from '../invalidation/invalidation.ts';
import type { ScoredMemory } from '../memories/scored-memory.ts';
import type { SubjectIds } from '../tenancy/access.ts';

/** The settings of a stream: whose memories it may send, and how. */
export interface StreamSettings extends SubjectIds {
  readonly conversationId?: string | undefined;
  /** Only memories of these provenances; default: any. */
  readonly provenance?: readonly Provenance[] | undefined;
  /** Tokens that the contents of one bundle may have together. */
  readonly tokenBudget?: number | undefined;
  /** The caller's own id, to resume the session by. */
  readonly sessionId?: string | undefined;
  /** The sequence number of the last bundle or withdrawal that the caller took; 0: none. */
  readonly lastSequence?: number | undefined;
  /** The caller keeps the current bundle: its memories need not travel twice. */
  readonly keepsBundle?: boolean | undefined;
  /** Keeps what is said as messages of the conversation. */
  readonly remember?: boolean | undefined;
  /** Hears the last messages of the conversation at the start: for readers of one that others hold. */
  readonly replaysRecentMessages?: boolean | undefined;
}

/** A message of the conversation. */
export interface MessageSignal {
  readonly kind: 'message';
  readonly role: string;
  readonly content: string;
  /** The message was relayed from another connection, which did all else that is to be done about it. */
  readonly isRelayed?: true;
  /** The message's number in the conversation, once it is kept; undefined: it is not kept. Never rejects. */
  readonly number?: number | Promise<number | undefined> | undefined;
}

/** A signal from the agent to the stream. */
export type Signal =
  | { readonly kind: 'session-start'; readonly session: StreamSettings }
  | MessageSignal
  /** All words so far of a turn that is being typed or spoken; blank: taken back. */
  | { readonly kind: 'partial-message'; readonly role: string; readonly content: string }
  | { readonly kind: 'tool-call'; readonly name: string; readonly arguments: string }
  /** `memoryIds` are public ids. */
  | { readonly kind: 'context-used'; readonly memoryIds: readonly string[] }
  | { readonly kind: 'ping' }
  | { readonly kind: 'session-end' };

/** Why a memory is in a bundle. */
export const anticipationReasons = ['standing', 'due', 'context', 'learned'] as const;
export type AnticipationReason = (typeof anticipationReasons)[number];

/** A memory that is likely to be needed; `score` is the probability that it is. */
export interface AnticipatedMemory extends ScoredMemory {
  readonly uuid: string;
  readonly contentVersion: number;
  readonly ownerNo: number;
  readonly reason: AnticipationReason;
  /** The tokens of its content. */
  readonly tokens: number;
}

/** A memory that the reader keeps from the bundle before. */
export interface RetainedMemory {
  readonly held: true;
  readonly id: string;
  readonly score: number;
  readonly reason: AnticipationReason;
  readonly possiblyOutdatedBy: string | null;
}

/** The whole current set: the standing ones, then at most ten others, best first. */
export interface Bundle {
  readonly kind: 'bundle';
  /** Rises within a session; a gap means that an update was replaced before it was taken. */
  readonly sequence: number;
  readonly bundleId: string;
  readonly memories: readonly (AnticipatedMemory | RetainedMemory)[];
  readonly totalTokens: number;
  /** The number of its reader's signals that had been heard when it was chosen. */
  readonly signalsHeard: number;
  /** The first of a session, or of one that could not be resumed. */
  readonly isSnapshot: boolean;
  /** The revisions before which no memory of the bundle had ended. */
  readonly asOf: ReadVersions;
}

/** Memories of the current bundle which must not be used any more. */
export interface Withdrawal {
  readonly kind: 'withdrawal';
  readonly sequence: number;
  /** Public ids. */
  readonly memoryIds: readonly string[];
}

/** The summary of the session's conversation, sent at its start, where there is one. */
export interface SummaryUpdate extends ConversationSummary {
  readonly kind: 'summary';
}

/** An update from the stream to the agent. */
export type Update =
  | Bundle
  | Withdrawal
  | SummaryUpdate
  | { readonly kind: 'pong' }
  | { readonly kind: 'throttle'; readonly retryAfterMs: number };
