import { untilAborted } from '../flow/until-aborted.ts';
import type { Access } from '../tenancy/access.ts';
import type { AnticipationDependencies } from './dependencies.ts';
import type { Signal, Update } from './stream-messages.ts';
import { StreamSession } from './stream-session.ts';
import { createSendBuffer } from './send-buffer.ts';

/** A reader that hears nothing for twice as long may take the stream for lost. */
const heartbeatMs = 30_000;

/**
 * Runs a session: takes signals and yields the memories they call for, until the signals end or `signal` is aborted.
 * Memories that end are withdrawn before that is acknowledged. Throws `invalid_input` for signals out of order,
 * `conflict` when another stream resumes the session, and what `reauthenticate`, `predictBundle` and `learn` throw.
 */
export async function* anticipate(
  deps: AnticipationDependencies,
  access: Access,
  signals: AsyncIterable<Signal>,
  signal: AbortSignal,
): AsyncGenerator<Update, void, undefined> {
  if (signal.aborted) return;
  const sendBuffer = createSendBuffer();
  const over = new AbortController();
  const end = () => over.abort();
  const session = new StreamSession(deps, access, sendBuffer);
  const heartbeat = setInterval(() => sendBuffer.put({ kind: 'pong' }), heartbeatMs);
  over.signal.addEventListener('abort', () => {
    clearInterval(heartbeat);
    sendBuffer.close();
  });
  signal.addEventListener('abort', end, { once: true });
  try {
    void session.run(untilAborted(signals, over.signal), over.signal).then(sendBuffer.finish, sendBuffer.fail);
    for await (const update of sendBuffer.updates()) {
      heartbeat.refresh();
      // Nothing may come between the last check and the handing over.
      if (session.maySend(update)) yield session.recordSent(update);
      // Not awaited: what is withdrawn meanwhile must not wait for a prediction.
      else sendBuffer.waitFor(session.replaceStale(update));
    }
  } finally {
    signal.removeEventListener('abort', end);
    over.abort();
    session.close();
  }
}
