import { transaction } from '../../db/database.ts';
import { enqueue, type JobPayloads } from '../../jobs/queue.ts';
import type { Access } from '../tenancy/access.ts';
import {
  compactable,
  compactConversation,
  compactIfLong,
  type Compacting,
  type CompactionRequest,
} from './compact-conversation.ts';

/**
 * Lets a worker compact a conversation; returns its UUID. Asked for again before that, it is compacted as it was asked
 * for last. Throws `context_not_found` as `compactConversation` does.
 */
export async function askToCompact(
  { db }: Pick<Compacting, 'db'>,
  access: Access,
  request: CompactionRequest,
): Promise<string> {
  const { id } = await compactable(db, access, request);
  const { strategy, targetTokens } = request;
  const payload = { isRequested: true, strategy, targetTokens };
  await transaction(db, (tx) => enqueue(tx, 'compact-conversation', { id, i: access.i, payload }));
  return id;
}

/** Compacts a conversation by its UUID: as it was requested, or as its configuration does by itself. */
export async function compactInBackground(
  deps: Compacting,
  access: Access,
  conversationId: string,
  { isRequested, strategy, targetTokens }: JobPayloads['compact-conversation'],
): Promise<void> {
  if (isRequested) await compactConversation(deps, access, { conversationId, strategy, targetTokens });
  else await compactIfLong(deps, access, conversationId);
}
