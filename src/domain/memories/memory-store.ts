import type { Sql, Tx } from '../../db/database.ts';
import { columnNamesSql, rowsSql, type Column } from '../../db/rows-sql.ts';
import { groupBy } from '../flow/group-by.ts';
import type { MemoryType } from '../memory-types.ts';
import type { StatementSense } from '../extraction/candidate.ts';
import type { Provenance } from '../extraction/provenance.ts';
import type { Access } from '../tenancy/access.ts';
import { readableBy } from '../tenancy/readable-by.ts';
import type { CountedAccesses } from './retention.ts';
import type { StatementValidity } from './attribute-timeline.ts';
import { sealCategory } from './category-store.ts';
import type { WeightedEvidence } from './confidence.ts';
import { speakerRoleOf } from './speaker-role.ts';
import { sealedReason, statusOf } from './statement-validity-store.ts';

/** A memory about to be stored. */
export interface NewMemory {
  readonly id: string;
  readonly ownerNo: number;
  readonly type: MemoryType;
  readonly category: string;
  readonly content: string;
  readonly confidence: number;
  readonly contentKey: Buffer<ArrayBuffer>;
  readonly attributeKey: Buffer<ArrayBuffer> | null;
  readonly attributeValue: Buffer<ArrayBuffer> | null;
  readonly attributeSense: StatementSense | null;
  readonly attributeUntil: Date | null;
  readonly attributeOnly: boolean;
  readonly event: { start: Date; end: Date | null; precision: string } | null;
  readonly dueAt: Date | null;
  readonly validFrom: Date;
  readonly statementValidity: StatementValidity;
  readonly turns: readonly number[];
  readonly quote: string;
  readonly passage: number;
  /** The role as the turn's sender named it; the row keeps its `SpeakerRole`. */
  readonly role: string;
  readonly provenance: Provenance;
  readonly speaker: string | null;
}

/** The place of a memory: a turn of a document, and when that was said. */
export interface MemoryPosition {
  readonly documentId: string;
  readonly turn: number;
  readonly saidAt: Date;
}

/** The fields that all memories of one ingestion share. */
export interface MemoryOrigin {
  readonly documentId: string;
  readonly conversationId: string | null;
  readonly ingestionId: string;
  readonly configurationVersion: number;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly at: Date;
}

/** The columns of `memory` in which the memories of one ingestion differ. */
function columnsOf(
  access: Access,
  { metadata }: MemoryOrigin,
  memories: readonly NewMemory[],
): readonly Column<NewMemory>[] {
  const { keys } = access;
  const categories = new Map(memories.map((m) => [m.id, sealCategory(access, m.id, m.category)]));
  const noted = metadata && JSON.stringify(metadata);
  return [
    ['id', 'uuid', (m) => m.id],
    ['owner_no', 'int', (m) => m.ownerNo],
    ['type', 'text', (m) => m.type],
    ['category', 'text', (m) => categories.get(m.id)!.category],
    ['own_category', 'bytea', (m) => categories.get(m.id)!.sealed],
    ['own_category_key', 'bytea', (m) => categories.get(m.id)!.key],
    ['status', 'text', (m) => statusOf(m.statementValidity)],
    ['content', 'bytea', (m) => keys.seal('memory.content', m.id, m.content)],
    ['confidence', 'real', (m) => m.confidence],
    ['content_key', 'bytea', (m) => m.contentKey],
    ['attribute_key', 'bytea', (m) => m.attributeKey],
    ['attribute_value', 'bytea', (m) => m.attributeValue],
    ['attribute_sense', 'text', (m) => m.attributeSense],
    ['attribute_until', 'timestamptz', (m) => m.attributeUntil],
    ['attribute_only', 'bool', (m) => m.attributeOnly],
    ['event_start', 'timestamptz', (m) => m.event?.start],
    ['event_end', 'timestamptz', (m) => m.event?.end],
    ['event_precision', 'text', (m) => m.event?.precision],
    ['due_at', 'timestamptz', (m) => m.dueAt],
    ['valid_from', 'timestamptz', (m) => m.validFrom],
    ['valid_until', 'timestamptz', (m) => m.statementValidity.validUntil],
    ['superseded_by', 'uuid', (m) => m.statementValidity.supersededBy],
    ['superseded_reason', 'bytea', (m) => sealedReason(access, m.id, m.statementValidity)],
    ['passage', 'int', (m) => m.passage],
    ['role', 'text', (m) => speakerRoleOf(m.role)],
    ['provenance', 'text', (m) => m.provenance],
    ['speaker', 'bytea', (m) => (m.speaker ? keys.seal('memory.speaker', m.id, m.speaker) : null)],
    ['metadata', 'bytea', (m) => (noted ? keys.seal('memory.metadata', m.id, noted) : null)],
    ['turn', 'int', (m) => m.turns[0]],
  ];
}

