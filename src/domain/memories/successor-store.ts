import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { readableOwnerNumbers, type Access, type NarrowedAccess } from '../tenancy/access.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import type { MemorySelection } from './memory.ts';
import { memorySelectionSql } from './memory-selection-store.ts';

/**
 * For each of these memories that is a passage with a superseded statement in it: finds the statements that hold
 * instead, at `asOf` or now. A passage that says more than such a statement stays, so that nothing else in it is lost.
 */
export async function findSuccessors(
  sql: Sql,
  access: NarrowedAccess,
  passageIds: readonly string[],
  wanted: MemorySelection,
): Promise<Map<string, string[]>> {
  if (!passageIds.length) return new Map();
  type Row = { passageId: string; passage: Uint8Array; staleId: string; quote: Uint8Array; successorId: string };
  const stale = wanted.asOf
    ? Prisma.sql`AND m.status <> 'archived' AND m.valid_until <= ${wanted.asOf}`
    : Prisma.sql`AND m.status = 'superseded'`;
  // Statements of attributes are few, whatever an owner holds: `> ''` lets their index find them, and `OFFSET 0` keeps
  // the planner, which has no statistics, from any other way.
  const rows = await sql.$queryRaw<Row[]>`
    SELECT passage.id AS "passageId", passage.content AS passage, stale.id AS "staleId", e.quote,
      memory.id AS "successorId"
    FROM unnest(${readableOwnerNumbers(access)}::int[]) AS o (owner_no)
    CROSS JOIN LATERAL (
      SELECT * FROM memory m
      WHERE m.i = ${access.instanceNumber} AND m.owner_no = o.owner_no AND m.attribute_key > ''::bytea AND m.type <> 'episodes' ${stale}
      OFFSET 0) AS stale
    CROSS JOIN LATERAL (
      SELECT document_id, turns, quote FROM memory_evidence v
      WHERE v.i = ${access.instanceNumber} AND v.memory_id = stale.id OFFSET 0) AS e
    CROSS JOIN LATERAL (
      SELECT * FROM memory m
      WHERE m.i = ${access.instanceNumber} AND m.id = ANY(${passageIds}::uuid[]) AND m.type = 'episodes'
        AND m.owner_no = stale.owner_no AND m.document_id = e.document_id AND m.turn = ANY(e.turns) OFFSET 0) AS passage
    CROSS JOIN LATERAL (
      SELECT * FROM memory m
      WHERE m.i = ${access.instanceNumber} AND m.owner_no = stale.owner_no AND m.attribute_key = stale.attribute_key
        AND m.type <> 'episodes' ${memorySelectionSql('m', wanted)}
      ORDER BY m.valid_from DESC, m.id LIMIT 1) AS memory
    WHERE ${readableBySql(access, 'memory')}
    ORDER BY memory.valid_from DESC, memory.id`;
  const successors = new Map<string, string[]>();
  for (const { passageId, passage, staleId, quote, successorId } of rows) {
    const text = access.keys.open('memory.content', passageId, passage);
    if (!text.includes(access.keys.open('memory_evidence.quote', staleId, quote))) continue;
    const found = successors.get(passageId) ?? [];
    if (!found.includes(successorId)) successors.set(passageId, [...found, successorId]);
  }
  return successors;
}

/** A memory that another one replaced, both by their UUIDs. */
export interface SupersededPair {
  readonly id: string;
  readonly by: string;
}

/** Reads the memories that each of these (UUIDs) replaced, latest first, at most `limit` each, readable by `access`. */
export function findSupersededBy(
  sql: Sql,
  access: Access,
  { ids, limit }: { readonly ids: readonly string[]; readonly limit: number },
): Promise<SupersededPair[]> {
  // A memory is replaced by one of the same owner and attribute, and those are indexed; who replaced it is not.
  return sql.$queryRaw<SupersededPair[]>`
    SELECT memory.id::text, successor.id::text AS by FROM unnest(${ids}::uuid[]) AS given (id)
    CROSS JOIN LATERAL (SELECT * FROM memory s WHERE s.i = ${access.instanceNumber} AND s.id = given.id OFFSET 0) AS successor
    CROSS JOIN LATERAL (
      SELECT * FROM memory m
      WHERE m.i = ${access.instanceNumber} AND m.owner_no = successor.owner_no AND m.attribute_key = successor.attribute_key
        AND m.superseded_by = successor.id
      ORDER BY m.valid_from DESC, m.id LIMIT ${limit}) AS memory
    WHERE ${readableBySql(access, 'memory')} ORDER BY memory.valid_from DESC, memory.id`;
}
