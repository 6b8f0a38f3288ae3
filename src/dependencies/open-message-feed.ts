import type { Db } from '../db/database.ts';
import { relayMessages } from '../domain/conversations/relay-messages.ts';
import { MessageFeed } from '../domain/conversations/message-feed.ts';
import { accessAsWorker } from '../domain/tenancy/authenticate.ts';
import type { KeyRing } from '../domain/sealing/key-ring.ts';

interface FeedOptions {
  readonly db: Db;
  /** No other process has this database, so that nothing is told or heard. */
  readonly isSingleProcess: boolean;
  readonly keyRing: KeyRing;
  readonly region: string;
  readonly now: () => Date;
  /** Tells the other processes, soon. */
  readonly tell: (subject: string) => void;
  readonly warn: (message: string, error: unknown) => void;
}

const said = 'said/';

/** The feed of this process, which hears what the others keep: told by them, and by looking. */
export function openMessageFeed({ isSingleProcess, tell, ...deps }: FeedOptions) {
  if (isSingleProcess)
    return { feed: new MessageFeed(), heard: () => false, missed: () => undefined, close: async () => undefined };
  const feed: MessageFeed = new MessageFeed({
    tell: (instanceNumber, conversationId) => tell(`${said}${instanceNumber}/${conversationId}`),
    look: () => carrier.look(),
  });
  const carrier = relayMessages({
    ...deps,
    feed,
    keysOf: async (instanceNumber) => (await accessAsWorker(deps, { instanceNumber })).keys,
  });
  return {
    feed,
    /** Takes the notice of another process; false: it is about no message. */
    heard(subject: string): boolean {
      if (!subject.startsWith(said)) return false;
      feed.heardOf(subject.slice(said.length));
      return true;
    },
    missed: () => carrier.look(),
    close: () => carrier.close(),
  };
}