/** The memories with their first evidence, in one statement. */
export async function insertMemories(
  tx: Tx,
  access: Access,
  origin: MemoryOrigin,
  memories: readonly NewMemory[],
): Promise<void> {
  if (!memories.length) return;
  const columns = columnsOf(access, origin, memories);
  const evidence: readonly Column<NewMemory>[] = [
    ['turns', 'text', (m) => m.turns.join(',')],
    ['quote', 'bytea', (m) => access.keys.seal('memory_evidence.quote', m.id, m.quote)],
  ];
  const names = columnNamesSql(columns);
  await tx.$executeRaw`
    WITH given AS (
      SELECT * FROM ${rowsSql('t', memories, [...columns, ...evidence])}
    ), evidence AS (
      INSERT INTO memory_evidence (i, memory_id, n, document_id, turns, quote, said_at, confidence, provenance)
      SELECT ${access.instanceNumber}, id, 0, ${origin.documentId}::uuid, string_to_array(turns, ',')::int[], quote, valid_from,
        confidence, provenance
      FROM given
    )
    INSERT INTO memory (i, ${names}, document_id, conversation_id, ingestion_id, configuration_version,
      created_at)
    SELECT ${access.instanceNumber}, ${names}, ${origin.documentId}::uuid, ${origin.conversationId}::uuid,
      ${origin.ingestionId}::uuid, ${origin.configurationVersion}, ${origin.at}::timestamptz
    FROM given`;
}

/** A memory that a document may say again, with what it rests on. */
export interface KnownMemory {
  readonly id: string;
  /** The key of the attribute that it states, in hexadecimal; null: it states none. */
  readonly attribute: string | null;
  /** The number of its next evidence. */
  readonly nextN: number;
  readonly provenance: Provenance;
  /** In the order in which it came. */
  readonly evidence: readonly WeightedEvidence[];
}

/** The active memories of each content that the owner holds, by the content's key in hexadecimal. */
export async function findByContent(
  sql: Sql,
  access: Access,
  ownerNo: number,
  contentKeys: readonly Buffer<ArrayBuffer>[],
): Promise<Map<string, KnownMemory[]>> {
  const rows = await sql.$queryRaw<KnownRow[]>`
    SELECT m.id, encode(m.content_key, 'hex') AS "contentKey", m.provenance,
      encode(m.attribute_key, 'hex') AS attribute, v."nextN", v.confidences, v.provenances
    FROM memory m CROSS JOIN LATERAL (
      SELECT coalesce(max(n) + 1, 0) AS "nextN", coalesce(array_agg(confidence ORDER BY n), '{}') AS confidences,
        coalesce(array_agg(provenance ORDER BY n), '{}') AS provenances
      FROM memory_evidence WHERE i = ${access.instanceNumber} AND memory_id = m.id
    ) AS v
    WHERE m.i = ${access.instanceNumber} AND m.owner_no = ${ownerNo} AND m.content_key = ANY(${contentKeys}::bytea[])
      AND m.status = 'active' ORDER BY m.valid_from, m.id`;
  return groupBy(
    rows,
    ({ contentKey }) => contentKey,
    ({ id, attribute, nextN, provenance, confidences, provenances }) => ({
      id,
      attribute,
      nextN,
      provenance,
      evidence: confidences.map((confidence, n) => ({ confidence, provenance: provenances[n]! })),
    }),
  );
}

type KnownRow = Omit<KnownMemory, 'evidence'> & {
  readonly contentKey: string;
  readonly confidences: readonly number[];
  readonly provenances: readonly Provenance[];
};

/** A memory that says the same as another. */
export interface MemoryDuplicate {
  readonly id: string;
  readonly type: string;
  readonly contentKey: Uint8Array;
}

/** The other active memories of this owner that have one of these contents. */
export async function findActiveDuplicates(
  sql: Sql,
  { instanceNumber }: Access,
  { id, ownerNo, contentKeys }: { id: string; ownerNo: number; contentKeys: Uint8Array<ArrayBuffer>[] },
): Promise<MemoryDuplicate[]> {
  return sql.memory.findMany({
    where: { ownerNo, contentKey: { in: contentKeys }, status: 'active', id: { not: id }, instanceNumber },
    select: { id: true, type: true, contentKey: true },
  });
}

