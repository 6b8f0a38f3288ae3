import { transaction } from '../../db/database.ts';
import { enqueueCompactionJob, type QueuedCompaction } from '../conversations/enqueue-compaction-job.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import { readNewestTurns } from '../conversations/turn-store.ts';
import type { Access } from '../tenancy/access.ts';
import {
  requireCompactableConversation,
  compactIngestedTurns,
  readLimit,
  type CompactionDependencies,
  type CompactionRequest,
} from './compact-conversation.ts';
import { countTurnTokens } from './compact-turns.ts';
import { readCompaction } from './compaction-store.ts';
import { submitPendingTurns } from './ingest-pending-turns.ts';

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

/**
 * Compacts a conversation by its UUID: as it was requested, or as its configuration does by itself. False: it is to be
 * tried again, since something is not ingested yet and `waits`.
 */
export async function runQueuedCompaction(
  deps: CompactionDependencies,
  access: Access,
  { conversationId, isRequested, strategy, targetTokens }: QueuedCompaction,
  { waits }: { waits: boolean },
): Promise<boolean> {
  if (!isRequested && !(await isDueForCompaction(deps, access, conversationId))) return true;
  const pending = await submitPendingTurns(deps, access, conversationId);
  if (waits && pending.length) return false;
  await compactIngestedTurns(deps, access, { conversationId, strategy, targetTokens });
  return true;
}

/** Whether enough was said since a conversation was compacted last for its configuration to ask for that again. */
async function isDueForCompaction(
  { db }: Pick<CompactionDependencies, 'db'>,
  access: Access,
  conversationId: string,
): Promise<boolean> {
  const { automatic_tokens: threshold } = (await currentConfiguration(db, access)).compaction;
  if (threshold === null) return false;
  const previous = await readCompaction(db, access, { conversationId });
  const from = (previous?.throughTurn ?? -1) + 1;
  const { turns, count } = await readNewestTurns(db, access, { conversationId, from, max: readLimit });
  return turns.length < count || (await countTurnTokens(turns)) >= threshold;
}
