import { transaction, type Tx } from '../../db/database.ts';
import { saveEvent } from '../webhooks/event-store.ts';
import type { Access } from '../tenancy/access.ts';
import { conversationEventData, type ConversationDependencies } from './change-conversation.ts';
import {
  lockConversation,
  subjectOfConversation,
  saveConversationProgress,
  type ConversationRow,
} from './conversation-store.ts';
import { automaticEndDueAt } from './conversation.ts';

/** Ends a conversation; one that ended already stays as it is. Null when there is none of this UUID. */
export function closeConversation(
  { db, now }: Pick<ConversationDependencies, 'db' | 'now'>,
  access: Access,
  id: string,
): Promise<ConversationRow | null> {
  return transaction(db, async (tx) => {
    const row = await lockConversation(tx, access, id);
    return row && (row.endedAt ? row : close(tx, access, row, { at: now(), reason: 'ended' }));
  });
}

/** Ends a conversation that was silent for so long that it has ended by itself; else it is due again when it may be. */
export function closeIfSilent(
  { db, now }: Pick<ConversationDependencies, 'db' | 'now'>,
  access: Access,
  id: string,
): Promise<ConversationRow | null> {
  return transaction(db, async (tx) => {
    const row = await lockConversation(tx, access, id);
    if (!row) return null;
    const [at, endsAt] = [now(), automaticEndDueAt(row)];
    if (endsAt && endsAt <= at) return close(tx, access, row, { at, reason: 'silence' });
    await saveConversationProgress(tx, access, row);
    return row;
  });
}

async function close(
  tx: Tx,
  access: Access,
  row: ConversationRow,
  { at, reason }: { at: Date; reason: 'ended' | 'silence' },
): Promise<ConversationRow> {
  const closed = { ...row, endedAt: at };
  await saveConversationProgress(tx, access, closed);
  const data = { ...conversationEventData(row), messages: row.messageCount, reason };
  await saveEvent(tx, access, { type: 'conversation.ended', at, about: subjectOfConversation(row), data });
  return closed;
}
