import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Provenance } from '../extraction/provenance.ts';
import type { Access } from '../tenancy/access.ts';

/** Counts the indexed memories of the instance: all but the archived. */
export async function countIndexed(sql: Sql, { instanceNumber }: Access): Promise<number> {
  const rows = await sql.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM memory WHERE i = ${instanceNumber} AND status <> 'archived'`;
  return rows[0]!.count;
}

/** The key of a page of memories: by document, so that neighbours come together. */
export interface IndexedMemoryKey {
  readonly id: string;
  readonly ownerNo: number;
  readonly documentId: string;
  readonly turn: number;
}

/** The next `limit` indexed memories of the instance behind `after`. */
export const listIndexedMemories = (
  sql: Sql,
  access: Access,
  after: IndexedMemoryKey | null,
  limit: number,
): Promise<IndexedMemoryKey[]> =>
  sql.$queryRaw<IndexedMemoryKey[]>`
    SELECT id, owner_no AS "ownerNo", document_id AS "documentId", turn FROM memory
    WHERE i = ${access.instanceNumber} AND status <> 'archived' ${
      after
        ? Prisma.sql`AND (document_id, turn, id) > (${after.documentId}::uuid, ${after.turn}, ${after.id}::uuid)`
        : Prisma.empty
    }
    ORDER BY document_id, turn, id LIMIT ${limit}`;

/** Finds those of the memories that are indexed. */
export async function filterIndexed(
  sql: Sql,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
  memoryIds: readonly string[],
): Promise<Map<string, { ownerNo: number; from: Date; until: Date | null }>> {
  if (!memoryIds.length) return new Map();
  const rows = await sql.$queryRaw<{ id: string; ownerNo: number; from: Date; until: Date | null }[]>`
    SELECT id, owner_no AS "ownerNo", valid_from AS "from", valid_until AS until FROM memory
    WHERE i = ${instanceNumber} AND id = ANY(${memoryIds}::uuid[]) AND status <> 'archived'`;
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** The memories among these that come from one of these kinds of speaker. */
export async function filterByProvenance(
  sql: Sql,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
  memoryIds: readonly string[],
  provenance: readonly Provenance[],
): Promise<Set<string>> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT id FROM memory
    WHERE i = ${instanceNumber} AND id = ANY(${memoryIds}::uuid[]) AND provenance = ANY(${[...provenance]}::text[])`;
  return new Set(rows.map(({ id }) => id));
}
