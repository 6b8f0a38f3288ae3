import type { Sql, Tx } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { decryptMessage, type NumberedMessage } from './message-store.ts';

/** A message, and which turn of which document it became. */
export interface Turn extends NumberedMessage {
  readonly documentId: string | null;
  /** Its place in that document, from 0. */
  readonly place: number | null;
}

interface Row {
  readonly n: number;
  readonly id: string;
  readonly saidAt: Date;
  readonly origin: string | null;
  readonly body: Uint8Array;
  readonly documentId: string | null;
  readonly turn: number | null;
}

/** Numbers of turns, both ends included. */
export interface TurnRange {
  readonly from: number;
  readonly to: number;
}

const readAtOnce = 1_000;

/** All that was said in a conversation, in order; what was forgotten leaves a gap in the numbers. */
export async function readTurns(sql: Sql, access: Access, conversationId: string): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (;;) {
    const rows = await sql.message.findMany({
      where: { conversationId, n: { gt: turns.at(-1)?.n ?? -1 }, instanceNumber: access.instanceNumber },
      orderBy: { n: 'asc' },
      take: readAtOnce,
    });
    turns.push(...rows.map((row) => opened(access, row)));
    if (rows.length < readAtOnce) return turns;
  }
}

/** The turns of these ranges, in order, at most `limit`. */
export async function readTurnRanges(
  sql: Sql,
  access: Access,
  { conversationId, ranges, limit }: { conversationId: string; ranges: readonly TurnRange[]; limit: number },
): Promise<Turn[]> {
  const rows = await sql.message.findMany({
    where: {
      conversationId,
      OR: ranges.map(({ from, to }) => ({ n: { gte: from, lte: to } })),
      instanceNumber: access.instanceNumber,
    },
    orderBy: { n: 'asc' },
    take: limit,
  });
  return rows.map((row) => opened(access, row));
}

const opened = (access: Access, { turn, documentId, ...row }: Row): Turn => ({
  ...decryptMessage(access.keys, row),
  documentId,
  place: turn,
});

/**
 * Keeps the messages up to a number from being removed until the transaction ends; returns how many there are. What is
 * removed at the same time is waited for, and not counted.
 */
export async function lockTurns(
  tx: Tx,
  access: Access,
  { conversationId, through }: { conversationId: string; through: number },
): Promise<number> {
  const rows = await tx.$queryRaw<{ n: number }[]>`
    SELECT n FROM message
    WHERE conversation_id = ${conversationId}::uuid AND n <= ${through} AND i = ${access.instanceNumber} ORDER BY n FOR KEY SHARE`;
  return rows.length;
}

/** The conversations in which something was said that these documents hold. */
export async function conversationsOfDocuments(
  sql: Sql,
  access: Access,
  documentIds: readonly string[],
): Promise<string[]> {
  if (!documentIds.length) return [];
  const rows = await sql.message.findMany({
    where: { documentId: { in: [...documentIds] }, instanceNumber: access.instanceNumber },
    distinct: ['conversationId'],
    select: { conversationId: true },
  });
  return rows.map(({ conversationId }) => conversationId);
}
