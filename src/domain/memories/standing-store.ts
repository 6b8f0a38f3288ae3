import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { dayMs } from '../time.ts';
import { readableOwnerNumbers, type Access, type NarrowedAccess } from '../tenancy/access.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import { standingKindSql, trustedEvidenceCountSql } from './standing-kind-store.ts';
import type { MemorySelection } from './memory.ts';
import type { MemoryVersion } from './read.ts';
import type { AccessCount } from './retention.ts';
import { memorySelectionSql } from './memory-selection-store.ts';

/** From this long before it falls due, a commitment matters whatever is asked. */
export const dueWithinMs = 7 * dayMs;
/** The share of a token budget that standing memories may take. */
export const standingShare = 0.5;

/** Why a memory may always be in a bundle. */
export type StandingKind = 'instruction' | 'due' | 'identity' | 'preference';

/** A memory that may always be in a bundle. */
export interface StandingMemory {
  readonly id: string;
  readonly kind: StandingKind;
  /** How often people said it, and it was returned or used. */
  readonly times: number;
  readonly validFrom: Date;
  readonly dueAt: Date | null;
}

/** The memories that may always be in a bundle, of those that `access` may read: at most `limit` of each kind, the newest (or first due). */
export async function readStandingMemories(
  sql: Sql,
  access: NarrowedAccess,
  {
    dueFrom,
    dueUntil,
    limit,
    provenance,
  }: Pick<MemorySelection, 'provenance'> & { dueFrom: Date; dueUntil: Date; limit: number },
): Promise<StandingMemory[]> {
  const { instanceNumber } = access;
  const owners = readableOwnerNumbers(access);
  const wanted = memorySelectionSql('memory', { provenance });
  return sql.$queryRaw<StandingMemory[]>`
    SELECT found.id, found.kind, found.valid_from AS "validFrom", found.due_at AS "dueAt",
      (coalesce(a.count, 0) + ${trustedEvidenceCountSql(instanceNumber, Prisma.sql`found.id`)})::int AS times
    FROM (
      (SELECT *, 'due' AS kind FROM memory
       WHERE due_at BETWEEN ${dueFrom} AND ${dueUntil} AND i = ${instanceNumber} AND owner_no = ANY(${owners}) ${wanted}
       ORDER BY due_at, id LIMIT ${limit})
      UNION ALL
      (SELECT *, ${standingKindSql} FROM memory
       WHERE type = 'facts' AND category = 'identity' AND i = ${instanceNumber} AND owner_no = ANY(${owners}) ${wanted}
       ORDER BY valid_from DESC, id LIMIT ${limit})
      UNION ALL
      (SELECT *, ${standingKindSql} FROM memory
       WHERE type = 'preferences' AND i = ${instanceNumber} AND owner_no = ANY(${owners}) ${wanted}
       ORDER BY (category = 'instruction') DESC, valid_from DESC, id LIMIT ${2 * limit})
    ) AS found
    LEFT JOIN memory_access a ON a.i = ${instanceNumber} AND a.memory_id = found.id`;
}

/** The counts of those of these memories that were ever returned or used. */
export async function readAccessCounts(
  sql: Sql,
  instanceNumber: bigint,
  ids: readonly string[],
): Promise<Map<string, AccessCount>> {
  if (!ids.length) return new Map();
  const rows = await sql.$queryRaw<(AccessCount & { memoryId: string })[]>`
    SELECT a.memory_id AS "memoryId", a.count, a.last_at AS "lastAt"
    FROM unnest(${ids}::uuid[]) AS given (id)
    CROSS JOIN LATERAL (
      SELECT * FROM memory_access m WHERE m.i = ${instanceNumber} AND m.memory_id = given.id OFFSET 0) AS a`;
  return new Map(rows.map((row) => [row.memoryId, row]));
}

/** Which of these memories hold now, of those that `access` may read, and in which version of their content. */
export async function readCurrentVersions(sql: Sql, access: Access, ids: readonly string[]): Promise<MemoryVersion[]> {
  return sql.$queryRaw<MemoryVersion[]>`
    SELECT memory.id AS uuid, memory.content_version AS "contentVersion" FROM unnest(${ids}::uuid[]) AS given (id)
    CROSS JOIN LATERAL (SELECT * FROM memory m WHERE m.i = ${access.instanceNumber} AND m.id = given.id OFFSET 0) AS memory
    WHERE memory.status = 'active' AND ${readableBySql(access, 'memory')}`;
}
