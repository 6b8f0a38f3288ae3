import type { MessageFeed, FeedMessage } from '../conversations/message-feed.ts';
import type { MessageSignal, StreamSettings, Signal } from './stream-messages.ts';

/** The dependencies of hearing a conversation. */
export interface ConversationFeed {
  readonly feed: MessageFeed;
  readonly instanceNumber: bigint;
  /** Identifies this stream, so that it does not hear itself. */
  readonly origin: string;
  /**
   * The UUID of the conversation that a session is about; undefined: of none. Throws where the caller may not join it.
   */
  join(session: StreamSettings): Promise<string | undefined>;
  /** The last messages that are kept of a conversation, by its UUID, oldest first. */
  lastSaid(conversationId: string): Promise<readonly Pick<FeedMessage, 'role' | 'content'>[]>;
}

/** Signals with what others say; `leave` ends them and the hearing. */
export interface MergedSignals {
  readonly signals: AsyncGenerator<Signal, void, undefined>;
  leave(): void;
}

/** The most messages that wait to be taken. A conversation window holds fewer, so older ones are of no use any more. */
const waitingAtMost = 50;
/** Said by this stream, and perhaps received through another API too. */
const rememberedAtMost = 16;

/**
 * Merges a stream's signals with messages its conversation receives through other APIs, and publishes its own to
 * them. Words that an agent sends through two APIs, this one first, count once. Ends with the given signals.
 */
export function mergeConversationMessages(deps: ConversationFeed, input: AsyncIterable<Signal>): MergedSignals {
  const heard: Signal[] = [];
  const said: { readonly words: string; readonly isKeptAs: (n: number | undefined) => void }[] = [];
  let conversation: string | undefined;
  let isKept = false;
  let stopListening: (() => void) | undefined;
  const disconnected = new AbortController();
  let wake: (() => void) | undefined;

  function hear({ role, content, origin, n, isPartial }: FeedMessage) {
    if (origin === deps.origin) return;
    if (isPartial) {
      if (heard.at(-1)?.kind === 'partial-message') heard.pop(); // the newer one says it all again
      heard.push({ kind: 'partial-message', role, content });
      return wake?.();
    }
    const words = wordsOf(role, content);
    const existing = said.findIndex((each) => each.words === words);
    if (existing >= 0) said.splice(existing, 1)[0]!.isKeptAs(n);
    else heard.push({ kind: 'message', role, content, isRelayed: true, number: n });
    if (heard.length > waitingAtMost) heard.shift();
    wake?.();
  }

  /** Tells the others. What this stream does not keep gets its number from the API that keeps it, if one does. */
  function tell(message: MessageSignal): MessageSignal {
    if (conversation === undefined) return message;
    const { role, content } = message;
    let isKeptAs!: (n: number | undefined) => void;
    const number = new Promise<number | undefined>((resolve) => (isKeptAs = resolve));
    said.push({ words: wordsOf(role, content), isKeptAs });
    if (said.length > rememberedAtMost) said.shift();
    if (isKept) return message;
    deps.feed.publish(deps.instanceNumber, conversation, { role, content, origin: deps.origin });
    return { ...message, number };
  }

  async function join(session: StreamSettings) {
    conversation = await deps.join(session);
    isKept = session.remember === true; // whoever keeps it tells it
    if (conversation === undefined || disconnected.signal.aborted) return;
    stopListening = deps.feed.listen(deps.instanceNumber, conversation, hear);
    if (!session.replaysRecentMessages) return;
    // Read while it listens already: what is said in this moment may be heard twice, and not missed.
    for (const { role, content } of await deps.lastSaid(conversation))
      heard.push({ kind: 'message', role, content, isRelayed: true });
  }

  async function* signals(): AsyncGenerator<Signal, void, undefined> {
    const source = input[Symbol.asyncIterator]();
    let arrived: IteratorResult<Signal, unknown> | { readonly error: unknown } | undefined;
    const take = (next: NonNullable<typeof arrived>) => {
      arrived = next;
      wake?.();
    };
    const ask = () => {
      arrived = undefined;
      source.next().then(take, (error: unknown) => take({ error }));
    };
    ask();
    while (!disconnected.signal.aborted) {
      const other = heard.shift();
      if (other) yield other;
      else if (!arrived) await new Promise<void>((resolve) => (wake = resolve));
      else if ('error' in arrived) throw arrived.error;
      else if (arrived.done) return;
      else {
        const { value } = arrived;
        if (value.kind === 'session-start' && !stopListening) await join(value.session);
        yield value.kind === 'message' ? tell(value) : value;
        ask();
      }
    }
  }

  return {
    signals: signals(),
    leave() {
      disconnected.abort();
      stopListening?.();
      wake?.();
    },
  };
}

const wordsOf = (role: string, content: string) => `${role}\0${content.trim()}`;
