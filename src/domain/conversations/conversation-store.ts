import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { KeysetQuery } from '../pagination.ts';
import { conversationUuid } from '../ids.ts';
import { directionSql, keysetSql } from '../tenancy/keyset-store.ts';
import { mayReadOwner, type Access, type SubjectIds, type Scope } from '../tenancy/access.ts';
import { countRowsPerList, firstRowsPerListSql } from '../tenancy/owned-list-store.ts';
import { nextDueAt, type Conversation, type ConversationState, type ConversationProgress } from './conversation.ts';

/** A conversation as it is stored, with those it belongs to; empty ids mean none. */
export interface ConversationRow extends ConversationProgress {
  readonly id: string;
  readonly ownerNo: number;
  readonly scope: Scope;
  readonly userId: string;
  readonly customerId: string;
  readonly externalId: string | null;
  readonly metadata: Uint8Array<ArrayBuffer> | null;
}

const columns = Prisma.sql`c.id, c.owner_no AS "ownerNo", o.scope, o.user_id AS "userId", o.customer_id AS "customerId",
  c.external_id AS "externalId", c.started_at AS "startedAt", c.ended_at AS "endedAt", c.last_at AS "lastAt",
  c.message_count AS "messageCount", c.ingested_message_count AS "ingestedMessageCount", c.metadata`;

/** Reads a conversation by UUID; null when there is none. */
export const findConversation = (sql: Sql, access: Access, id: string) => rowOf(sql, access, id, Prisma.empty);

/** Reads and locks a conversation by UUID until the transaction ends; null when there is none. */
export const lockConversation = (tx: Tx, access: Access, id: string) =>
  rowOf(tx, access, id, Prisma.sql`FOR UPDATE OF c`);

async function rowOf(sql: Sql, access: Access, id: string, lock: Prisma.Sql): Promise<ConversationRow | null> {
  const rows = await sql.$queryRaw<ConversationRow[]>`
    SELECT ${columns} FROM conversation c JOIN owner o ON o.i = c.i AND o.owner_no = c.owner_no
    WHERE c.id = ${id}::uuid AND c.i = ${access.instanceNumber} ${lock}`;
  return rows[0] ?? null;
}

/** Finds conversations by UUID, in no order; those that `access` may not read are left out. */
export async function findConversations(sql: Sql, access: Access, ids: readonly string[]): Promise<ConversationRow[]> {
  const rows = await sql.$queryRaw<ConversationRow[]>`
    SELECT ${columns} FROM conversation c JOIN owner o ON o.i = c.i AND o.owner_no = c.owner_no
    WHERE c.id = ANY(${ids}::uuid[]) AND c.i = ${access.instanceNumber}`;
  return rows.filter(({ ownerNo }) => mayReadOwner(access, ownerNo));
}

const states = {
  open: Prisma.sql`conversation.ended_at IS NULL`,
  ended: Prisma.sql`conversation.ended_at IS NOT NULL`,
};

export interface ConversationFilter {
  readonly state?: ConversationState | undefined;
}

const fits = ({ state }: ConversationFilter) => (state ? [states[state]] : []);

/**
 * A page of the conversations of each subject; `n`: the number of the subject in the list, from 1. They are ordered by
 * when we first heard of them: when they began, and whether they did, may change.
 */
export function conversationsOf(
  sql: Sql,
  access: Access,
  named: readonly SubjectIds[],
  { direction, after, limit, ...filter }: KeysetQuery & ConversationFilter,
): Promise<(ConversationRow & { n: number; at: Date })[]> {
  const { order, behind } = keysetSql('conversation', { direction, after });
  const where = [...fits(filter), ...behind];
  const towards = directionSql(direction);
  return sql.$queryRaw<(ConversationRow & { n: number; at: Date })[]>`
    SELECT c.n, c.created_at AS at, ${columns}
    FROM (SELECT given.n, conversation.* FROM ${firstRowsPerListSql(access, named, { table: 'conversation', where, order, limit })}) AS c
    JOIN owner o ON o.i = c.i AND o.owner_no = c.owner_no
    ORDER BY c.n, c.created_at ${towards}, c.id ${towards}`;
}

/** Counts the matching conversations of each subject, each count at most one more than `maxTotalCount`. */
export const countConversationsOf = (
  sql: Sql,
  access: Access,
  named: readonly SubjectIds[],
  filter: ConversationFilter,
) => countRowsPerList(sql, access, named, { table: 'conversation', where: fits(filter) });

