import type { Tx } from '../../db/database.ts';
import { invalidInputError } from '../errors.ts';
import { newUuid, toPublicId } from '../ids.ts';
import { isStorableTime, unstorableTime } from '../time.ts';
import { limits, refuseLongTexts } from '../limits.ts';
import type { Access } from '../tenancy/access.ts';
import { changeConversation, type ConversationDependencies } from './change-conversation.ts';
import { encryptMetadata, type ConversationRow } from './conversation-store.ts';
import type { ConversationReference, NewMessage } from './conversation.ts';
import { saveMessages, type NumberedMessage } from './message-store.ts';
import type { NewConversation } from './start-conversation.ts';

/** Messages about to be said; see `limits`. */
export interface NewMessages extends ConversationReference {
  /** In the order in which they were said; at least one. */
  readonly messages: readonly NewMessage[];
  /** A UUID of the stream that tells them. */
  readonly origin?: string | undefined;
}

/**
 * Keeps what was said and tells it to whoever listens. The first message of a conversation starts it, and a message
 * after its end opens it again. Throws `invalid_input` as `changeConversation` does, and `payload_too_large`.
 */
export async function appendMessages(
  deps: ConversationDependencies,
  access: Access,
  input: NewMessages,
): Promise<{ row: ConversationRow; messageIds: string[] }> {
  const { messages, ...where } = input;
  refuseLongTexts('messages', messages, limits.messageTexts);
  refuseFarTimes('messages', messages);
  return appendMessagesNotYetKnown(deps, access, where, async () => messages);
}

/**
 * Stores the messages that `newOf` returns, which runs while the conversation is locked. If it returns none, nothing
 * changes, except that a conversation without metadata gets the given metadata.
 */
export async function appendMessagesNotYetKnown(
  deps: ConversationDependencies,
  access: Access,
  { origin, metadata: noted, ...input }: Omit<NewMessages, 'messages'> & Pick<NewConversation, 'metadata'>,
  newOf: (tx: Tx, conversation: ConversationRow) => Promise<readonly NewMessage[]>,
): Promise<{ row: ConversationRow; messageIds: string[] }> {
  let said: NumberedMessage[] = [];
  const row = await changeConversation(deps, access, input, async (tx, conversation, at) => {
    said = []; // what a former try stored was not kept
    const { id, lastAt, messageCount } = conversation;
    const messages = await newOf(tx, conversation);
    const kept = conversation.metadata || !noted ? {} : { metadata: encryptMetadata(access, id, noted) };
    if (!messages.length) return kept;
    said = messages.map(({ timestamp, name = null, metadata = null, sessionId = null, ...message }, k) => ({
      role: message.role,
      content: message.content,
      uuid: newUuid(),
      n: messageCount + k,
      at: timestamp ?? at,
      name,
      metadata,
      sessionId,
      origin: origin ?? null,
    }));
    await saveMessages(tx, access, id, said);
    return {
      endedAt: null,
      lastAt: lastAt && lastAt > at ? lastAt : at,
      messageCount: messageCount + said.length,
      ...kept,
    };
  });
  for (const { role, content, n } of said)
    deps.feed.publish(access.instanceNumber, row.id, { role, content, origin: origin ?? '', n });
  return { row, messageIds: said.map(({ uuid }) => toPublicId('message', uuid)) };
}

/** Throws `invalid_input` for a time that no column takes, under the name that the caller's list has. */
export function refuseFarTimes(
  list: 'messages' | 'turns' | 'document',
  messages: readonly Pick<NewMessage, 'timestamp'>[],
): void {
  const far = messages.findIndex(({ timestamp }) => timestamp && !isStorableTime(timestamp));
  if (far >= 0) throw invalidInputError(`${list}[${far}].timestamp`, unstorableTime);
}
