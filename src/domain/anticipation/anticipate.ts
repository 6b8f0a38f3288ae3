import { invalid } from '../errors.ts';
import type { ScoredMemory } from '../retrieval/scored-memory.ts';
import type { Access, Named } from '../tenancy/access.ts';
import type { Session, Signal, Update } from './anticipation.ts';
import { latestOnly } from './latest-only.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { untilAborted } from './until-aborted.ts';

/** What the last message asks of retrieval. */
export interface AnticipationQuery {
  readonly text: string;
  readonly named: Named;
  readonly conversationId: string | undefined;
  /** Memories at most. */
  readonly limit: number;
  /** Tokens that their contents together may have. */
  readonly tokenBudget: number;
}

/** What a stream needs; retrieval is handed in, since its chapter stands below. */
export interface Anticipating {
  /** Best first, within the limit and the budget. */
  retrieve(
    access: Access,
    query: AnticipationQuery,
  ): Promise<{ readonly memories: readonly ScoredMemory[]; readonly totalTokens: number }>;
  /** Throws once the credential that opened the stream opens it no more. */
  reauthenticate(): Promise<void>;
  newBundleId(): string;
}

const bundleLimit = 10;
const defaultTokenBudget = 1_000;
/** As long as a query of a fetch may be. */
const maxTextChars = 2_000;
/** Half of the second that a revocation may take to end a silent stream: a busy process is late. */
const checkEveryMs = 500;

/**
 * A session: what is said goes in, the memories that it calls for come out, until the signals end or `signal` is
 * aborted. Throws `invalid_input` for signals out of order, and what `reauthenticate` and `retrieve` throw.
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
  const stopWatching = watchCredential(() => d.reauthenticate(), outbox.fail);
  over.signal.addEventListener('abort', () => {
    stopWatching();
    outbox.close();
  });
  signal.addEventListener('abort', end, { once: true });
  try {
    void converse(d, access, untilAborted(signals, over.signal), outbox).then(outbox.finish, outbox.fail);
    yield* outbox.updates();
  } finally {
    signal.removeEventListener('abort', end);
    over.abort();
  }
}

async function converse(
  d: Anticipating,
  access: Access,
  signals: AsyncIterable<Signal>,
  outbox: Outbox,
): Promise<void> {
  const answers = latestOnly((query: AnticipationQuery) => answer(query));
  let session: Session | undefined;
  let sequence = 0;

  async function answer(query: AnticipationQuery): Promise<void> {
    try {
      const { memories, totalTokens } = await d.retrieve(access, query);
      await d.reauthenticate(); // the key may have been revoked while we searched
      sequence += 1;
      outbox.put({ kind: 'bundle', sequence, bundleId: d.newBundleId(), memories, totalTokens });
    } catch (error) {
      outbox.fail(error);
    }
  }

  for await (const signal of signals) {
    await d.reauthenticate(); // before anything is done for it
    if (signal.kind === 'session-end') break;
    switch (signal.kind) {
      case 'session-start':
        if (session) throw invalid('session_start', 'this stream has its session already');
        session = signal.session;
        break;
      case 'message':
        if (!session) throw invalid('message', 'session_start must come first');
        answers.push(queryOf(session, signal.content));
        break;
      case 'ping':
        outbox.put({ kind: 'pong' });
        break;
    }
  }
  await answers.settled();
}

function queryOf({ conversationId, tokenBudget, ...named }: Session, content: string): AnticipationQuery {
  return {
    text: endOf(content.trim()),
    named,
    conversationId,
    limit: bundleLimit,
    tokenBudget: tokenBudget ?? defaultTokenBudget,
  };
}

/** The last words of a text too long to search with: what is asked mostly comes last. */
function endOf(text: string): string {
  if (text.length <= maxTextChars) return text;
  const tail = text.slice(-maxTextChars);
  return tail.slice(tail.search(/\s/) + 1);
}

/** Calls `lost` when the credential is lost. Returns what ends the watch. */
function watchCredential(reauthenticate: () => Promise<void>, lost: (error: unknown) => void): () => void {
  let isChecking = false;
  const timer = setInterval(() => {
    if (isChecking) return; // a database that hangs must not collect checks
    isChecking = true;
    void reauthenticate()
      .catch(lost)
      .finally(() => (isChecking = false));
  }, checkEveryMs);
  return () => clearInterval(timer);
}
