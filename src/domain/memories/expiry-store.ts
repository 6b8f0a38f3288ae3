import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { MemoryType } from '../memory-types.ts';
import type { SortDirection, KeysetQuery } from '../pagination.ts';
import { afterOperatorSql, directionSql } from '../tenancy/keyset-store.ts';
import type { Access } from '../tenancy/access.ts';
import type { RetentionFacts } from './retention.ts';

/** A memory as retention looks at it. */
export interface AgeingMemory extends RetentionFacts {
  readonly id: string;
  readonly ownerNo: number;
  readonly type: MemoryType;
  readonly userId: string;
  readonly customerId: string;
  readonly createdAt: Date;
  /** The last call of the memory's user; of anybody where it belongs to no user. */
  readonly lastCall: Date | null;
}

/** Memories that are not archived and were last accessed before a time, by their time of creation. */
export const listAgeingMemories = (
  sql: Sql,
  access: Access,
  {
    accessedBefore,
    direction,
    after,
    limit,
  }: Pick<KeysetQuery, 'direction' | 'after' | 'limit'> & { accessedBefore: Date },
): Promise<AgeingMemory[]> =>
  ageing(sql, access, {
    condition: Prisma.sql`m.created_at <= ${accessedBefore} AND coalesce(a.last_at, m.created_at) <= ${accessedBefore}
      ${after ? Prisma.sql`AND (m.created_at, m.id) ${afterOperatorSql(direction)} (${after.at}, ${after.id}::uuid)` : Prisma.empty}`,
    direction,
    limit,
  });

/** Reads those of these memories that are not archived. */
export const readAgeingMemories = (sql: Sql, access: Access, ids: readonly string[]): Promise<AgeingMemory[]> =>
  ageing(sql, access, { condition: Prisma.sql`m.id = ANY(${ids}::uuid[])`, direction: 'asc', limit: ids.length });

const ageing = (
  sql: Sql,
  access: Access,
  { condition, direction, limit }: { condition: Prisma.Sql; direction: SortDirection; limit: number },
) =>
  sql.$queryRaw<AgeingMemory[]>`
    SELECT m.id, m.owner_no AS "ownerNo", m.type, m.category, o.user_id AS "userId", o.customer_id AS "customerId",
      m.created_at AS "createdAt", coalesce(a.count, 0) AS "accessCount",
      coalesce(a.last_at, m.created_at) AS "lastAccess", u.last_at AS "lastCall"
    FROM memory m JOIN owner o ON o.i = m.i AND o.owner_no = m.owner_no
    LEFT JOIN memory_access a ON a.i = m.i AND a.memory_id = m.id
    LEFT JOIN user_activity u ON u.i = m.i AND u.user_id = o.user_id
    WHERE m.status <> 'archived' AND ${condition} AND m.i = ${access.instanceNumber}
    ORDER BY m.created_at ${directionSql(direction)}, m.id ${directionSql(direction)} LIMIT ${limit}`;

/** Finds the memories that these superseded, directly or transitively; removing these must not revive them. */
export async function findTransitivelySuperseded(sql: Sql, access: Access, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE replaced AS (
      SELECT m.id FROM memory m WHERE m.superseded_by = ANY(${ids}::uuid[]) AND m.i = ${access.instanceNumber}
      UNION
      SELECT m.id FROM memory m JOIN replaced r ON m.superseded_by = r.id WHERE m.i = ${access.instanceNumber}
    ) SELECT id FROM replaced`;
  return rows.map(({ id }) => id);
}

/** Takes memories out of what is read; returns how many were not archived before. */
export async function saveArchived(tx: Tx, access: Access, ids: readonly string[]): Promise<number> {
  const { count } = await tx.memory.updateMany({
    where: { id: { in: [...ids] }, status: { not: 'archived' }, instanceNumber: access.instanceNumber },
    data: { status: 'archived' },
  });
  return count;
}

/** The reverse for one: it is as it would have been, and was accessed now. False when it is not archived. */
export async function saveRestored(tx: Tx, access: Access, id: string, at: Date): Promise<boolean> {
  const restored = await tx.$executeRaw`
    UPDATE memory SET status = CASE WHEN superseded_by IS NULL THEN 'active' ELSE 'superseded' END
    WHERE id = ${id}::uuid AND status = 'archived' AND i = ${access.instanceNumber}`;
  if (restored !== 1) return false;
  await tx.$executeRaw`
    INSERT INTO memory_access (i, memory_id, count, last_at) VALUES (${access.instanceNumber}, ${id}::uuid, 0, ${at})
    ON CONFLICT (i, memory_id) DO UPDATE SET last_at = excluded.last_at`;
  return true;
}
