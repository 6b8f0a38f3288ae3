import type { Sql, Tx } from '../../db/database.ts';
import { mayReadOwner, type Access } from '../tenancy/access.ts';
import type { MessageKey } from './message-store.ts';

/** A memory that a stream pushed for a turn. */
export interface PushedMemory {
  /** A UUID. */
  readonly memoryId: string;
  /** Milliseconds from the push until the message was complete; negative when it was pushed after that. */
  readonly leadTimeMs: number;
  /** The agent reported that it used the memory. */
  readonly isUsed: boolean;
}

/** The memories that streams pushed for a human message, best first. */
export interface TurnAnticipation extends MessageKey {
  readonly receivedAt: Date;
  readonly memories: readonly PushedMemory[];
}

/** The most memories that are kept for one turn. */
export const maxMemoriesPerTurn = 100;

/**
 * Adds to what is kept of turns, of any instances, each turn at most once. Saying the same again changes nothing. A
 * message or a memory that is gone, or is being removed, is passed over: it is not waited for, so that no erasure and
 * no stream stands in the way of the other.
 */
export async function saveTurnAnticipations(
  sql: Sql,
  turns: readonly (TurnAnticipation & { readonly instanceNumber: bigint })[],
): Promise<void> {
  if (!turns.length) return;
  const pushed = turns.flatMap(({ memories }, k) => memories.map((memory) => ({ k: k + 1, ...memory })));
  await sql.$executeRaw`
    WITH turn AS (
      SELECT * FROM unnest(${turns.map(({ instanceNumber }) => instanceNumber)}::bigint[],
        ${turns.map(({ conversationId }) => conversationId)}::uuid[], ${turns.map(({ n }) => n)}::int[],
        ${turns.map(({ receivedAt }) => receivedAt.toISOString())}::timestamptz[])
        WITH ORDINALITY AS t (i, conversation_id, n, received_at, k)
    ), said AS MATERIALIZED (
      SELECT turn.* FROM turn
      JOIN message m ON m.i = turn.i AND m.conversation_id = turn.conversation_id AND m.n = turn.n
      FOR KEY SHARE OF m SKIP LOCKED
    ), pushed AS MATERIALIZED (
      SELECT given.* FROM unnest(${pushed.map(({ k }) => k)}::bigint[],
        ${pushed.map(({ memoryId }) => memoryId)}::uuid[], ${pushed.map(({ leadTimeMs }) => leadTimeMs)}::int[],
        ${pushed.map(({ isUsed }) => isUsed)}::bool[])
        WITH ORDINALITY AS given (k, memory_id, lead_ms, used, place)
      JOIN turn ON turn.k = given.k JOIN memory m ON m.i = turn.i AND m.id = given.memory_id
      FOR KEY SHARE OF m SKIP LOCKED
    )
    INSERT INTO turn_anticipation AS known (i, conversation_id, n, received_at, memory_ids, lead_ms, used)
    SELECT said.i, said.conversation_id, said.n, said.received_at,
      array_remove(array_agg(p.memory_id ORDER BY p.place), NULL),
      array_remove(array_agg(p.lead_ms ORDER BY p.place), NULL),
      array_remove(array_agg(p.used ORDER BY p.place), NULL)
    FROM said LEFT JOIN pushed p ON p.k = said.k
    GROUP BY said.i, said.conversation_id, said.n, said.received_at ORDER BY said.i, said.conversation_id, said.n
    ON CONFLICT (i, conversation_id, n) DO UPDATE SET (memory_ids, lead_ms, used) = (
      SELECT coalesce(array_agg(id ORDER BY place), '{}'), coalesce(array_agg(lead_ms ORDER BY place), '{}'),
        coalesce(array_agg(used ORDER BY place), '{}')
      FROM (
        SELECT id, max(lead_ms) AS lead_ms, bool_or(used) AS used, min(place) AS place
        FROM (
          SELECT * FROM unnest(excluded.memory_ids, excluded.lead_ms, excluded.used)
            WITH ORDINALITY AS newer (id, lead_ms, used, place)
          UNION ALL
          SELECT id, lead_ms, used, ${maxMemoriesPerTurn}::int + place FROM unnest(known.memory_ids, known.lead_ms, known.used)
            WITH ORDINALITY AS older (id, lead_ms, used, place)
        ) AS either
        GROUP BY id ORDER BY min(place) LIMIT ${maxMemoriesPerTurn}
      ) AS merged)`;
}

