import type { Sql, Tx } from '../../db/database.ts';
import type { DocumentType } from '../configurations/configuration.ts';
import { completeSql, type Job } from '../../jobs/queue.ts';
import {
  mapPageRecords,
  maxTotalCount,
  pageFromRows,
  parsePageRequest,
  type Page,
  type PageRequest,
} from '../pagination.ts';
import type { ModelAnswers } from '../extraction/ask-model.ts';
import type { Provenance } from '../extraction/provenance.ts';
import { toPublicId } from '../ids.ts';
import { afterFilter } from '../tenancy/keyset-store.ts';
import type { Access } from '../tenancy/access.ts';
import { readableBy } from '../tenancy/readable-by.ts';
import type {
  Ingestion,
  IngestionMode,
  IngestionStatus,
  IngestionStage,
  IngestionResult,
  SubmittedTurn,
} from './ingestion.ts';

/** A document as it is stored: one text, or turns with their own times. */
export type DocumentBody = string | readonly SubmittedTurn[];

/** The ingestion that holds a caller's document id. */
export async function findIngestionByExternalId(sql: Sql, access: Access, externalId: string): Promise<string | null> {
  const document = await sql.document.findUnique({
    where: {
      instanceNumber_reservedExternalId: { instanceNumber: access.instanceNumber, reservedExternalId: externalId },
    },
    select: { id: true },
  });
  if (!document) return null;
  const ingestion = await sql.ingestion.findFirst({
    where: { documentId: document.id, instanceNumber: access.instanceNumber },
    select: { id: true },
    orderBy: { queuedAt: 'asc' },
  });
  return ingestion?.id ?? null;
}

