import { appendMessages, type NewMessages } from '../conversations/append-messages.ts';
import type { ConversationDependencies } from '../conversations/change-conversation.ts';
import { closeConversation } from '../conversations/close-conversation.ts';
import { toConversation } from '../conversations/conversation-store.ts';
import type { Conversation, ConversationReference } from '../conversations/conversation.ts';
import { readableConversation } from '../conversations/read-conversation.ts';
import { conversationNotFoundError } from '../errors.ts';
import type { Access } from '../tenancy/access.ts';
import { rememberConversation } from './remember-conversation.ts';
import type { SubmissionDependencies } from './submit-document.ts';

/** The dependencies of conversations whose messages become memories. */
export type ConversationIngestionDependencies = ConversationDependencies & SubmissionDependencies;

/** A conversation as it is now, and the ingestions of what became due to be remembered. */
export interface ConversationWithIngestions {
  readonly conversation: Conversation;
  readonly ingestionIds: readonly string[];
}

/** Keeps what was said; see `appendMessages`. When it is time, what waits becomes memories, in the background. */
export async function addMessages(
  deps: ConversationIngestionDependencies,
  access: Access,
  input: NewMessages,
): Promise<ConversationWithIngestions & { messageIds: readonly string[] }> {
  const { row, messageIds } = await appendMessages(deps, access, input);
  return {
    conversation: toConversation(access, row),
    messageIds,
    ingestionIds: await rememberedOf(deps, access, row.id),
  };
}

/** Ends a conversation; what waits becomes memories. Throws `context_not_found`, also for who may not read it. */
export async function endConversation(
  deps: ConversationIngestionDependencies,
  access: Access,
  input: ConversationReference,
): Promise<ConversationWithIngestions> {
  const { id } = await readableConversation(deps.db, access, input);
  return endReadable(deps, access, id);
}

/** Ends a conversation of this UUID, which the caller is known to read. Throws `context_not_found`. */
export async function endReadable(
  deps: ConversationIngestionDependencies,
  access: Access,
  id: string,
): Promise<ConversationWithIngestions> {
  const row = await closeConversation(deps, access, id);
  if (!row) throw conversationNotFoundError(); // forgotten a moment ago
  return { conversation: toConversation(access, row), ingestionIds: await rememberedOf(deps, access, id) };
}

/**
 * The caller has done its part, and would do it twice if it were told otherwise: what fails is due, and a worker does
 * it.
 */
const rememberedOf = (deps: ConversationIngestionDependencies, access: Access, id: string) =>
  rememberConversation(deps, access, id).catch((): string[] => []);
