import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Indexable } from '../search-index/index-memories.ts';
import type { Metadata } from '../search-index/metadata-terms.ts';
import type { Access } from '../tenancy/access.ts';

/** SQL: a memory is a record, whose document was kept `verbatim`. */
export const isRecordSql = Prisma.sql`EXISTS (
  SELECT 1 FROM ingestion g WHERE g.i = memory.i AND g.id = memory.ingestion_id AND g.mode = 'verbatim')`;

const notedOf = ({ keys }: Access, id: string, metadata: Uint8Array | null): Metadata =>
  metadata ? (JSON.parse(keys.open('memory.metadata', id, metadata)) as Metadata) : {};

/**
 * Reads, as they are indexed, the memories within `reach` turns of the places and those of these ids. Archived ones are
 * left out, except the one that is about to be `restored`.
 */
export async function readIndexable(
  sql: Sql,
  access: Access,
  {
    places = [],
    ids = [],
    reach = 0,
    restored = null,
  }: {
    places?: readonly { documentId: string; turn: number }[];
    ids?: readonly string[];
    reach?: number;
    restored?: string | null;
  },
): Promise<Indexable[]> {
  type Sealed = Omit<Indexable, 'text' | 'noted' | 'speaker' | 'validity'> & {
    content: Uint8Array;
    metadata: Uint8Array | null;
    isRecord: boolean;
    speaker: Uint8Array | null;
    validFrom: Date;
    validUntil: Date | null;
  };
  const rows = await sql.$queryRaw<Sealed[]>`
    SELECT memory.id AS "memoryId", memory.owner_no AS "ownerNo", memory.document_id AS "documentId", memory.turn,
      memory.passage, memory.type, memory.role, memory.speaker, memory.content, memory.valid_from AS "validFrom",
      memory.valid_until AS "validUntil", memory.metadata, ${isRecordSql} AS "isRecord"
    FROM memory WHERE memory.i = ${access.instanceNumber} AND (memory.status <> 'archived' OR memory.id = ${restored}::uuid)
      AND memory.id IN (
      SELECT unnest(${ids}::uuid[])
      UNION
      SELECT n.id
      FROM (
        -- Each place once: the memories of a long text are all of one turn.
        SELECT DISTINCT place.document_id, place.turn
        FROM unnest(${places.map((place) => place.documentId)}::uuid[], ${places.map((place) => place.turn)}::int[])
          AS place (document_id, turn)) AS p
      JOIN memory n ON n.i = ${access.instanceNumber} AND n.document_id = p.document_id
        AND n.turn BETWEEN p.turn - ${reach} AND p.turn + ${reach})`;
  return rows.map(({ content, speaker, metadata, isRecord, validFrom, validUntil, ...row }) => ({
    ...row,
    noted: isRecord ? notedOf(access, row.memoryId, metadata) : null,
    text: access.keys.open('memory.content', row.memoryId, content),
    speaker: speaker && access.keys.open('memory.speaker', row.memoryId, speaker),
    validity: { from: validFrom, until: validUntil },
  }));
}

/** Finds those of the memories that are records. */
export async function recordsAmong(sql: Sql, { instanceNumber }: Access, ids: readonly string[]): Promise<Set<string>> {
  if (!ids.length) return new Set();
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT memory.id FROM memory WHERE memory.i = ${instanceNumber} AND memory.id = ANY(${ids}::uuid[]) AND ${isRecordSql}`;
  return new Set(rows.map(({ id }) => id));
}
