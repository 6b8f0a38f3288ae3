import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Access } from '../../domain/tenancy/access.ts';

/** The API by which a turn came in. */
export type TurnSource = 'rest' | 'stream';

export interface Turn {
  readonly conversationId: string;
  readonly role: string;
  readonly content: string;
}

const withinMs = 10_000;
const turnsAtMost = 20_000;
/** How long a turn of the stream is waited for: whoever does not keep it in that time does not keep it. */
const keptWithinMs = 5_000;

interface SaidTurn {
  readonly counts: Record<TurnSource, number>;
  /** Resolves with whether the stream has kept the turn, or will not. */
  kept?: Promise<boolean>;
}

async function takeBackUnlessKept({ counts }: SaidTurn, kept: Promise<boolean>): Promise<void> {
  if (!(await kept)) counts.stream -= 1;
}

/**
 * Deduplicates turns that the library's integrations send over REST and over the stream as well, so that each is kept once.
 * Two turns with the same words over one of them are two turns. It sees one process only: where REST and the stream are
 * served by different processes, both turns are kept.
 */
export class TurnDeduplicator {
  // Keys are hashes: words are neither kept in clear nor for longer than their turn, and long ones take no more room.
  readonly #said = new LRUCache<string, SaidTurn>({ max: turnsAtMost, ttl: withinMs });

  /** Whether this turn came by the other API before; notes it otherwise. */
  isKnown(access: Access, turn: Turn, door: TurnSource): boolean {
    const key = keyOf(access, turn);
    const said = this.#said.get(key) ?? { counts: { rest: 0, stream: 0 } };
    this.#said.set(key, said);
    said.counts[door] += 1;
    return said.counts[door] <= said.counts[door === 'rest' ? 'stream' : 'rest'];
  }

  /** The stream keeps this turn, until `kept` resolves; one that it does not keep was not brought by it. */
  keeps(access: Access, turn: Turn, kept: Promise<boolean>): void {
    const said = this.#said.get(keyOf(access, turn));
    if (!said) return;
    said.kept = kept;
    void takeBackUnlessKept(said, kept);
  }

  /** Resolves when the stream no longer is about to keep this turn. */
  async untilKept(access: Access, turn: Turn): Promise<void> {
    const over = new AbortController();
    const late = pause(keptWithinMs, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
    await Promise.race([this.#said.get(keyOf(access, turn))?.kept, late]);
    over.abort();
  }
}

const keyOf = ({ instance }: Access, { conversationId, role, content }: Turn): string =>
  hash('sha256', `${instance}\0${conversationId.toLowerCase()}\0${role}\0${content}`, 'base64');
