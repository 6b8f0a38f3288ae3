import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Access } from '../../../domain/tenancy/access.ts';

/** The client repeats what it has no acknowledgement of for five minutes. */
const keptMs = 10 * 60_000;
const eventsAtMost = 50_000;

/**
 * Knows the events that were heard a moment ago, on whatever connection: a client that lost one repeats, on the next,
 * those that it has no acknowledgement of, under their ids. Of one process.
 */
export class HeardEvents {
  // Keys are hashes: ids are the client's, and take as much room however long they are.
  readonly #heard = new LRUCache<string, true>({ max: eventsAtMost, ttl: keptMs });

  /** Whether an event of this id was heard before. */
  has(access: Access, eventId: string): boolean {
    return this.#heard.has(keyOf(access, eventId));
  }

  note(access: Access, eventId: string): void {
    this.#heard.set(keyOf(access, eventId), true);
  }
}

const keyOf = ({ instance }: Access, eventId: string): string => hash('sha256', `${instance}\0${eventId}`, 'base64');
