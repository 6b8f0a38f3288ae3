import { nullIfNotFound } from '../errors.ts';
import { withDeadline } from '../flow/with-deadline.ts';
import { toPublicId } from '../ids.ts';
import { findIncompleteIngestions } from '../ingestion/ingestion-store.ts';
import { rememberConversation } from '../ingestion/remember-conversation.ts';
import type { SubmissionDependencies } from '../ingestion/submit-document.ts';
import { waitForIngestion, type IngestionProgress } from '../ingestion/watch-ingestion.ts';
import type { WriteDependencies } from '../invalidation/write-transaction.ts';
import type { Access } from '../tenancy/access.ts';

/** The dependencies of ingesting what was said in a conversation and is no memory yet. */
export interface PendingTurnDependencies extends SubmissionDependencies, WriteDependencies {
  readonly ingestionProgress: IngestionProgress;
  /** Time that a compaction waits for memories of the last turns: those not ingested by then stay as they were said. */
  readonly ingestionWaitMs: number;
}

/**
 * Lets what was said in a conversation become memories before its time: a compaction keeps what was extracted. What the
 * assistant said last still waits for its answer, with which it is read. Returns the ingestions that have not ended, by
 * UUIDs.
 */
export async function submitPendingTurns(
  deps: PendingTurnDependencies,
  access: Access,
  conversationId: string,
): Promise<string[]> {
  await rememberConversation(deps, access, conversationId, { isEarly: true });
  const incomplete = await findIncompleteIngestions(deps.db, access, conversationId);
  return incomplete.flatMap(({ id, hasFailed }) => (hasFailed ? [] : id));
}

/** Submits them, and waits for the end of their ingestions. */
export async function ingestPendingTurns(
  deps: PendingTurnDependencies,
  access: Access,
  conversationId: string,
): Promise<void> {
  const pending = await submitPendingTurns(deps, access, conversationId);
  const ms = deps.ingestionWaitMs;
  await withDeadline({ ms }, (signal) =>
    Promise.all(
      pending.map((id) => nullIfNotFound(waitForIngestion(deps, access, toPublicId('ingestion', id), { ms, signal }))),
    ),
  );
}
