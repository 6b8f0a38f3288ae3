import type { Db } from '../../db/database.ts';
import { conversationNotFoundError } from '../errors.ts';
import { conversationUuid } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { conversationOwner } from './conversation-store.ts';
import type { ConversationReference } from './conversation.ts';
import type { MessageFeed } from './message-feed.ts';
import { mergeWithConversationSubject } from './resolve-subject.ts';

/** All words so far of a turn that is being typed or spoken; blank: taken back. */
export interface PartialMessage extends ConversationReference {
  readonly role: string;
  readonly content: string;
}

/**
 * Publishes an unfinished message to the streams of the conversation in this process, and stores nothing. Throws
 * `context_not_found` for a conversation that was never seen, and `invalid_input` where the caller names others than it
 * belongs to.
 */
export async function publishPartialMessage(
  deps: { readonly db: Db; readonly feed: MessageFeed },
  access: Access,
  { conversationId, role, content, ...named }: PartialMessage,
): Promise<{ conversationId: string; externalId: string | null }> {
  const owner = await conversationOwner(deps.db, access, conversationId);
  if (!owner) throw conversationNotFoundError();
  mergeWithConversationSubject(named, owner);
  const { id, externalId } = conversationUuid(access.instance, conversationId);
  deps.feed.publish(access.instanceNumber, id, { role, content, origin: '', isPartial: true });
  return { conversationId: id, externalId };
}
