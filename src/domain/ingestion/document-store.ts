import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { enqueueSql, type Job } from '../../jobs/queue.ts';
import type { DocumentType } from '../configurations/configuration.ts';
import { removeMessagesOf, removeTurns } from '../conversations/message-store.ts';
import type { Provenance } from '../extraction/provenance.ts';
import type { KeysetQuery } from '../pagination.ts';
import { newUuid, toPublicId } from '../ids.ts';
import { afterOperatorSql, directionSql } from '../tenancy/keyset-store.ts';
import { citationsIn } from '../memories/evidence-store.ts';
import type { Access, Owner, SubjectIds, Scope } from '../tenancy/access.ts';
import { countRowsPerList, firstRowsPerListSql } from '../tenancy/owned-list-store.ts';
import { readableBy } from '../tenancy/readable-by.ts';
import type { DocumentRecord, IngestionMode, SubmittedTurn } from './ingestion.ts';
import { ingestionOf, replacedEarly, type DocumentBody, type OwnedIngestion } from './ingestion-store.ts';

/** A document about to be stored, with its first ingestion. */
export interface NewDocument {
  readonly id: string;
  readonly ingestionId: string;
  readonly owner: Omit<Owner, 'ownerNo'>;
  readonly externalId: string | null;
  readonly type: DocumentType;
  readonly mode: IngestionMode;
  readonly conversationId: string | null;
  readonly createdAt: Date;
  readonly receivedAt: Date;
  readonly body: DocumentBody;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Null: each turn tells. */
  readonly provenance: Provenance | null;
  /** The batch it came in, and its place there. */
  readonly batch: { readonly id: string; readonly index: number } | null;
}

/**
 * Stores a document, its ingestion and its job in one statement: a document without its job would never be ingested,
 * and nobody would notice. Resolves with its owner as it is then. `taken`: its id is that of one that is queued,
 * running or ingested; `no-owner`: its owner is not registered, or was forgotten a moment ago.
 */
export async function saveDocument(
  sql: Sql,
  access: Access,
  document: NewDocument,
  job: Job<'ingest-document'>,
): Promise<{ ownerNo: number; revision: bigint } | 'taken' | 'no-owner'> {
  const { instanceNumber, keys } = access;
  const { id, owner, externalId, ingestionId, receivedAt: at } = document;
  const body = keys.seal('document.body', id, JSON.stringify(document.body));
  const metadata = document.metadata && keys.seal('document.metadata', id, JSON.stringify(document.metadata));
  const rows = await sql.$queryRaw<{ ownerNo: number; revision: bigint; isSaved: boolean }[]>`
    WITH home AS (
      SELECT owner_no, revision FROM owner
      WHERE i = ${instanceNumber} AND scope = ${owner.scope} AND customer_id = ${owner.customerId} AND user_id = ${owner.userId} FOR SHARE
    ), saved AS (
      INSERT INTO document (i, id, owner_no, external_id, reserved_external_id, type, conversation_id, created_at, received_at,
        body, metadata, provenance)
      SELECT ${instanceNumber}, ${id}::uuid, owner_no, ${externalId}, ${externalId}, ${document.type},
        ${document.conversationId}::uuid, ${document.createdAt}::timestamptz, ${at}::timestamptz, ${body}::bytea,
        ${metadata}::bytea, ${document.provenance}
      FROM home
      ON CONFLICT (i, reserved_external_id) DO NOTHING RETURNING id, owner_no
    ), begun AS (
      INSERT INTO ingestion (i, id, document_id, external_id, owner_no, batch_id, batch_index, mode, status,
        configuration_version, queued_at)
      SELECT ${instanceNumber}, ${ingestionId}::uuid, id, ${externalId}, owner_no, ${document.batch?.id ?? null}::uuid,
        ${document.batch?.index ?? null}::int, ${document.mode}, 'queued', ${access.configurationVersion}, ${at}::timestamptz
      FROM saved
    ), job AS (${enqueueSql('ingest-document', job, 'saved')})
    SELECT owner_no AS "ownerNo", revision, EXISTS (SELECT FROM saved) AS "isSaved" FROM home`;
  const [home] = rows;
  if (!home) return 'no-owner';
  return home.isSaved ? home : 'taken';
}

