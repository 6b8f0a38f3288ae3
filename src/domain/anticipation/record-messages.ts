import type { NewMessages } from '../conversations/append-messages.ts';
import type { Conversation } from '../conversations/conversation.ts';
import type { MessageSignal, StreamSettings, Signal } from './stream-messages.ts';

/**
 * Passes the signals on; with `remember` in the session, messages are kept in its conversation. A message goes on at
 * once, and is kept before the next signal is taken: keeping it delays no bundle, and their order holds. Throws what
 * `keep` throws.
 */
export async function* recordMessages(
  keep: (messages: NewMessages) => Promise<{ readonly conversation: Pick<Conversation, 'messageCount'> }>,
  signals: AsyncIterable<Signal>,
  origin: string,
): AsyncGenerator<Signal, void, undefined> {
  let session: StreamSettings | undefined;
  for await (const signal of signals) {
    if (signal.kind === 'session-start') session = signal.session;
    const messages = signal.kind === 'message' ? messagesOf(session, signal) : null;
    const kept = messages && keep({ ...messages, origin });
    // A failure is told below; nobody may be there to take the next signal, and be told.
    const number = kept?.then(
      ({ conversation }) => conversation.messageCount - 1,
      () => undefined,
    );
    yield signal.kind === 'message' ? { ...signal, number } : signal;
    await kept;
  }
}

function messagesOf(session: StreamSettings | undefined, { role, content }: MessageSignal): NewMessages | null {
  if (!session?.remember || !session.conversationId) return null;
  const { conversationId, userId, customerId } = session;
  return { conversationId, userId, customerId, messages: [{ role, content }] };
}
