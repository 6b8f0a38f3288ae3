import { isHumanRole } from '../language/speaker.ts';
import type { StreamSettings, Signal, Update } from './stream-messages.ts';

/** Called with each message that people send on a stream. */
export type MessageObserver = (session: StreamSettings, text: string) => void;

/**
 * Passes the updates of `anticipate` through unchanged. Once a bundle has left, the observer is called with the last
 * message that people sent on this stream, not with relayed ones, so that its work delays no update.
 */
export async function* observeMessages(
  signals: AsyncIterable<Signal>,
  anticipate: (signals: AsyncIterable<Signal>) => AsyncIterable<Update>,
  observe: MessageObserver,
): AsyncGenerator<Update, void, undefined> {
  let session: StreamSettings | undefined;
  let text: string | undefined;

  async function* listening() {
    for await (const signal of signals) {
      if (signal.kind === 'session-start') session = signal.session;
      else if (signal.kind === 'message' && !signal.isRelayed && isHumanRole(signal)) text = signal.content;
      yield signal;
    }
  }

  for await (const update of anticipate(listening())) {
    yield update;
    if (update.kind !== 'bundle' || !session || text === undefined) continue;
    observe(session, text);
    text = undefined;
  }
}
