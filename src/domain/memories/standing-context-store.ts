import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { readableOwnerNumbers, type NarrowedAccess } from '../tenancy/access.ts';
import type { MemorySelection } from './memory.ts';
import { standingKindSql, trustedEvidenceCountSql, strongStatements } from './standing-kind-store.ts';
import { memorySelectionSql } from './memory-selection-store.ts';

/**
 * Reads the memories that a fetch without a query returns, of those that `access` may read: standing instructions, what
 * falls due within `due`, who somebody is, preferences that were said more than once, then what was learnt last; of each
 * the newest first, and the next due first. Without `due`, only what lasts: no clock and no reading changes it.
 */
export async function readStandingContext(
  sql: Sql,
  access: NarrowedAccess,
  { due, limit, ...wanted }: MemorySelection & { due?: { from: Date; until: Date }; limit: number },
): Promise<string[]> {
  const { instanceNumber } = access;
  const lastingOnly = Prisma.sql`AND type IN ('preferences', 'facts') AND ${standingKindSql} IS NOT NULL`;
  const rows = await sql.$queryRaw<{ id: string }[]>`
    WITH held AS (
      SELECT id, valid_from, due_at,
        CASE WHEN kind = 'instruction' THEN 1
          WHEN due_at BETWEEN ${due?.from ?? null}::timestamptz AND ${due?.until ?? null}::timestamptz THEN 2
          WHEN kind = 'identity' THEN 3
          WHEN kind = 'preference' AND ${trustedEvidenceCountSql(instanceNumber, Prisma.sql`found.id`)} >= ${strongStatements} THEN 4
          WHEN type = 'episodes' THEN 6 ELSE 5 END AS place
      FROM (SELECT *, ${standingKindSql} AS kind FROM memory
        WHERE i = ${instanceNumber} AND owner_no = ANY(${readableOwnerNumbers(access)}) ${due ? Prisma.empty : lastingOnly}
          ${memorySelectionSql('memory', wanted)}) AS found
    ), placed AS (
      SELECT *, row_number() OVER (PARTITION BY place ORDER BY
        CASE WHEN place = 2 THEN due_at END, valid_from DESC, id DESC) AS n FROM held
    )
    SELECT id FROM placed WHERE place <= ${due ? 6 : 4} ORDER BY place, n LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}
