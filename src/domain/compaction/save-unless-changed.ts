import { transaction, type Db } from '../../db/database.ts';
import { findConversation, subjectOfConversation, type ConversationRow } from '../conversations/conversation-store.ts';
import { lockTurns } from '../conversations/turn-store.ts';
import { lockUnchangedMemories, type SeenMemory } from '../memories/stated-memory-store.ts';
import type { Access } from '../tenancy/access.ts';
import { saveEvent } from '../webhooks/event-store.ts';
import { saveCompaction, type NewCompaction } from './compaction-store.ts';

/** Saves a version with its event; false, and nothing is saved, when what it rests on is not there any more. */
export function saveUnlessChanged(
  db: Db,
  access: Access,
  {
    row,
    turnCount,
    held,
    compaction,
  }: { row: ConversationRow; turnCount: number; held: readonly SeenMemory[]; compaction: NewCompaction },
): Promise<boolean> {
  const { conversationId, throughTurn: through } = compaction;
  return transaction(db, async (tx) => {
    // Whoever forgets or corrects changes the words first and removes their compactions then: these locks let one of
    // the two see the other.
    if (!(await lockUnchangedMemories(tx, access, held))) return false;
    if ((await lockTurns(tx, access, { conversationId, through })) !== turnCount) return false;
    // As many turns may have been said anew by somebody else.
    if ((await findConversation(tx, access, conversationId))?.ownerNo !== row.ownerNo) return false;
    if (!(await saveCompaction(tx, access, compaction))) return false;
    await saveEvent(tx, access, {
      type: 'compaction.completed',
      at: compaction.createdAt,
      about: subjectOfConversation(row),
      data: {
        compaction_id: compaction.id,
        conversation_id: conversationId,
        version: compaction.version,
        strategy: compaction.strategy,
        original_tokens: compaction.originalTokens,
        compacted_tokens: compaction.compactedTokens,
        validation_score: compaction.validationScore,
        external_id: row.externalId,
        user_id: row.userId || null,
        customer_id: row.customerId || null,
      },
    });
    return true;
  });
}
