import type { Sql } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { readableBySql } from '../tenancy/readable-by.ts';

/** A memory that another one replaced, both by their UUIDs. */
export interface SupersededPair {
  readonly id: string;
  readonly by: string;
}

/**
 * Reads what each of these memories (UUIDs) replaced, latest first, as far as `access` may read it; at most `limit`
 * each.
 */
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
