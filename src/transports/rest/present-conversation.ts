import type {
  Conversation,
  ConversationWithMessages,
  AnticipatedTurnMemory,
  Message,
} from '../../domain/conversations/conversation.ts';
import type { ExportedRecord } from '../../domain/erasure/export-owner.ts';
import { presentCompaction } from './present-compaction.ts';
import type * as records from './conversation-records.ts';
import { toIsoOrNull, presentMemory } from './present.ts';
import type { Wire } from '../http/wire.ts';

export const presentConversation = (conversation: Conversation): Wire<typeof records.ConversationRecord> => ({
  conversation_id: conversation.id,
  external_id: conversation.externalId,
  user_id: conversation.userId,
  customer_id: conversation.customerId,
  state: conversation.state,
  started_at: toIsoOrNull(conversation.startedAt),
  ended_at: toIsoOrNull(conversation.endedAt),
  last_message_at: toIsoOrNull(conversation.lastMessageAt),
  message_count: conversation.messageCount,
});

export const presentConversationWithMessages = (
  conversation: ConversationWithMessages,
  turns?: readonly (Message & { turn: number })[],
): Wire<typeof records.ConversationDetailRecord> => ({
  ...presentConversation(conversation),
  metadata: conversation.metadata,
  ...(turns ? { turns: turns.map(({ turn, ...message }) => ({ turn, ...presentMessage(message) })) } : {}),
  recent_messages: conversation.recentMessages.map(presentMessage),
});

const presentMessage = ({ id, role, name, content, at, metadata, sessionId }: Message) => ({
  message_id: id,
  role,
  name,
  content,
  at: at.toISOString(),
  metadata,
  session_id: sessionId,
});

const presentAnticipatedTurnMemory = ({ memoryId, leadTimeMs, isUsed }: AnticipatedTurnMemory) => ({
  memory_id: memoryId,
  lead_time_ms: leadTimeMs,
  used: isUsed,
});

export const presentExported = (exported: ExportedRecord): Wire<typeof records.ExportLine> => {
  if ('memory' in exported) return presentMemory(exported.memory);
  if ('compaction' in exported) return presentCompaction(exported.compaction);
  const { conversationId, externalId, anticipated, ...message } = exported.message;
  return {
    conversation_id: conversationId,
    external_id: externalId,
    ...presentMessage(message),
    anticipated: anticipated?.map(presentAnticipatedTurnMemory) ?? null,
  };
};
