import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { toPublicId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { Access } from '../tenancy/access.ts';
import type { ExportedMessage, Message } from './conversation.ts';
import type { ConversationKey } from './conversation-store.ts';

/** A message by its UUID and its number in the conversation. */
export interface NumberedMessage extends Omit<Message, 'id'> {
  readonly uuid: string;
  readonly n: number;
  /** The stream that told it. */
  readonly origin: string | null;
}

/** A message as it is stored: its body is sealed. */
export interface MessageRow {
  readonly n: number;
  readonly id: string;
  readonly saidAt: Date;
  readonly origin: string | null;
  readonly body: Uint8Array;
}

/** SQL for the columns of a `MessageRow` of the table `m`. */
export const messageColumns = Prisma.sql`m.n, m.id, m.said_at AS "saidAt", m.origin, m.body`;

/** The sealed part of a message; fields that a message does not have are omitted. */
type Body = Pick<Message, 'role' | 'content'> & Partial<Pick<Message, 'name' | 'metadata' | 'sessionId'>>;

export async function saveMessages(
  sql: Sql,
  { instanceNumber, keys }: Access,
  conversationId: string,
  messages: readonly NumberedMessage[],
): Promise<void> {
  await sql.message.createMany({
    data: messages.map(({ uuid: id, n, at, origin, role, content, ...more }) => {
      const { name, metadata, sessionId } = more;
      const body: Body = {
        role,
        content,
        ...(name === null ? {} : { name }),
        ...(metadata === null ? {} : { metadata }),
        ...(sessionId === null ? {} : { sessionId }),
      };
      const sealed = keys.seal('message.body', id, JSON.stringify(body));
      return { instanceNumber, conversationId, n, id, saidAt: at, origin, body: sealed };
    }),
  });
}

/** One read of messages answers so many bytes at most, as they are stored: as much as one call may add. */
export const mostBytes = limits.messageTexts.max;

/** Reads the last messages of a conversation, oldest first: at most `limit`, and `mostBytes` of the newest. */
export async function lastMessages(
  sql: Sql,
  access: Access,
  conversationId: string,
  limit: number,
): Promise<Message[]> {
  const messages = await lastMessagesOf(sql, access, { ids: [conversationId], last: limit });
  return messages.get(conversationId) ?? [];
}

/** Reads the last messages of conversations, by UUID. They share `mostBytes`, and each tells its newest message. */
export async function lastMessagesOf(
  sql: Sql,
  access: Access,
  { ids, last }: { ids: readonly string[]; last: number },
): Promise<Map<string, Message[]>> {
  const share = Math.floor(mostBytes / Math.max(1, ids.length));
  const rows = await sql.$queryRaw<(MessageRow & { conversationId: string })[]>`
    SELECT m.conversation_id AS "conversationId", ${messageColumns}
    FROM (
      SELECT m.*, sum(octet_length(m.body)) OVER newest AS bytes, row_number() OVER newest AS place
      FROM unnest(${ids}::uuid[]) AS given (id) CROSS JOIN LATERAL (
        SELECT * FROM message WHERE conversation_id = given.id AND i = ${access.instanceNumber} ORDER BY n DESC LIMIT ${last}) AS m
      WINDOW newest AS (PARTITION BY m.conversation_id ORDER BY m.n DESC)
    ) AS m
    WHERE m.place = 1 OR m.bytes <= ${share} ORDER BY m.n`;
  const messages = new Map(ids.map((id): [string, Message[]] => [id, []]));
  for (const row of rows) messages.get(row.conversationId)?.push(toMessage(decryptMessage(access.keys, row)));
  return messages;
}

/** Reads the messages from number `from` on, in order. */
export async function readMessagesFrom(
  tx: Tx,
  access: Access,
  { conversationId, from, limit }: { conversationId: string; from: number; limit: number },
): Promise<NumberedMessage[]> {
  const rows = await tx.$queryRaw<MessageRow[]>`
    SELECT ${messageColumns} FROM message m
    WHERE m.conversation_id = ${conversationId}::uuid AND m.n >= ${from} AND m.i = ${access.instanceNumber} ORDER BY m.n LIMIT ${limit}`;
  return rows.map((row) => decryptMessage(access.keys, row));
}

/** Keeps which turns of a document these messages are: forgotten turns are forgotten here too. `ns` in their order. */
export async function saveTurns(
  tx: Tx,
  access: Access,
  { conversationId, documentId, ns }: { conversationId: string; documentId: string; ns: readonly number[] },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE message SET document_id = ${documentId}::uuid, turn = array_position(${ns}::int[], n) - 1
    WHERE conversation_id = ${conversationId}::uuid AND n = ANY(${ns}::int[]) AND i = ${access.instanceNumber}`;
}

/** The messages that these turns of a document were made of; returns how many there were. */
export async function removeTurns(
  tx: Tx,
  access: Access,
  { documentId, turns }: { documentId: string; turns: readonly number[] },
): Promise<number> {
  const { count } = await tx.message.deleteMany({
    where: { documentId, turn: { in: [...turns] }, instanceNumber: access.instanceNumber },
  });
  return count;
}

/** Removes the messages of which these documents were made; returns how many there were. */
export async function removeMessagesOf(tx: Tx, access: Access, documentIds: readonly string[]): Promise<number> {
  const { count } = await tx.message.deleteMany({
    where: { documentId: { in: [...documentIds] }, instanceNumber: access.instanceNumber },
  });
  return count;
}

/** Reads the messages of these owners' conversations after the place `after`, conversation by conversation. */
export async function messagesOfOwners(
  sql: Sql,
  access: Access,
  { ownerNos, after, limit }: { ownerNos: readonly number[]; after: MessageKey; limit: number },
): Promise<{ message: Omit<ExportedMessage, 'anticipated'>; place: MessageKey }[]> {
  const rows = await sql.$queryRaw<(MessageRow & { conversationId: string; externalId: string | null })[]>`
    SELECT m.conversation_id AS "conversationId", c.external_id AS "externalId", ${messageColumns}
    FROM message m JOIN conversation c ON c.i = m.i AND c.id = m.conversation_id
    WHERE c.owner_no = ANY(${ownerNos}::int[]) AND (m.conversation_id, m.n) > (${after.conversationId}::uuid, ${after.n}::int)
      AND m.i = ${access.instanceNumber}
    ORDER BY m.conversation_id, m.n LIMIT ${limit}`;
  return rows.map((row) => ({
    message: {
      conversationId: row.conversationId,
      externalId: row.externalId,
      ...toMessage(decryptMessage(access.keys, row)),
    },
    place: { conversationId: row.conversationId, n: row.n },
  }));
}

/** A message by its conversation. */
export interface MessageKey {
  readonly conversationId: string;
  readonly n: number;
}

/** Before every message. */
export const beforeFirstMessage: MessageKey = { conversationId: '00000000-0000-0000-0000-000000000000', n: -1 };

/** Counts the messages ever received in each of these conversations that exists. */
export const countMessages = (sql: Sql, places: readonly ConversationKey[]) =>
  sql.$queryRaw<(ConversationKey & { count: number })[]>`
    SELECT c.i AS "instanceNumber", c.id, c.message_count AS count
    FROM unnest(${places.map(({ instanceNumber }) => instanceNumber)}::bigint[], ${places.map(({ id }) => id)}::uuid[]) AS place (i, id)
    JOIN conversation c ON c.i = place.i AND c.id = place.id`;

/** A message that is sealed still. */
export type SealedMessage = MessageRow & { readonly instanceNumber: bigint; readonly conversationId: string };

/** Reads messages of conversations of any instances, each from its number `next` on: in order, at most `limit`. */
export const messagesSince = (
  sql: Sql,
  places: readonly (ConversationKey & { next: number })[],
  limit: number,
): Promise<SealedMessage[]> =>
  sql.$queryRaw<SealedMessage[]>`
    SELECT m.i AS "instanceNumber", m.conversation_id AS "conversationId", ${messageColumns}
    FROM unnest(${places.map(({ instanceNumber }) => instanceNumber)}::bigint[], ${places.map(({ id }) => id)}::uuid[],
      ${places.map(({ next }) => next)}::int[]) AS place (i, id, next)
    JOIN message m ON m.i = place.i AND m.conversation_id = place.id AND m.n >= place.next
    ORDER BY m.i, m.conversation_id, m.n LIMIT ${limit}`;

export function decryptMessage(keys: InstanceKeys, { id, n, saidAt: at, origin, body }: MessageRow): NumberedMessage {
  const {
    name = null,
    metadata = null,
    sessionId = null,
    ...said
  } = JSON.parse(keys.open('message.body', id, body)) as Body;
  return { uuid: id, n, at, origin, ...said, name, metadata, sessionId };
}

export const toMessage = ({ uuid, role, content, name, at, metadata, sessionId }: NumberedMessage): Message => ({
  id: toPublicId('message', uuid),
  role,
  content,
  name,
  at,
  metadata,
  sessionId,
});
