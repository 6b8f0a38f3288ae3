import type { Db } from '../../db/database.ts';
import { resolveSubject } from '../conversations/resolve-subject.ts';
import { conversationNotFoundError } from '../errors.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import { tokenExpiredError } from '../tenancy/authenticate.ts';
import type { StreamSettings, Signal, Update } from './stream-messages.ts';

/** A conversation that somebody watches who says nothing in it. */
export interface WatchRequest extends Omit<StreamSettings, 'keepsBundle'> {
  readonly conversationId: string;
}

/**
 * Finds the user and customer of a watched conversation. Throws `context_not_found` for one that was never seen:
 * watching binds nothing. Throws `invalid_input` where the caller names others, and `forbidden` where a browser does.
 */
export async function resolveWatchedSubject(db: Db, access: Access, watch: WatchRequest): Promise<SubjectIds> {
  const { named, isNewConversation } = await resolveSubject(db, access, watch);
  if (isNewConversation) throw conversationNotFoundError();
  return named;
}

/** The signals of somebody who says nothing: they never end. */
export async function* watcherSignals({
  sessionId,
  ...watch
}: WatchRequest & SubjectIds): AsyncGenerator<Signal, void, undefined> {
  // An agent's session of the same id is another: nobody who watches takes it over.
  yield {
    kind: 'session-start',
    session: { ...watch, replaysRecentMessages: true, sessionId: sessionId && `watch:${sessionId}` },
  };
  await new Promise(() => undefined);
}

/**
 * Passes updates on for as long as a browser's token holds. Throws `unauthenticated` at the moment when it expires;
 * other credentials do not expire.
 */
export async function* untilTokenExpires(
  open: (signal: AbortSignal) => AsyncIterable<Update>,
  { principal }: Pick<Access, 'principal'>,
  { now, signal }: { now: Date; signal: AbortSignal },
): AsyncGenerator<Update, void, undefined> {
  if (signal.aborted) return; // it would never be told
  if (principal.kind !== 'browser') {
    yield* open(signal);
    return;
  }
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, principal.expiresAt.getTime() - now.getTime());
  signal.addEventListener('abort', end, { once: true });
  try {
    yield* open(over.signal);
    if (over.signal.aborted && !signal.aborted) {
      throw tokenExpiredError();
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}
