import type { NewMessages } from '../conversations/append-messages.ts';
import type { Session, Signal } from './anticipation.ts';

/**
 * Passes the signals on; with `remember` in the session, messages are kept in its conversation. A message goes on at
 * once, and is kept before the next signal is taken: keeping it delays no bundle, and their order holds. Throws what
 * `keep` throws.
 */
export async function* keepSaid(
  keep: (messages: NewMessages) => Promise<unknown>,
  signals: AsyncIterable<Signal>,
  origin: string,
): AsyncGenerator<Signal, void, undefined> {
  let session: Session | undefined;
  for await (const signal of signals) {
    if (signal.kind === 'session-start') session = signal.session;
    const messages = signal.kind === 'message' ? messagesOf(session, signal) : null;
    const kept = messages && keep({ ...messages, origin });
    kept?.catch(() => undefined); // nobody may be there to take the next signal, and be told
    yield signal;
    await kept;
  }
}

function messagesOf(
  session: Session | undefined,
  { role, content }: Extract<Signal, { kind: 'message' }>,
): NewMessages | null {
  if (!session?.remember || !session.conversationId) return null;
  const { conversationId, userId, customerId } = session;
  return { conversationId, userId, customerId, messages: [{ role, content }] };
}
