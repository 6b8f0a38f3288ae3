import type { Db, Tx } from '../../db/database.ts';
import { transaction } from '../../db/database.ts';
import { saveEvent } from '../webhooks/event-store.ts';
import { conversationUuid } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { bindConversation } from './bind-conversation.ts';
import {
  lockConversation,
  subjectOfConversation,
  saveConversationProgress,
  type ConversationRow,
} from './conversation-store.ts';
import type { ConversationReference } from './conversation.ts';
import type { MessageFeed } from './message-feed.ts';
import { mergeWithConversationSubject } from './resolve-subject.ts';

export interface ConversationDependencies {
  readonly db: Db;
  readonly feed: MessageFeed;
  readonly now: () => Date;
}

/** The columns of a conversation that a change writes. */
type Change = Partial<Pick<ConversationRow, 'startedAt' | 'endedAt' | 'lastAt' | 'messageCount' | 'metadata'>>;

/**
 * Changes a conversation while nobody else does; one that is not known begins, and is of those the caller names. That
 * it started is recorded with what started it. Throws `invalid_input` when the caller names others than it belongs to.
 */
export function changeConversation(
  { db, now }: ConversationDependencies,
  access: Access,
  input: ConversationReference,
  change: (tx: Tx, row: ConversationRow, at: Date) => Promise<Change> | Change,
): Promise<ConversationRow> {
  const at = now();
  return transaction(db, async (tx) => {
    const row = await lockedOrBound(tx, access, input);
    mergeWithConversationSubject(input, subjectOfConversation(row));
    const changed = { ...row, startedAt: row.startedAt ?? at, ...(await change(tx, row, at)) };
    await saveConversationProgress(tx, access, changed);
    if (!row.startedAt)
      await saveEvent(tx, access, {
        type: 'conversation.started',
        at,
        about: subjectOfConversation(changed),
        data: conversationEventData(changed),
      });
    return changed;
  });
}

async function lockedOrBound(tx: Tx, access: Access, input: ConversationReference): Promise<ConversationRow> {
  const { id } = conversationUuid(access.instance, input.conversationId);
  let row = await lockConversation(tx, access, id);
  while (!row) {
    await bindConversation(tx, access, input); // again: its owner may have been forgotten a moment ago
    row = await lockConversation(tx, access, id);
  }
  return row;
}

export const conversationEventData = (row: ConversationRow) => ({
  conversation_id: row.id,
  external_id: row.externalId,
  user_id: row.userId || null,
  customer_id: row.customerId || null,
});
