import type { Db } from '../../db/database.ts';
import { conversationUuid, toPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { saveEvent } from '../webhooks/event-store.ts';
import type { Context, ContextQuery } from './context.ts';

/** Saves the event that a context was retrieved. */
export async function recordContextRetrieved(
  { db, now }: { readonly db: Db; readonly now: () => Date },
  access: Access,
  { conversationId }: ContextQuery,
  { named, memories, source, totalTokens }: Context,
): Promise<void> {
  const conversation = conversationId === undefined ? null : conversationUuid(access.instance, conversationId);
  const data = {
    conversation_id: conversation?.id ?? null,
    external_id: conversation?.externalId ?? null,
    user_id: named.userId ?? null,
    customer_id: named.customerId ?? null,
    source,
    memory_ids: memories.map(({ uuid }) => toPublicId('memory', uuid)),
    total_tokens: totalTokens,
  };
  await saveEvent(db, access, { type: 'context.retrieved', at: now(), about: named, data });
}
