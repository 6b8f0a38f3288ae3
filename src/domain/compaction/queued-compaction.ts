import { transaction } from '../../db/database.ts';
import { enqueueCompactionJob, type QueuedCompaction } from '../conversations/enqueue-compaction-job.ts';
import type { Access } from '../tenancy/access.ts';
import {
  requireCompactableConversation,
  compactConversation,
  compactIfLongEnough,
  type CompactionDependencies,
  type CompactionRequest,
} from './compact-conversation.ts';

/**
 * Lets a worker compact a conversation; returns its UUID. Asked for again before that, it is compacted as it was asked
 * for last. Throws `context_not_found` as `compactConversation` does.
 */
export async function enqueueCompaction(
  { db }: Pick<CompactionDependencies, 'db'>,
  access: Access,
  request: CompactionRequest,
): Promise<string> {
  const { id } = await requireCompactableConversation(db, access, request);
  const { strategy, targetTokens } = request;
  await transaction(db, (tx) =>
    enqueueCompactionJob(tx, access, { conversationId: id, isRequested: true, strategy, targetTokens }),
  );
  return id;
}

/** Compacts a conversation by its UUID: as it was requested, or as its configuration does by itself. */
export async function runQueuedCompaction(
  deps: CompactionDependencies,
  access: Access,
  { conversationId, isRequested, strategy, targetTokens }: QueuedCompaction,
): Promise<void> {
  if (isRequested) await compactConversation(deps, access, { conversationId, strategy, targetTokens });
  else await compactIfLongEnough(deps, access, conversationId);
}