/** An active memory of the same owner and content as this archived one, if there is any. */
export async function findActiveTwinOf(sql: Sql, access: Access, id: string): Promise<string | null> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT t.id FROM memory m JOIN memory t ON t.i = m.i AND t.owner_no = m.owner_no AND t.content_key = m.content_key
    WHERE m.id = ${id}::uuid AND t.id <> m.id AND t.status = 'active' AND m.superseded_by IS NULL AND m.i = ${access.instanceNumber}
    LIMIT 1`;
  return rows[0]?.id ?? null;
}

/**
 * Adds accesses that were counted since the last flush. Memories are held meanwhile, so that whoever removes one sees
 * its accesses; one that is being removed is passed over.
 */
export async function addAccesses(sql: Sql, accesses: readonly CountedAccesses[]): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO memory_access AS a (i, memory_id, count, last_at)
    SELECT t.i, t.memory_id, t.count, t.last_at
    FROM ${rowsSql('t', accesses, [
      ['i', 'bigint', (access) => access.instanceNumber],
      ['memory_id', 'uuid', (access) => access.memoryId],
      ['count', 'int', (access) => access.count],
      ['last_at', 'timestamptz', (access) => access.lastAt],
    ])}
    CROSS JOIN LATERAL (SELECT 1 FROM memory m WHERE m.i = t.i AND m.id = t.memory_id OFFSET 0
      FOR KEY SHARE OF m SKIP LOCKED) AS known
    ORDER BY t.i, t.memory_id -- as every process does: rows are locked in this order
    ON CONFLICT (i, memory_id) DO UPDATE
    SET count = a.count + excluded.count, last_at = greatest(a.last_at, excluded.last_at)`;
}

export type MemoryLocation = Awaited<ReturnType<typeof findMemoryLocations>>[number];

/** The locations of those of the memories that exist. */
export async function findMemoryLocations(sql: Sql, access: Access, ids: readonly string[]) {
  if (!ids.length) return [];
  return sql.memory.findMany({
    where: { id: { in: [...ids] }, instanceNumber: access.instanceNumber },
    select: {
      id: true,
      ownerNo: true,
      documentId: true,
      turn: true,
      attributeKey: true,
      attributeValue: true,
      attributeSense: true,
    },
  });
}

/**
 * The rows of the memories with their evidence and accesses; returns how many there were. The memories go first: once
 * they are gone, no access of them can come.
 */
export async function deleteMemories(tx: Tx, access: Access, ids: readonly string[]): Promise<number> {
  const memoryId = { in: [...ids] };
  const memories = await tx.memory.deleteMany({ where: { id: memoryId, instanceNumber: access.instanceNumber } });
  const evidence = await tx.memoryEvidence.deleteMany({ where: { memoryId, instanceNumber: access.instanceNumber } });
  const accesses = await tx.memoryAccess.deleteMany({ where: { memoryId, instanceNumber: access.instanceNumber } });
  // A statement takes 32,766 values: a list that stands alone is sent in parts, two in one condition are refused.
  for (const side of [{ oldId: memoryId }, { newId: memoryId }]) {
    await tx.supersessionUndone.deleteMany({ where: { ...side, instanceNumber: access.instanceNumber } });
    await tx.possibleSupersession.deleteMany({ where: { ...side, instanceNumber: access.instanceNumber } });
  }
  return evidence.count + accesses.count + memories.count;
}

/**
 * A memory stands where it was first said; when that is gone, where it was said next, and it holds from then on, with
 * what the caller noted of that document.
 */
export async function moveMemory(
  tx: Tx,
  access: Access,
  id: string,
  { documentId, turn, saidAt }: MemoryPosition,
): Promise<void> {
  const { instanceNumber, keys } = access;
  const [document] = await tx.$queryRaw<{ metadata: Uint8Array | null; conversationId: string | null }[]>`
    SELECT metadata, conversation_id AS "conversationId" FROM document WHERE i = ${instanceNumber} AND id = ${documentId}::uuid`;
  const { metadata = null, conversationId = null } = document ?? {};
  const noted = metadata && keys.seal('memory.metadata', id, keys.open('document.metadata', documentId, metadata));
  await tx.memory.update({
    where: { instanceNumber_id: { instanceNumber, id } },
    data: { documentId, turn, validFrom: saidAt, conversationId, metadata: noted },
  });
}

/** Finds those of the memories that `access` may read. */
export async function readableIds(sql: Sql, access: Access, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.memory.findMany({
    where: { id: { in: [...ids] }, ...readableBy(access) },
    select: { id: true },
  });
  return rows.map((row) => row.id);
}

export async function idsOfOwners(sql: Sql, access: Access, ownerNos: readonly number[]): Promise<string[]> {
  const rows = await sql.memory.findMany({
    where: { ownerNo: { in: [...ownerNos] }, instanceNumber: access.instanceNumber },
    select: { id: true },
  });
  return rows.map((row) => row.id);
}

/** Counts the rows of these memories and their evidence. Prisma's own count takes 65,535 ids at most. */
export async function countRows(sql: Sql, { instanceNumber }: Access, ids: readonly string[]): Promise<number> {
  const rows = await sql.$queryRaw<{ count: number }[]>`
    SELECT (SELECT count(*) FROM memory WHERE i = ${instanceNumber} AND id = ANY(${ids}::uuid[]))::int
      + (SELECT count(*) FROM memory_evidence WHERE i = ${instanceNumber} AND memory_id = ANY(${ids}::uuid[]))::int AS count`;
  return rows[0]!.count;
}
