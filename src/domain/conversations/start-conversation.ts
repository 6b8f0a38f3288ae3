import { newUuid } from '../ids.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import { changeConversation, type ConversationDependencies } from './change-conversation.ts';
import { encryptMetadata, toConversation } from './conversation-store.ts';
import type { Conversation } from './conversation.ts';

/** A conversation about to begin. */
export interface NewConversation extends SubjectIds {
  /** The caller's id for the conversation; without one, it gets a new id. */
  readonly conversationId?: string | undefined;
  /** Kept with each memory of what is said in it. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Begins a conversation. One that began already stays as it is, and gets the metadata when it has none. Throws
 * `invalid_input` when the caller names nobody, or others than it belongs to.
 */
export async function startConversation(
  deps: ConversationDependencies,
  access: Access,
  input: NewConversation,
): Promise<{ conversation: Conversation; isNew: boolean }> {
  let isNew = false;
  const named = { ...input, conversationId: input.conversationId ?? newUuid() };
  const row = await changeConversation(deps, access, named, (_tx, { id, startedAt, metadata }) => {
    isNew = startedAt === null;
    return metadata || !input.metadata ? {} : { metadata: encryptMetadata(access, id, input.metadata) };
  });
  return { conversation: toConversation(access, row), isNew };
}
