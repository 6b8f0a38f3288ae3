import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/database.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import { nameOf, type MessageFeed } from './message-feed.ts';
import {
  countMessages,
  messagesSince,
  decryptMessage,
  type NumberedMessage,
  type SealedMessage,
} from './message-store.ts';

/** The interval at which messages of other processes are looked for whose notices were lost. */
const lookEveryMs = 1_000;
const readAtOnce = 500;
/** A conversation that could not be opened is passed by for this long: its messages would fill every look. */
const asideMs = 5_000;
const mostAside = 10_000;

export interface MessageRelayDependencies {
  readonly db: Db;
  readonly feed: MessageFeed;
  readonly keysOf: (instanceNumber: bigint) => Promise<InstanceKeys>;
  readonly warn: (message: string, error: unknown) => void;
}

export interface MessageRelay {
  /** Soon: a conversation that is listened to here may have a message. */
  look(): void;
  close(): Promise<void>;
}

/**
 * Brings a feed what other processes kept: when they tell of it, and every second, in one statement for all the
 * conversations that somebody here listens to. Nothing is asked while nobody does.
 */
export function relayMessages(deps: MessageRelayDependencies): MessageRelay {
  let looking: Promise<void> | null = null;
  let isAsked = false;
  const closing = new AbortController();
  const aside = new LRUCache<string, true>({ max: mostAside, ttl: asideMs });

  async function lookWhileAsked(): Promise<void> {
    while (isAsked && !closing.signal.aborted) {
      isAsked = false;
      if (await carryOnce(deps, aside)) isAsked = true;
    }
  }
  function look(): void {
    isAsked = true;
    looking ??= Promise.resolve()
      .then(lookWhileAsked)
      .catch((error: unknown) => deps.warn('what other processes were told could not be read', error))
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

/** Relays one batch of messages; true: there may be more. Conversations that cannot be opened are put `aside`. */
async function carryOnce(
  { db, feed, keysOf, warn }: MessageRelayDependencies,
  aside: LRUCache<string, true>,
): Promise<boolean> {
  const places = feed.listened();
  const unknown = places.filter(({ next }) => next === null);
  if (unknown.length) {
    const counts = new Map(
      (await countMessages(db, unknown)).map((row) => [nameOf(row.instanceNumber, row.id), row.count]),
    );
    for (const { instanceNumber, id } of unknown)
      feed.follow(instanceNumber, id, counts.get(nameOf(instanceNumber, id)) ?? 0);
  }
  const existing = places.flatMap(({ instanceNumber, id, next }) =>
    next === null || aside.has(nameOf(instanceNumber, id)) ? [] : { instanceNumber, id, next },
  );
  if (!existing.length) return unknown.length > 0;
  const rows = await messagesSince(db, existing, readAtOnce);
  const keys = new Map<bigint, Promise<InstanceKeys>>();
  const warned = new Set<bigint>();
  async function openRow(row: SealedMessage): Promise<NumberedMessage> {
    if (!keys.has(row.instanceNumber)) keys.set(row.instanceNumber, keysOf(row.instanceNumber));
    return decryptMessage(await keys.get(row.instanceNumber)!, row);
  }
  for (const row of rows) {
    const { instanceNumber, conversationId } = row;
    const name = nameOf(instanceNumber, conversationId);
    if (aside.has(name)) continue; // since a moment ago: what comes behind would be heard out of order
    const opened = await openRow(row).catch((error: unknown) => {
      aside.set(name, true);
      if (!warned.has(instanceNumber)) warn('the messages of an instance cannot be opened', error);
      warned.add(instanceNumber);
    });
    if (!opened) continue;
    const { role, content, origin, n } = opened;
    feed.read(instanceNumber, conversationId, { role, content, origin: origin ?? '', n });
  }
  return rows.length === readAtOnce;
}
