import { inParts } from '../flow/in-parts.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { fromPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import { decryptMessage, messageColumns, mostBytes, type MessageRow, type NumberedMessage } from './message-store.ts';

/** A message, and which turn of which document it became. */
export interface Turn extends NumberedMessage {
  readonly documentId: string | null;
  /** The turn's place in that document, from 0. */
  readonly place: number | null;
}

interface Row extends MessageRow {
  readonly documentId: string | null;
  readonly turn: number | null;
}

/** Numbers of turns, both ends included. */
export interface TurnRange {
  readonly from: number;
  readonly to: number;
}

/** The newest turns of a conversation, in order, and the number of turns that they were chosen from. */
export interface NewestTurns {
  readonly turns: readonly Turn[];
  readonly count: number;
}

/**
 * The last that was said in a conversation, from turn `from` on: at most so many turns, and bytes as they are stored.
 * What was forgotten leaves a gap in the numbers.
 */
export async function readNewestTurns(
  sql: Sql,
  access: Access,
  {
    conversationId,
    from = 0,
    max,
  }: { conversationId: string; from?: number; max: { readonly turns: number; readonly bytes: number } },
): Promise<NewestTurns> {
  const isWanted = Prisma.sql`conversation_id = ${conversationId}::uuid AND n >= ${from} AND i = ${access.instanceNumber}`;
  const rows = await sql.$queryRaw<(Row & { count: number })[]>`
    SELECT ${messageColumns}, m.document_id AS "documentId", m.turn,
      (SELECT count(*)::int FROM message WHERE ${isWanted}) AS count
    FROM (
      SELECT m.*, sum(octet_length(m.body)) OVER (ORDER BY m.n DESC) AS bytes
      FROM (SELECT * FROM message WHERE ${isWanted} ORDER BY n DESC LIMIT ${max.turns}) AS m
    ) AS m
    WHERE m.bytes <= ${max.bytes} ORDER BY m.n`;
  return { turns: rows.map((row) => opened(access, row)), count: rows[0]?.count ?? 0 };
}

/** The turns of these ranges, in order: at most `limit`, and as many of the first as `mostBytes` have room for. */
export async function readTurnRanges(
  sql: Sql,
  access: Access,
  { conversationId, ranges, limit }: { conversationId: string; ranges: readonly TurnRange[]; limit: number },
): Promise<Turn[]> {
  if (!ranges.length) return [];
  const isWanted = Prisma.join(
    ranges.map(({ from, to }) => Prisma.sql`n BETWEEN ${from} AND ${to}`),
    ' OR ',
  );
  const rows = await sql.$queryRaw<Row[]>`
    SELECT ${messageColumns}, m.document_id AS "documentId", m.turn
    FROM (
      SELECT m.*, sum(octet_length(m.body)) OVER in_order AS bytes, row_number() OVER in_order AS place
      FROM (
        SELECT * FROM message
        WHERE conversation_id = ${conversationId}::uuid AND (${isWanted}) AND i = ${access.instanceNumber}
        ORDER BY n LIMIT ${limit}) AS m
      WINDOW in_order AS (ORDER BY m.n)
    ) AS m
    WHERE m.place = 1 OR m.bytes <= ${mostBytes} ORDER BY m.n`;
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
  const rows = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT n FROM message
      WHERE conversation_id = ${conversationId}::uuid AND n <= ${through} AND i = ${access.instanceNumber}
      ORDER BY n FOR KEY SHARE) AS locked`;
  return rows[0]!.count;
}

/** The conversations in which something was said that these documents hold. */
export async function conversationsOfDocuments(
  sql: Sql,
  access: Access,
  documentIds: readonly string[],
): Promise<string[]> {
  if (!documentIds.length) return [];
  const rows = await inParts(documentIds, (part) =>
    sql.message.findMany({
      where: { documentId: { in: part }, instanceNumber: access.instanceNumber },
      distinct: ['conversationId'],
      select: { conversationId: true },
    }),
  );
  return [...new Set(rows.map(({ conversationId }) => conversationId))];
}

/** Turns of a document, as evidence cites them. */
export interface DocumentTurns {
  readonly documentId: string;
  readonly turns: readonly number[];
}

/** Turns of a conversation by its UUID, and their numbers in it, which differ from those in a document of a part. */
export interface ConversationTurns {
  readonly conversationId: string;
  readonly turns: readonly number[];
}

/**
 * Finds the conversation turns of the cited document turns, in the order of the citations: a document holds but a
 * stretch of its conversation, and counts from there. Null: the document is of no conversation, or the turns were
 * forgotten.
 */
export async function findConversationTurns(
  sql: Sql,
  access: Access,
  citations: readonly DocumentTurns[],
): Promise<(ConversationTurns | null)[]> {
  const cited = citations.flatMap(({ documentId, turns }, citation) => {
    const document = fromPublicId('document', documentId); // an id of the caller's own is of no conversation
    return document ? turns.map((turn) => ({ document, turn, citation })) : [];
  });
  if (!cited.length) return citations.map(() => null);
  const rows = await sql.$queryRaw<(ConversationTurns & { citation: number })[]>`
    SELECT cited.citation, m.conversation_id AS "conversationId", array_agg(m.n ORDER BY m.n) AS turns
    FROM unnest(${cited.map(({ document }) => document)}::uuid[], ${cited.map(({ turn }) => turn)}::int[],
      ${cited.map(({ citation }) => citation)}::int[]) AS cited (document_id, turn, citation)
    JOIN message m ON m.i = ${access.instanceNumber} AND m.document_id = cited.document_id AND m.turn = cited.turn
    JOIN conversation ON conversation.i = m.i AND conversation.id = m.conversation_id
    WHERE ${readableBySql(access, 'conversation')}
    GROUP BY cited.citation, m.conversation_id`;
  const byCitation = new Map(rows.map(({ citation, ...found }) => [citation, found]));
  return citations.map((_, citation) => byCitation.get(citation) ?? null);
}
