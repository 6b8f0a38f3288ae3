import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Access } from '../../domain/tenancy/access.ts';

/** Where a turn came in. */
export type Door = 'rest' | 'stream';

interface Turn {
  readonly conversationId: string;
  readonly role: string;
  readonly content: string;
}

const withinMs = 10_000;
const turnsAtMost = 20_000;

/**
 * Knows what was said a moment ago, since the client's integrations tell a turn over REST and over the stream: it is kept
 * once. Two turns of the same words by one door are two. Of one process: where the doors are apart, both are kept.
 */
export class SaidTurns {
  // Keys are hashes: words are neither kept in clear nor for longer than their turn, and long ones take no more room.
  readonly #said = new LRUCache<string, Record<Door, number>>({ max: turnsAtMost, ttl: withinMs });

  /** Whether the other door brought this turn; notes it otherwise. */
  isKnown({ instance }: Access, { conversationId, role, content }: Turn, door: Door): boolean {
    const key = hash('sha256', `${instance}\0${conversationId.toLowerCase()}\0${role}\0${content}`, 'base64');
    const counts = this.#said.get(key) ?? { rest: 0, stream: 0 };
    this.#said.set(key, counts);
    counts[door] += 1;
    return counts[door] <= counts[door === 'rest' ? 'stream' : 'rest'];
  }
}
