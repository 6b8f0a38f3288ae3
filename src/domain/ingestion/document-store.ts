import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { removeMessagesOf, removeTurns } from '../conversations/message-store.ts';
import type { KeysetQuery } from '../pagination.ts';
import { newUuid, toPublicId } from '../ids.ts';
import { afterOperatorSql, directionSql } from '../tenancy/keyset-store.ts';
import { citationsIn } from '../memories/evidence-store.ts';
import type { Access, SubjectIds, Scope } from '../tenancy/access.ts';
import { countRowsPerList, firstRowsPerListSql } from '../tenancy/owned-list-store.ts';
import { readableBy } from '../tenancy/readable-by.ts';
import type { DocumentRecord, SubmittedTurn } from './ingestion.ts';
import { ingestionOf, type DocumentBody, type OwnedIngestion } from './ingestion-store.ts';

/** Stores what somebody wrote to correct a memory: a document of its own, ingested by that. */
export async function saveCorrectionDocument(
  tx: Tx,
  { instanceNumber, keys, configurationVersion }: Access,
  { id, ownerNo, body, memoryId, at }: { id: string; ownerNo: number; body: string; memoryId: string; at: Date },
): Promise<void> {
  const sealed = keys.seal('document.body', id, JSON.stringify(body));
  await tx.document.create({
    data: { instanceNumber, id, ownerNo, type: 'note', createdAt: at, receivedAt: at, body: sealed },
  });
  const times = { queuedAt: at, startedAt: at, completedAt: at };
  const ended = { mode: 'fast', status: 'completed', configurationVersion, memoryIds: [memoryId], ...times };
  await tx.ingestion.create({ data: { instanceNumber, id: newUuid(), documentId: id, ownerNo, ...ended } });
}

/** Gives a document other words, and other metadata unless that is undefined; null: none. */
export async function rewriteDocument(
  tx: Tx,
  { instanceNumber, keys }: Access,
  { id, body, metadata }: { id: string; body: string; metadata: Readonly<Record<string, unknown>> | null | undefined },
): Promise<void> {
  const noted = metadata && keys.seal('document.metadata', id, JSON.stringify(metadata));
  const data = {
    body: keys.seal('document.body', id, JSON.stringify(body)),
    ...(metadata === undefined ? {} : { metadata: noted ?? null }),
  };
  await tx.document.updateMany({ where: { id, instanceNumber }, data });
}

/** Turns of a document that are to lose their text. */
interface Turns {
  readonly documentId: string;
  readonly turns: readonly number[];
}

/**
 * Blanks the turns that no memory cites any more; their places stay, so that the numbers of other turns hold. The
 * messages that they were made of go, and what is noted of a document goes with its last words. Returns how many were
 * blanked.
 */
export async function eraseTurnContents(tx: Tx, access: Access, citations: readonly Turns[]): Promise<number> {
  const { instanceNumber, keys } = access;
  let blanked = 0;
  for (const { documentId, turns } of citations) {
    const evidence = await citationsIn(tx, access, [documentId]);
    const cited = new Set(evidence.flatMap((row) => row.turns));
    const free = turns.filter((turn) => !cited.has(turn));
    const row = await tx.document.findUnique({
      where: { instanceNumber_id: { instanceNumber, id: documentId } },
      select: { body: true },
    });
    if (!row || !free.length) continue;
    const body = blank(JSON.parse(keys.open('document.body', documentId, row.body)) as DocumentBody, new Set(free));
    const sealed = keys.seal('document.body', documentId, JSON.stringify(body));
    const isEmpty = typeof body === 'string' || body.every(({ content }) => !content);
    const data = { body: sealed, ...(isEmpty ? { metadata: null } : {}) };
    await tx.document.update({ where: { instanceNumber_id: { instanceNumber, id: documentId } }, data });
    await removeTurns(tx, access, { documentId, turns: free });
    blanked += free.length;
  }
  return blanked;
}