/** The user and customer of a conversation, as a caller would name them. */
export const subjectOfConversation = ({
  userId,
  customerId,
}: Pick<ConversationRow, 'userId' | 'customerId'>): SubjectIds => ({
  userId: userId || undefined,
  customerId: customerId || undefined,
});

/** The user and customer of a conversation, by its id as the caller wrote it; null when it was never seen. */
export async function conversationOwner(sql: Sql, access: Access, conversationId: string): Promise<SubjectIds | null> {
  const { id } = conversationUuid(access.instance, conversationId);
  const row = await findConversation(sql, access, id);
  return row && subjectOfConversation(row);
}

/** Inserts a conversation unless its id exists; not for an owner forgotten a moment ago. Returns its UUID. */
export async function insertConversation(
  sql: Sql,
  access: Access,
  conversationId: string,
  ownerNo: number,
): Promise<string> {
  const { id, externalId } = conversationUuid(access.instance, conversationId);
  await sql.$executeRaw`
    INSERT INTO conversation (i, id, owner_no, external_id)
    SELECT ${access.instanceNumber}, ${id}::uuid, owner_no, ${externalId}
    FROM owner WHERE i = ${access.instanceNumber} AND owner_no = ${ownerNo} FOR SHARE
    ON CONFLICT (i, id) DO NOTHING`;
  return id;
}

/** Keeps how far the conversation is, and so when it is to be looked after next. */
export async function saveConversationProgress(tx: Tx, access: Access, conversation: ConversationRow): Promise<void> {
  const { id, startedAt, endedAt, lastAt, messageCount, ingestedMessageCount, metadata } = conversation;
  await tx.conversation.updateMany({
    where: { id, instanceNumber: access.instanceNumber },
    data: { startedAt, endedAt, lastAt, messageCount, ingestedMessageCount, metadata, dueAt: nextDueAt(conversation) },
  });
}

export const encryptMetadata = ({ keys }: Access, id: string, metadata: Readonly<Record<string, unknown>>) =>
  keys.seal('conversation.metadata', id, JSON.stringify(metadata));

/** A conversation by its instance. */
export interface ConversationKey {
  readonly instanceNumber: bigint;
  readonly id: string;
}

/**
 * Conversations of this region that are due, at most `limit`; of processes that ask together, one is told of each.
 * Whoever is told and dies leaves them due again at `againAt`.
 */
export function leaseDueConversations(
  sql: Sql,
  { region, now, againAt, limit }: { region: string; now: Date; againAt: Date; limit: number },
): Promise<ConversationKey[]> {
  return sql.$queryRaw<ConversationKey[]>`
    UPDATE conversation SET due_at = ${againAt}::timestamptz
    WHERE (i, id) IN (
      SELECT c.i, c.id FROM conversation c JOIN instance n ON n.i = c.i
      WHERE c.due_at <= ${now}::timestamptz AND n.region = ${region} AND n.state <> 'purged'
      ORDER BY c.due_at LIMIT ${limit} FOR UPDATE OF c SKIP LOCKED)
    RETURNING i AS "instanceNumber", id`;
}

/** The conversation as it is shown. */
export const toConversation = ({ keys }: Access, row: ConversationRow): Conversation => ({
  id: row.id,
  externalId: row.externalId,
  userId: row.userId || null,
  customerId: row.customerId || null,
  state: row.endedAt ? 'ended' : 'open',
  startedAt: row.startedAt,
  endedAt: row.endedAt,
  lastMessageAt: row.lastAt,
  messageCount: row.messageCount,
  metadata: decryptMetadata({ keys }, row),
});

export const decryptMetadata = ({ keys }: Pick<Access, 'keys'>, { id, metadata }: ConversationRow) =>
  metadata && (JSON.parse(keys.open('conversation.metadata', id, metadata)) as Record<string, unknown>);

/** The conversations of these owners, with what was said in them; returns how many rows there were. */
export async function removeConversations(tx: Tx, access: Access, ownerNos: readonly number[]): Promise<number> {
  // Whoever adds a message holds its conversation: once these are gone, none can come.
  const gone = await tx.$queryRaw<{ id: string }[]>`
    DELETE FROM conversation WHERE owner_no = ANY(${ownerNos}::int[]) AND i = ${access.instanceNumber} RETURNING id`;
  const { count } = await tx.message.deleteMany({
    where: { conversationId: { in: gone.map(({ id }) => id) }, instanceNumber: access.instanceNumber },
  });
  return gone.length + count;
}
