import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Access } from '../../../domain/tenancy/access.ts';

/** The library repeats what it has no acknowledgement of for five minutes. */
const keptMs = 10 * 60_000;
const eventsAtMost = 50_000;

/**
 * Deduplicates events by their ids, across connections of one process: whoever lost a connection repeats on the next
 * one the events that it has no acknowledgement of, under their ids.
 */
export class EventDeduplicator {
  // Keys are hashes: ids are the library's, and take as much room however long they are.
  readonly #handled = new LRUCache<string, true>({ max: eventsAtMost, ttl: keptMs });
  readonly #underWay = new Set<string>();

  /** Whether an event of this id was handled before, so that nothing is left to be done about it. */
  has(access: Access, eventId: string): boolean {
    return this.#handled.has(keyOf(access, eventId));
  }

  isUnderWay(access: Access, eventId: string): boolean {
    return this.#underWay.has(keyOf(access, eventId));
  }

  begin(access: Access, eventId: string): void {
    this.#underWay.add(keyOf(access, eventId));
  }

  /** Ends the handling of an event. Unless `isDone`, it is handled again when the library repeats it. */
  settle(access: Access, eventId: string, isDone: boolean): void {
    const key = keyOf(access, eventId);
    this.#underWay.delete(key);
    if (isDone) this.#handled.set(key, true);
  }
}

const keyOf = ({ instance }: Access, eventId: string): string => hash('sha256', `${instance}\0${eventId}`, 'base64');
