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
  readonly #underWay = new Set<string>();

  /** Whether an event of this id was heard before, and nothing is left to be done about it. */
  has(access: Access, eventId: string): boolean {
    return this.#heard.has(keyOf(access, eventId));
  }

  isUnderWay(access: Access, eventId: string): boolean {
    return this.#underWay.has(keyOf(access, eventId));
  }

  begin(access: Access, eventId: string): void {
    this.#underWay.add(keyOf(access, eventId));
  }

  /** `isDone`: an event that is not is heard anew when it is repeated. */
  settle(access: Access, eventId: string, isDone: boolean): void {
    const key = keyOf(access, eventId);
    this.#underWay.delete(key);
    if (isDone) this.#heard.set(key, true);
  }
}

const keyOf = ({ instance }: Access, eventId: string): string => hash('sha256', `${instance}\0${eventId}`, 'base64');
