import type { Db } from '../../db/database.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { MessageFeed } from './message-feed.ts';
import { countMessages, messagesSince, openedMessage } from './message-store.ts';

/** How often the messages of other processes are looked for, should nobody tell of them. */
const lookEveryMs = 1_000;
const readAtOnce = 500;

export interface Carrying {
  readonly db: Db;
  readonly feed: MessageFeed;
  readonly keysOf: (i: bigint) => Promise<InstanceKeys>;
  readonly warn: (message: string, error: unknown) => void;
}

export interface Carrier {
  /** Soon: a conversation that is listened to here may have a message. */
  look(): void;
  close(): Promise<void>;
}

/**
 * Brings a feed what other processes kept: when they tell of it, and every second, in one statement for all the
 * conversations that somebody here listens to. Nothing is asked while nobody does.
 */
export function carryMessages(d: Carrying): Carrier {
  let looking: Promise<void> | null = null;
  let isAsked = false;
  const closing = new AbortController();

  async function lookWhileAsked(): Promise<void> {
    while (isAsked && !closing.signal.aborted) {
      isAsked = false;
      if (await carryOnce(d)) isAsked = true;
    }
  }
  function look(): void {
    isAsked = true;
    looking ??= Promise.resolve()
      .then(lookWhileAsked)
      .catch((error: unknown) => d.warn('what other processes were told could not be read', error))
      .finally(() => (looking = null));
  }
  const timer = setInterval(look, lookEveryMs).unref();
  return {
    look,
    async close() {
      closing.abort();
      clearInterval(timer);
      await looking;
    },
  };
}

/** Whether there may be more. */
async function carryOnce({ db, feed, keysOf, warn }: Carrying): Promise<boolean> {
  const places = feed.listened();
  const unknown = places.filter(({ next }) => next === null);
  if (unknown.length) {
    const counts = new Map((await countMessages(db, unknown)).map(({ i, id, count }) => [`${i}/${id}`, count]));
    for (const { i, id } of unknown) feed.follow(i, id, counts.get(`${i}/${id}`) ?? 0);
  }
  const known = places.flatMap(({ i, id, next }) => (next === null ? [] : { i, id, next }));
  if (!known.length) return unknown.length > 0;
  const rows = await messagesSince(db, known, readAtOnce);
  const keys = new Map<bigint, InstanceKeys | null>();
  let carried = 0;
  for (const row of rows) {
    const { i, conversationId } = row;
    if (!keys.has(i)) keys.set(i, await keysOf(i).catch((error: unknown) => unreadable(warn, error)));
    const opener = keys.get(i);
    if (!opener) continue;
    const { role, content, origin, n } = openedMessage(opener, row);
    feed.read(i, conversationId, { role, content, origin: origin ?? '', n });
    carried += 1;
  }
  return carried === readAtOnce;
}

function unreadable(warn: Carrying['warn'], error: unknown): null {
  warn('the messages of an instance cannot be opened', error);
  return null;
}
