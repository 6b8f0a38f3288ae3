import type { Sql } from '../../db/database.ts';
import { ownerNumbers, type Access, type OwnedAccess } from '../tenancy/access.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import type { Wanted } from './memory.ts';
import type { MemoryEdition } from './read.ts';
import type { AccessCount } from './retention.ts';
import { ofKindSql, trustedEvidence } from './wanted-store.ts';

/** Why a memory may always be in a bundle. */
export type StandingKind = 'instruction' | 'due' | 'identity' | 'preference';

/** A memory that may always be in a bundle. */
export interface StandingMemory {
  readonly id: string;
  readonly kind: StandingKind;
  readonly confidence: number;
  /** How often people said it, and it was returned or used. */
  readonly times: number;
  readonly validFrom: Date;
  readonly dueAt: Date | null;
}

/** The memories that may always be in a bundle, of those that `access` may read: at most `limit` of each kind, the newest (or first due). */
export async function readStandingMemories(
  sql: Sql,
  access: OwnedAccess,
  {
    dueFrom,
    dueUntil,
    limit,
    provenance,
  }: Pick<Wanted, 'provenance'> & { dueFrom: Date; dueUntil: Date; limit: number },
): Promise<StandingMemory[]> {
  const { i } = access;
  const owners = ownerNumbers(access);
  const wanted = ofKindSql('memory', { provenance });
  return sql.$queryRaw<StandingMemory[]>`
    SELECT found.id, found.kind, found.confidence, found.valid_from AS "validFrom", found.due_at AS "dueAt",
      (coalesce(a.count, 0) + (SELECT count(*) FROM memory_evidence e WHERE e.i = ${i} AND e.memory_id = found.id
          AND ${trustedEvidence('e')}))::int
        AS times
    FROM (
      (SELECT *, 'due' AS kind FROM memory
       WHERE due_at BETWEEN ${dueFrom} AND ${dueUntil} AND status = 'active' AND i = ${i} AND owner_no = ANY(${owners})
         ${wanted}
       ORDER BY due_at, id LIMIT ${limit})
      UNION ALL
      (SELECT *, 'identity' FROM memory
       WHERE type = 'facts' AND category = 'identity' AND status = 'active' AND i = ${i} AND owner_no = ANY(${owners})
         ${wanted}
       ORDER BY valid_from DESC, id LIMIT ${limit})
      UNION ALL
      (SELECT *, CASE category WHEN 'instruction' THEN 'instruction' ELSE 'preference' END FROM memory
       WHERE type = 'preferences' AND status = 'active' AND i = ${i} AND owner_no = ANY(${owners})
         ${wanted}
       ORDER BY (category = 'instruction') DESC, valid_from DESC, id LIMIT ${2 * limit})
    ) AS found
    LEFT JOIN memory_access a ON a.i = ${i} AND a.memory_id = found.id`;
}

/** A preference is strong when people say it in so many documents; how often it was read does not count here. */
const strongStatements = 2;

/**
 * The memories that hold whatever is asked, of what `access` may read: standing instructions, then who somebody is, then
 * preferences that were said more than once; of each the newest first. Reading memories does not change which these are.
 */
export async function readLastingMemories(
  sql: Sql,
  access: OwnedAccess,
  { asOf, limit, ...wanted }: Wanted & { limit: number },
): Promise<string[]> {
  const { i } = access;
  const owners = ownerNumbers(access);
  const at = asOf ?? null;
  const rows = await sql.$queryRaw<{ id: string }[]>`
    WITH lasting AS (
      SELECT id, valid_from, CASE WHEN type = 'facts' THEN 2 WHEN category = 'instruction' THEN 1 ELSE 3 END AS place
      FROM memory
      WHERE i = ${i} AND owner_no = ANY(${owners})
        AND (type = 'preferences' OR (type = 'facts' AND category = 'identity')) ${ofKindSql('memory', wanted)}
        AND CASE WHEN ${at}::timestamptz IS NULL THEN status = 'active'
          ELSE status <> 'archived' AND valid_from <= ${at}::timestamptz
            AND (valid_until IS NULL OR valid_until > ${at}::timestamptz) END
    ), newest AS (
      SELECT *, row_number() OVER (PARTITION BY place ORDER BY valid_from DESC, id) AS n FROM lasting
    )
    SELECT id FROM newest
    WHERE n <= ${4 * limit} AND (place < 3
      OR (SELECT count(*) FROM memory_evidence e WHERE e.i = ${i} AND e.memory_id = newest.id
        AND ${trustedEvidence('e')}) >= ${strongStatements})
    ORDER BY place, n
    LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** The counts of those of these memories that were ever returned or used. */
export async function readAccessCounts(sql: Sql, i: bigint, ids: readonly string[]): Promise<Map<string, AccessCount>> {
  if (!ids.length) return new Map();
  const rows = await sql.$queryRaw<(AccessCount & { memoryId: string })[]>`
    SELECT a.memory_id AS "memoryId", a.count, a.last_at AS "lastAt"
    FROM unnest(${ids}::uuid[]) AS given (id)
    CROSS JOIN LATERAL (
      SELECT * FROM memory_access m WHERE m.i = ${i} AND m.memory_id = given.id OFFSET 0) AS a`;
  return new Map(rows.map((row) => [row.memoryId, row]));
}

/** Which of these memories hold now, of those that `access` may read, and in which edition. */
export async function currentEditions(sql: Sql, access: Access, ids: readonly string[]): Promise<MemoryEdition[]> {
  return sql.$queryRaw<MemoryEdition[]>`
    SELECT memory.id AS uuid, memory.edition FROM unnest(${ids}::uuid[]) AS given (id)
    CROSS JOIN LATERAL (SELECT * FROM memory m WHERE m.i = ${access.i} AND m.id = given.id OFFSET 0) AS memory
    WHERE memory.status = 'active' AND ${readableBySql(access, 'memory')}`;
}
