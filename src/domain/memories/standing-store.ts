import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { readableOwnerNumbers, type Access, type NarrowedAccess } from '../tenancy/access.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import { standingKindSql, trustedEvidenceCountSql } from './standing-kind-store.ts';
import type { MemorySelection } from './memory.ts';
import type { MemoryVersion } from './read.ts';
import type { AccessCount } from './retention.ts';
import { memorySelectionSql } from './memory-selection-store.ts';

/** The share of a token budget that standing memories may take. */
export const standingShare = 0.5;

/** Why a memory matters whatever is asked. */
export type StandingKind = 'health' | 'instruction' | 'due' | 'identity' | 'preference';

/** A memory that may be standing. */
export interface StandingCandidate {
  readonly id: string;
  readonly kind: StandingKind;
  /** It states an attribute, such as an allergy, whose value holds now. */
  readonly hasAttribute: boolean;
  /** The number of times that people said it and, where due memories were asked for, that it was returned or used. */
  readonly times: number;
  readonly validFrom: Date;
  readonly dueAt: Date | null;
}

/** The most that are read of each kind. */
const limit = 50;

/**
 * The memories that may be standing, of those that `access` may read: of each kind at most `limit`, the newest, or
 * those that fall due first. Without `due`, only what lasts: no clock and no reading changes it.
 */
export async function readStandingCandidates(
  sql: Sql,
  access: NarrowedAccess,
  { due, ...wanted }: MemorySelection & { readonly due?: { readonly from: Date; readonly until: Date } },
): Promise<StandingCandidate[]> {
  const { instanceNumber } = access;
  const own = Prisma.sql`i = ${instanceNumber} AND owner_no = ANY(${readableOwnerNumbers(access)}) ${memorySelectionSql('memory', wanted)}`;
  const fallingDue = due
    ? Prisma.sql`(SELECT *, 'due' AS kind FROM memory
       WHERE due_at BETWEEN ${due.from} AND ${due.until} AND ${own}
       ORDER BY due_at, id LIMIT ${limit})
      UNION ALL`
    : Prisma.empty;
  return sql.$queryRaw<StandingCandidate[]>`
    SELECT found.id, found.kind, found.attribute_key IS NOT NULL AS "hasAttribute", found.valid_from AS "validFrom",
      found.due_at AS "dueAt",
      (coalesce(a.count, 0) + ${trustedEvidenceCountSql(instanceNumber, Prisma.sql`found.id`)})::int AS times
    FROM (
      ${fallingDue}
      (SELECT *, ${standingKindSql} AS kind FROM memory
       WHERE type = 'facts' AND category IN ('identity', 'health') AND ${own}
       ORDER BY (attribute_key IS NULL), valid_from DESC, id LIMIT ${2 * limit})
      UNION ALL
      (SELECT *, ${standingKindSql} FROM memory
       WHERE type = 'preferences' AND ${own}
       ORDER BY (category = 'instruction') DESC, valid_from DESC, id LIMIT ${2 * limit})
    ) AS found
    LEFT JOIN memory_access a ON ${due !== undefined}::boolean AND a.i = ${instanceNumber} AND a.memory_id = found.id
    WHERE found.kind IS NOT NULL`;
}

/** The ids of at most `max` memories that `access` may read: statements before passages, of each the newest first. */
export async function readNewestMemories(
  sql: Sql,
  access: NarrowedAccess,
  { max, ...wanted }: MemorySelection & { readonly max: number },
): Promise<string[]> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT id FROM memory
    WHERE i = ${access.instanceNumber} AND owner_no = ANY(${readableOwnerNumbers(access)}) ${memorySelectionSql('memory', wanted)}
    ORDER BY (type = 'episodes'), valid_from DESC, id DESC LIMIT ${max}`;
  return rows.map(({ id }) => id);
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

/** Finds which of these memories hold now, of those that `access` may read, and in which version of their content. */
export async function readCurrentVersions(sql: Sql, access: Access, ids: readonly string[]): Promise<MemoryVersion[]> {
  return sql.$queryRaw<MemoryVersion[]>`
    SELECT memory.id AS uuid, memory.content_version AS "contentVersion" FROM unnest(${ids}::uuid[]) AS given (id)
    CROSS JOIN LATERAL (SELECT * FROM memory m WHERE m.i = ${access.instanceNumber} AND m.id = given.id OFFSET 0) AS memory
    WHERE memory.status = 'active' AND ${readableBySql(access, 'memory')}`;
}
