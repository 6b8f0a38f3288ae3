import type { App } from '../../app.ts';
import type { Conversation } from '../../domain/conversations/conversation.ts';
import type { Access, SubjectIds } from '../../domain/tenancy/access.ts';
import { omitUndefined } from './fields.ts';
import { currentCompaction } from './compactions.ts';

/** The last conversations of a user, the newest first, each with what it was condensed to. */
export async function pastConversations(
  app: App,
  access: Access,
  subject: SubjectIds,
  count: number,
): Promise<object[]> {
  if (count === 0) return [];
  const [page] = await app.lists.conversations(access, [subject], { limit: count });
  return Promise.all((page?.data ?? []).map((conversation) => presentPast(app, access, conversation)));
}

async function presentPast(app: App, access: Access, conversation: Conversation): Promise<object> {
  const compaction = await currentCompaction(app, access, conversation.id);
  return omitUndefined({
    conversation_id: conversation.id,
    external_conversation_id: conversation.externalId ?? conversation.id,
    conversation_type: conversation.metadata?.['conversation_type'],
    started_at: conversation.startedAt?.toISOString(),
    ended_at: conversation.endedAt?.toISOString(),
    last_message_at: conversation.lastMessageAt?.toISOString(),
    message_count: conversation.messageCount,
    summary_status: compaction ? 'available' : 'pending',
    summary: compaction ? { narrative_summary: compaction.narrative || compaction.systemPrompt } : {},
    compaction_version: compaction?.version,
    compacted_at: compaction?.createdAt.toISOString(),
  });
}