/** The document that holds a caller's document id, with all that was sent and its owner. */
export async function findDocumentByExternalId(
  sql: Sql,
  { instanceNumber, keys }: Access,
  externalId: string,
): Promise<ClaimingDocument | null> {
  const rows = await sql.$queryRaw<
    (Omit<ClaimingDocument, 'owner' | 'body' | 'metadata'> &
      Omit<Owner, 'ownerNo'> & { body: Uint8Array; metadata: Uint8Array | null })[]
  >`
    SELECT d.id, d.body, d.metadata, d.type, d.conversation_id AS "conversationId", d.created_at AS "createdAt",
      d.provenance, o.scope, o.user_id AS "userId", o.customer_id AS "customerId"
    FROM document d JOIN owner o ON o.i = d.i AND o.owner_no = d.owner_no
    WHERE d.i = ${instanceNumber} AND d.reserved_external_id = ${externalId}`;
  if (!rows[0]) return null;
  const { id, body, metadata, type, conversationId, createdAt, provenance, ...owner } = rows[0];
  return {
    id,
    owner,
    type,
    conversationId,
    createdAt,
    provenance,
    body: JSON.parse(keys.open('document.body', id, body)) as DocumentBody,
    metadata: metadata && (JSON.parse(keys.open('document.metadata', id, metadata)) as ClaimingDocument['metadata']),
  };
}

/** The words of a document; null when it was erased. */
export async function readDocumentBody(
  sql: Sql,
  { instanceNumber, keys }: Access,
  id: string,
): Promise<DocumentBody | null> {
  const where = { instanceNumber_id: { instanceNumber, id } };
  const row = await sql.document.findUnique({ where, select: { body: true } });
  return row && (JSON.parse(keys.open('document.body', id, row.body)) as DocumentBody);
}

/** A document with a caller's id, as it was sent. */
export interface ClaimingDocument extends Pick<
  NewDocument,
  'id' | 'owner' | 'type' | 'conversationId' | 'createdAt' | 'body' | 'metadata' | 'provenance'
> {}

/** Releases the id of a document, the rest of which is never ingested. Returns whether it still had the id. */
export async function releaseExternalId(tx: Tx, { instanceNumber }: Access, id: string, at: Date): Promise<boolean> {
  const { count } = await tx.document.updateMany({
    where: { id, instanceNumber, reservedExternalId: { not: null } },
    data: { reservedExternalId: null },
  });
  if (!count) return false;
  await tx.ingestion.updateMany({
    where: { documentId: id, instanceNumber, status: { notIn: ['completed', 'failed'] } },
    data: { status: 'completed', completedAt: at, warnings: [replacedEarly], checkpoint: null },
  });
  return true;
}

/** The documents of its owner whose place this one takes, by its ingestion. */
export const findReplacedDocument = (
  sql: Sql,
  { instanceNumber }: Access,
  ingestionId: string,
): Promise<{ id: string; ownerNo: number }[]> =>
  sql.$queryRaw<{ id: string; ownerNo: number }[]>`
    SELECT former.id, former.owner_no AS "ownerNo" FROM ingestion n
    JOIN document d ON d.i = n.i AND d.id = n.document_id AND d.reserved_external_id IS NOT NULL
    JOIN document former ON former.i = d.i AND former.external_id = d.reserved_external_id AND former.reserved_external_id IS NULL
      AND former.owner_no = d.owner_no
    WHERE n.id = ${ingestionId}::uuid AND n.i = ${instanceNumber}`;

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
    const former = free.length ? await readDocumentBody(tx, access, documentId) : null;
    if (!former) continue;
    const body = blank(former, new Set(free));
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
  readonly scope: Scope;
  readonly userId: string;
  readonly customerId: string;
}

/** A page of the documents of each subject; `n`: the number of the subject in the list, from 1. Ids rise with time. */
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
      d.conversation_id AS "conversationId", o.scope, o.user_id AS "userId", o.customer_id AS "customerId"
    FROM (SELECT given.n, document.* FROM ${firstRowsPerListSql(access, named, { table: 'document', where, order, limit })}) AS d
    JOIN owner o ON o.i = d.i AND o.owner_no = d.owner_no
    ORDER BY d.n, d.id ${directionSql(direction)}`;
}

/** Counts the documents of each subject, each count at most one more than `maxTotalCount`. */
export const countDocumentsOf = (sql: Sql, access: Access, named: readonly SubjectIds[]) =>
  countRowsPerList(sql, access, named, { table: 'document', where: [] });

export const toDocumentRecord = (row: DocumentRow): DocumentRecord => ({
  id: toPublicId('document', row.id),
  externalId: row.externalId,
  type: row.type,
  createdAt: row.createdAt,
  receivedAt: row.receivedAt,
  scope: row.scope,
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
