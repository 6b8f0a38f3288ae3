import type { ScoredMemory } from '../retrieval/scored-memory.ts';
import type { Named } from '../tenancy/access.ts';

/** Whose memories a stream may send, and how much of them. */
export interface Session extends Named {
  readonly conversationId?: string | undefined;
  /** Tokens that the contents of one bundle may have together. */
  readonly tokenBudget?: number | undefined;
}

/** What an agent tells the stream. */
export type Signal =
  | { readonly kind: 'session-start'; readonly session: Session }
  | { readonly kind: 'message'; readonly role: string; readonly content: string }
  | { readonly kind: 'ping' }
  | { readonly kind: 'session-end' };

/** The whole current set of memories, best first. */
export interface Bundle {
  readonly kind: 'bundle';
  /** Rises within a stream; a gap means that a bundle was replaced before it was taken. */
  readonly sequence: number;
  readonly bundleId: string;
  readonly memories: readonly ScoredMemory[];
  readonly totalTokens: number;
}

/** What the stream sends. */
export type Update = Bundle | { readonly kind: 'pong' };
