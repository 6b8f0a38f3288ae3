import type { Freshness } from '../freshness/freshness.ts';
import type { Isolation, Access } from '../tenancy/access.ts';
import type { Signal, Update } from './anticipation.ts';
import { Conversation } from './conversation.ts';
import { createOutbox } from './outbox.ts';
import type { Circumstances, Prediction, Used } from './predict.ts';
import type { Left } from './recheck.ts';
import type { Sessions } from './sessions.ts';
import type { Shown } from './shown.ts';
import { untilAborted } from './until-aborted.ts';

/** What a stream needs. */
export interface Anticipating {
  readonly sessions: Sessions;
  readonly freshness: Pick<Freshness, 'watch' | 'isCurrent' | 'ready'>;
  readonly shown: Shown;
  predict(access: Access, circumstances: Circumstances): Promise<Prediction>;
  /** What of an overtaken prediction holds now; null: predict anew. */
  recheck(access: Access, before: Left): Promise<Left | null>;
  learn(access: Access, used: Used): Promise<void>;
  /** The access as the credential that opened the stream opens it now. Throws once it opens it no more. */
  reauthenticate(): Promise<Access>;
  /** How the configuration of this access tells users apart. */
  isolationOf(access: Access): Promise<Isolation>;
  newBundleId(): string;
}

/** Every change is told; this is for what nobody tells, such as a row that an operator changes by hand. */
const checkEveryMs = 30_000;
/** A reader that hears nothing for twice as long may take the stream for lost. */
const heartbeatMs = 30_000;

/**
 * A session: what is said goes in, the memories that it calls for come out, until the signals end or `signal` is
 * aborted. What ends meanwhile is withdrawn before its end is acknowledged. Throws `invalid_input` for signals out of
 * order, `conflict` when another stream resumes the session, and what `reauthenticate`, `predict` and `learn` throw.
 */
export async function* anticipate(
  d: Anticipating,
  access: Access,
  signals: AsyncIterable<Signal>,
  signal: AbortSignal,
): AsyncGenerator<Update, void, undefined> {
  if (signal.aborted) return;
  const outbox = createOutbox();
  const over = new AbortController();
  const end = () => over.abort();
  const conversation = new Conversation(d, access, outbox);
  const stopChecking = everyNow(checkEveryMs, () => conversation.check());
  const heartbeat = setInterval(() => outbox.put({ kind: 'pong' }), heartbeatMs);
  over.signal.addEventListener('abort', () => {
    stopChecking();
    clearInterval(heartbeat);
    outbox.close();
  });
  signal.addEventListener('abort', end, { once: true });
  try {
    void conversation.hold(untilAborted(signals, over.signal), over.signal).then(outbox.finish, outbox.fail);
    for await (const update of outbox.updates()) {
      heartbeat.refresh();
      // Nothing may come between the last check and the handing over.
      if (conversation.maySend(update)) yield conversation.leaving(update);
      else await conversation.remake(update);
    }
  } finally {
    signal.removeEventListener('abort', end);
    over.abort();
    conversation.close();
  }
}

/** One at a time: a database that hangs must not collect checks. */
function everyNow(ms: number, work: () => Promise<void>): () => void {
  let isWorking = false;
  const timer = setInterval(() => {
    if (isWorking) return;
    isWorking = true;
    void work().finally(() => (isWorking = false));
  }, ms);
  return () => clearInterval(timer);
}
