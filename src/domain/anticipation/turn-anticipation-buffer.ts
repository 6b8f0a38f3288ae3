import { Mutex } from 'async-mutex';
import type { Sql } from '../../db/database.ts';
import {
  maxMemoriesPerTurn,
  saveTurnAnticipations,
  type PushedMemory,
  type TurnAnticipation,
} from '../conversations/turn-anticipation-store.ts';
import { chunksOf } from '../flow/chunks-of.ts';
import { fromPublicId } from '../ids.ts';

/** A turn of people as one stream received it, and what it pushed for it; it grows while the turn lasts. */
export interface TurnRecord {
  readonly instanceNumber: bigint;
  /** A UUID. */
  readonly conversationId: string;
  /** The number of its message in the conversation. */
  readonly n: number;
  readonly receivedAt: Date;
  /** By public ids, best first. */
  readonly pushed: ReadonlyMap<string, Omit<PushedMemory, 'memoryId'>>;
}

/** Turns that wait to be written: of more, while the database is away, the oldest are lost. */
const waitingAtMost = 10_000;
/**
 * One statement holds the only connection of the embedded database: few turns, so that streams get their turn between.
 */
const writtenTogether = 25;

/**
 * Buffers the memories that streams pushed for each turn, which are stored for people to look at. They are written
 * together now and then, so that no stream waits; a process that is killed loses those that it did not write yet.
 */
export class TurnAnticipationBuffer {
  readonly #sql: Sql;
  readonly #writing = new Mutex();
  #waiting = new Set<TurnRecord>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Notes a turn, or that it has grown. */
  note(turn: TurnRecord): void {
    this.#waiting.add(turn);
    if (this.#waiting.size > waitingAtMost)
      for (const oldest of this.#waiting) return void this.#waiting.delete(oldest);
  }

  /** Writes what was noted until now. What could not be written is written next time. */
  flush(): Promise<void> {
    return this.#writing.runExclusive(async () => {
      const turns = [...this.#waiting];
      this.#waiting = new Set();
      const merged = mergeTurns(turns);
      try {
        for (const some of chunksOf(merged, writtenTogether)) await saveTurnAnticipations(this.#sql, some);
      } catch (error) {
        for (const turn of turns) this.note(turn); // written twice, it is the same
        throw error;
      }
    });
  }
}

/** Several streams may have received the same turn: one statement writes it once. */
function mergeTurns(turns: readonly TurnRecord[]) {
  const merged = new Map<string, TurnAnticipation & { readonly instanceNumber: bigint }>();
  for (const { instanceNumber, conversationId, n, receivedAt, pushed } of turns) {
    const place = `${instanceNumber}/${conversationId}/${n}`;
    const memories = new Map((merged.get(place)?.memories ?? []).map((memory) => [memory.memoryId, memory]));
    for (const [id, { leadTimeMs, isUsed }] of pushed) {
      const memoryId = fromPublicId('memory', id);
      if (memoryId === null) continue;
      const existing = memories.get(memoryId) ?? { leadTimeMs, isUsed };
      memories.set(memoryId, {
        memoryId,
        leadTimeMs: Math.max(leadTimeMs, existing.leadTimeMs),
        isUsed: isUsed || existing.isUsed,
      });
    }
    merged.set(place, {
      instanceNumber,
      conversationId,
      n,
      receivedAt,
      memories: [...memories.values()].slice(0, maxMemoriesPerTurn),
    });
  }
  return [...merged.values()];
}