type Row = MessageKey & {
  readonly ownerNo: number;
  readonly receivedAt: Date;
  readonly memoryIds: string[];
  readonly leadTimeMs: number[];
  readonly used: boolean[];
};

/**
 * Reads what was pushed for these turns, in no order; a turn that no stream received is left out, and so is one of a
 * conversation that `access` may not read.
 */
export async function readTurnAnticipations(
  sql: Sql,
  access: Access,
  turns: readonly MessageKey[],
): Promise<TurnAnticipation[]> {
  if (!turns.length) return [];
  const rows = await sql.$queryRaw<Row[]>`
    SELECT t.conversation_id AS "conversationId", t.n, t.received_at AS "receivedAt", t.memory_ids AS "memoryIds",
      t.lead_ms AS "leadTimeMs", t.used, c.owner_no AS "ownerNo"
    FROM unnest(${turns.map(({ conversationId }) => conversationId)}::uuid[], ${turns.map(({ n }) => n)}::int[])
      AS given (conversation_id, n)
    JOIN turn_anticipation t ON t.conversation_id = given.conversation_id AND t.n = given.n AND t.i = ${access.instanceNumber}
    JOIN conversation c ON c.id = t.conversation_id AND c.i = ${access.instanceNumber}`;
  return rows
    .filter(({ ownerNo }) => mayReadOwner(access, ownerNo))
    .map(({ conversationId, n, receivedAt, memoryIds, leadTimeMs, used }) => ({
      conversationId,
      n,
      receivedAt,
      memories: memoryIds.map((memoryId, k) => ({ memoryId, leadTimeMs: leadTimeMs[k]!, isUsed: used[k]! })),
    }));
}

/**
 * Takes memories out of what was pushed. To be called when their rows are removed already: whoever keeps a turn at the
 * same time holds the rows of its memories, so that none comes after this.
 */
export async function removeFromTurns(tx: Tx, access: Access, memoryIds: readonly string[]): Promise<void> {
  if (!memoryIds.length) return;
  // Locked in the order in which they are written elsewhere, so that nobody waits in a circle.
  await tx.$executeRaw`
    WITH going AS MATERIALIZED (
      SELECT i, conversation_id, n FROM turn_anticipation
      WHERE memory_ids && ${memoryIds}::uuid[] AND i = ${access.instanceNumber}
      ORDER BY i, conversation_id, n FOR UPDATE)
    UPDATE turn_anticipation AS t SET (memory_ids, lead_ms, used) = (
      SELECT coalesce(array_agg(id ORDER BY place), '{}'), coalesce(array_agg(lead_ms ORDER BY place), '{}'),
        coalesce(array_agg(used ORDER BY place), '{}')
      FROM unnest(t.memory_ids, t.lead_ms, t.used) WITH ORDINALITY AS u (id, lead_ms, used, place)
      WHERE id <> ALL(${memoryIds}::uuid[]))
    FROM going WHERE t.i = going.i AND t.conversation_id = going.conversation_id AND t.n = going.n`;
}

/** Removes what was kept of turns received before `time`, at most `limit`; returns how many there were. */
export const removeTurnsBefore = (sql: Sql, time: Date, limit: number): Promise<number> =>
  sql.$executeRaw`
    DELETE FROM turn_anticipation WHERE (i, conversation_id, n) IN (
      SELECT i, conversation_id, n FROM turn_anticipation
      WHERE received_at < ${time} ORDER BY received_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