function blank(body: DocumentBody, turns: ReadonlySet<number>): DocumentBody {
  if (typeof body === 'string') return '';
  return body.map((turn: SubmittedTurn, n) => (turns.has(n) ? { ...turn, content: '' } : turn));
}

/** The documents of these owners, or those with this id of the caller or of ours. */
export async function findDocuments(
  sql: Sql,
  access: Access,
  where: { ownerNo: { in: number[] } } | { OR: ({ externalId: string } | { id: string })[] },
): Promise<{ id: string; ownerNo: number }[]> {
  return sql.document.findMany({
    where: { ...where, instanceNumber: access.instanceNumber },
    select: { id: true, ownerNo: true },
  });
}

/** A document without its text, and whose it is; empty ids mean none. */
export interface DocumentRow extends Omit<DocumentRecord, 'scope' | 'userId' | 'customerId'> {
  readonly level: Scope;
  readonly userId: string;
  readonly customerId: string;
}

/** The documents of a stretch of each of the named; `n` is whose they are, from 1. Ids rise with time. */
export function documentsOf(
  sql: Sql,
  access: Access,
  named: readonly SubjectIds[],
  { direction, after, limit }: KeysetQuery,
): Promise<(DocumentRow & { n: number })[]> {
  const where = after ? [Prisma.sql`document.id ${afterOperatorSql(direction)} ${after.id}::uuid`] : [];
  const order = Prisma.sql`document.id ${directionSql(direction)}`;
  return sql.$queryRaw<(DocumentRow & { n: number })[]>`
    SELECT d.n, d.id, d.external_id AS "externalId", d.type, d.created_at AS "createdAt", d.received_at AS "receivedAt",
      d.conversation_id AS "conversationId", o.level, o.user_id AS "userId", o.customer_id AS "customerId"
    FROM (SELECT given.n, document.* FROM ${firstRowsPerListSql(access, named, { table: 'document', where, order, limit })}) AS d
    JOIN owner o ON o.i = d.i AND o.owner_no = d.owner_no
    ORDER BY d.n, d.id ${directionSql(direction)}`;
}

/** How many documents each of the named has, each at most one more than `maxTotalCount`. */
export const countDocumentsOf = (sql: Sql, access: Access, named: readonly SubjectIds[]) =>
  countRowsPerList(sql, access, named, { table: 'document', where: [] });

export const toDocumentRecord = (row: DocumentRow): DocumentRecord => ({
  id: toPublicId('document', row.id),
  externalId: row.externalId,
  type: row.type,
  createdAt: row.createdAt,
  receivedAt: row.receivedAt,
  scope: row.level,
  userId: row.userId || null,
  customerId: row.customerId || null,
  conversationId: row.conversationId,
});

/** The last ingestion of each of these documents that `access` may read, by the document's UUID. */
export async function lastIngestions(
  sql: Sql,
  access: Access,
  documentIds: readonly string[],
): Promise<Map<string, OwnedIngestion>> {
  const rows = await sql.ingestion.findMany({
    where: { documentId: { in: [...documentIds] }, ...readableBy(access) },
    omit: { checkpoint: true },
    orderBy: { id: 'asc' },
  });
  return new Map(rows.map((row) => [row.documentId, ingestionOf(row)]));
}

/**
 * Removes documents with their ingestions, and the messages that they were made of; a job that has not run finds
 * nothing and ends. Returns the rows removed.
 */
export async function removeDocuments(tx: Tx, access: Access, documentIds: readonly string[]): Promise<number> {
  const ids = [...documentIds];
  const ingestions = await tx.ingestion.deleteMany({
    where: { documentId: { in: ids }, instanceNumber: access.instanceNumber },
  });
  const documents = await tx.document.deleteMany({ where: { id: { in: ids }, instanceNumber: access.instanceNumber } });
  return ingestions.count + documents.count + (await removeMessagesOf(tx, access, ids));
}