/** The first ingestion of what was said in a conversation, by UUIDs; null: nothing of it is remembered yet. */
export async function findFirstIngestion(sql: Sql, access: Access, conversationId: string): Promise<string | null> {
  const document = await sql.document.findFirst({
    where: { conversationId, ...readableBy(access) },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
  if (!document) return null;
  const where = { documentId: document.id, instanceNumber: access.instanceNumber };
  const ingestion = await sql.ingestion.findFirst({ where, orderBy: { id: 'asc' }, select: { id: true } });
  return ingestion && toPublicId('ingestion', ingestion.id);
}

/** The ingestions of what was said in a conversation that have not ended, or that failed, by UUIDs. */
export const findIncompleteIngestions = (
  sql: Sql,
  { instanceNumber }: Access,
  conversationId: string,
): Promise<{ id: string; documentId: string; hasFailed: boolean }[]> => sql.$queryRaw`
  SELECT n.id, n.document_id AS "documentId", n.status = 'failed' AS "hasFailed"
  FROM (SELECT DISTINCT document_id FROM message WHERE conversation_id = ${conversationId}::uuid AND i = ${instanceNumber}) AS said
  JOIN ingestion n ON n.i = ${instanceNumber} AND n.document_id = said.document_id
  WHERE n.status <> 'completed'`;

/** The decrypted input of an ingestion's stages. */
export interface IngestionWork {
  readonly ingestionId: string;
  readonly documentId: string;
  /** The caller's own id of the document. */
  readonly externalId: string | null;
  readonly ownerNo: number;
  /** The revision of the owner when this was read, on which later decisions rest. */
  readonly ownerRevision: bigint;
  /** Empty when the document has none. */
  readonly customerId: string;
  readonly mode: IngestionMode;
  readonly configurationVersion: number;
  readonly queuedAt: Date;
  readonly type: DocumentType;
  readonly conversationId: string | null;
  readonly createdAt: Date;
  readonly body: DocumentBody;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** The provenance of the whole document; null when each turn has its own. */
  readonly provenance: Provenance | null;
  /** The answers of a language model, if an earlier run got so far. */
  readonly checkpoint: ModelAnswers | null;
}

/** Reads the work of an ingestion; null when it has ended or its document was erased meanwhile. */
export async function readIngestionWork(sql: Sql, access: Access, ingestionId: string): Promise<IngestionWork | null> {
  type Sealed = Omit<IngestionWork, 'body' | 'metadata' | 'checkpoint'> & {
    body: Uint8Array;
    metadata: Uint8Array | null;
    checkpoint: Uint8Array | null;
  };
  const rows = await sql.$queryRaw<Sealed[]>`
    SELECT n.id AS "ingestionId", d.id AS "documentId", d.external_id AS "externalId", n.owner_no AS "ownerNo",
      o.revision AS "ownerRevision",
      o.customer_id AS "customerId", n.mode,
      n.configuration_version AS "configurationVersion", n.queued_at AS "queuedAt", d.type, d.conversation_id AS "conversationId",
      d.created_at AS "createdAt", d.body, d.metadata, d.provenance, n.checkpoint
    FROM ingestion n JOIN document d ON d.i = n.i AND d.id = n.document_id
    JOIN owner o ON o.i = n.i AND o.owner_no = n.owner_no
    WHERE n.i = ${access.instanceNumber} AND n.id = ${ingestionId}::uuid AND n.status NOT IN ('completed', 'failed')`;
  const row = rows[0];
  if (!row) return null;
  const { keys } = access;
  return {
    ...row,
    body: JSON.parse(keys.open('document.body', row.documentId, row.body), revive) as DocumentBody,
    metadata: row.metadata && JSON.parse(keys.open('document.metadata', row.documentId, row.metadata)),
    checkpoint: row.checkpoint && JSON.parse(keys.open('ingestion.checkpoint', ingestionId, row.checkpoint)),
  };
}

const revive = (name: string, value: unknown) =>
  name === 'timestamp' && typeof value === 'string' ? new Date(value) : value;

/** Records the stage a run is in, unless the ingestion has ended. */
export const saveStage = (sql: Sql, access: Access, id: string, status: IngestionStage, startedAt: Date) =>
  sql.ingestion.updateMany({
    where: { id, instanceNumber: access.instanceNumber, status: { notIn: ['completed', 'failed'] } },
    data: { status, startedAt },
  });

/** Keeps what a language model found until it is stored: it costs time and money, and would answer differently. */
export const saveCheckpoint = (sql: Sql, { instanceNumber, keys }: Access, id: string, answers: ModelAnswers) =>
  sql.ingestion.updateMany({
    where: { id, instanceNumber, status: { notIn: ['completed', 'failed'] } },
    data: { checkpoint: keys.seal('ingestion.checkpoint', id, JSON.stringify(answers)) },
  });

/**
 * Ends an ingestion and its job, in the transaction that makes its memories visible. False when it was erased or ended
 * already, or another worker has the job: roll back then.
 */
export async function completeIngestion(
  tx: Tx,
  access: Access,
  { ingestionId, job }: { ingestionId: string; job: Job<'ingest-document'> },
  outcome: IngestionResult,
): Promise<boolean> {
  const completed = await tx.$executeRaw`
    WITH done AS (${completeSql(job)})
    UPDATE ingestion SET status = 'completed', started_at = coalesce(started_at, ${outcome.startedAt}::timestamptz),
      completed_at = ${outcome.at}::timestamptz, memory_ids = ${outcome.memoryIds}::uuid[],
      discarded = ${outcome.discarded}, warnings = ${outcome.warnings}::text[], checkpoint = NULL
    WHERE id = ${ingestionId}::uuid AND status NOT IN ('completed', 'failed') AND EXISTS (SELECT FROM done)
      AND i = ${access.instanceNumber}`;
  return completed === 1;
}

/** The warning of an ingestion that stored nothing, since another document has the id of its own. */
export const replacedEarly = 'another document took its place before it was ingested: nothing of it is remembered';

/**
 * Ends an ingestion that could not be done, and frees the caller's document id, or gives it back to the last document
 * that was ingested under it, whose memories stay.
 */
export async function failIngestion(tx: Tx, access: Access, id: string, error: string, at: Date): Promise<void> {
  const { instanceNumber } = access;
  const ingestion = await tx.ingestion.findUnique({
    where: { instanceNumber_id: { instanceNumber, id } },
    select: { documentId: true },
  });
  if (!ingestion) return;
  const { count } = await tx.ingestion.updateMany({
    where: { id, instanceNumber, status: { notIn: ['completed', 'failed'] } },
    data: { status: 'failed', error, completedAt: at, checkpoint: null },
  });
  if (!count) return; // another worker was done first
  await tx.document.updateMany({
    where: { id: ingestion.documentId, instanceNumber },
    data: { reservedExternalId: null },
  });
  await tx.$executeRaw`
    UPDATE document d SET reserved_external_id = external_id
    WHERE i = ${instanceNumber} AND NOT EXISTS (SELECT FROM document WHERE i = d.i AND reserved_external_id = d.external_id) AND id = (
      SELECT former.id FROM document failed
      JOIN document former ON former.i = failed.i AND former.external_id = failed.external_id
        AND former.owner_no = failed.owner_no AND former.id <> failed.id
      JOIN ingestion n ON n.i = former.i AND n.document_id = former.id AND n.status = 'completed'
        AND NOT ${replacedEarly} = ANY(coalesce(n.warnings, '{}'))
      WHERE failed.i = ${instanceNumber} AND failed.id = ${ingestion.documentId}::uuid
      ORDER BY former.id DESC LIMIT 1)`;
}

/** Queues a failed ingestion, and tells of its document; null when it has not failed, or this instance has none. */
export async function requeueFailedIngestion(
  tx: Tx,
  { instanceNumber }: Access,
  id: string,
): Promise<{ id: string; externalId: string | null } | null> {
  const [queued] = await tx.ingestion.updateManyAndReturn({
    where: { id, instanceNumber, status: 'failed' },
    data: { status: 'queued', error: null, startedAt: null, completedAt: null },
    select: { documentId: true, externalId: true },
  });
  return queued ? { id: queued.documentId, externalId: queued.externalId } : null;
}

type Row = Pick<
  NonNullable<Awaited<ReturnType<Tx['ingestion']['findUnique']>>>,
  | 'id'
  | 'documentId'
  | 'ownerNo'
  | 'externalId'
  | 'mode'
  | 'status'
  | 'queuedAt'
  | 'startedAt'
  | 'completedAt'
  | 'memoryIds'
  | 'discarded'
  | 'warnings'
  | 'error'
>;

/** An ingestion, and whose memories it makes. */
export type OwnedIngestion = Ingestion & { readonly ownerNo: number };

export const ingestionOf = (row: Row): OwnedIngestion => ({
  ownerNo: row.ownerNo,
  id: toPublicId('ingestion', row.id),
  documentId: row.externalId ?? toPublicId('document', row.documentId),
  status: row.status as IngestionStatus,
  mode: row.mode as IngestionMode,
  queuedAt: row.queuedAt,
  startedAt: row.startedAt,
  completedAt: row.completedAt,
  memoryIds: row.memoryIds.map((id) => toPublicId('memory', id)),
  discarded: row.discarded,
  warnings: row.warnings,
  error: row.error,
});

/** Reads an ingestion by UUID, or null. It is polled, so that its statement is raw SQL, prepared once. */
export async function readIngestion(sql: Sql, access: Access, id: string): Promise<OwnedIngestion | null> {
  const rows = await sql.$queryRaw<Row[]>`
    SELECT id, document_id AS "documentId", owner_no AS "ownerNo", external_id AS "externalId", mode, status, queued_at AS "queuedAt",
      started_at AS "startedAt", completed_at AS "completedAt", coalesce(memory_ids::text[], '{}') AS "memoryIds", discarded,
      coalesce(warnings, '{}') AS warnings, error
    FROM ingestion WHERE i = ${access.instanceNumber} AND id = ${id}::uuid`;
  return rows[0] ? ingestionOf(rows[0]) : null;
}

export interface IngestionFilter {
  readonly status?: IngestionStatus | undefined;
}

const fits = ({ status }: IngestionFilter) => (status ? { status } : {});

/** Ids rise with time. */
export async function listIngestions(
  sql: Sql,
  access: Access,
  filter: IngestionFilter,
  request: PageRequest,
): Promise<Page<OwnedIngestion>> {
  const keysetQuery = parsePageRequest('ingestions', request);
  const { direction, after, limit } = keysetQuery;
  const rows = await sql.ingestion.findMany({
    where: { ...fits(filter), ...(after ? { id: afterFilter(direction, after.id) } : {}), ...readableBy(access) },
    omit: { checkpoint: true },
    orderBy: { id: direction },
    take: limit,
  });
  return mapPageRecords(
    pageFromRows(rows, keysetQuery, ({ id, queuedAt }) => ({ id, at: queuedAt })),
    ingestionOf,
  );
}

/** At most one more than `maxTotalCount`. */
export const countIngestions = (sql: Sql, access: Access, filter: IngestionFilter): Promise<number> =>
  sql.ingestion.count({ where: { ...fits(filter), ...readableBy(access) }, take: maxTotalCount + 1 });
