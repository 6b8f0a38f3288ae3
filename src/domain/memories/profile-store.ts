import type { Sql } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { standingKindSql } from './standing-kind-store.ts';

/** The parts of a profile: who somebody is, what they always want, what they like, and what was learnt last. */
export const profileParts = ['identity', 'standing', 'preferences', 'recent'] as const;
export type ProfilePart = (typeof profileParts)[number];

/**
 * The memories of these owners that make a profile, at most `limit` a part and `recent` of the recent ones, the newest first;
 * each in one part alone.
 */
export async function readProfileParts(
  sql: Sql,
  { instanceNumber }: Access,
  { owners, limit, recent }: { owners: readonly number[]; limit: number; recent: number },
): Promise<{ id: string; part: ProfilePart }[]> {
  return sql.$queryRaw<{ id: string; part: ProfilePart }[]>`
    SELECT id, part FROM (
      SELECT id, part, row_number() OVER (PARTITION BY part ORDER BY valid_from DESC, id DESC) AS n
      FROM (
        SELECT id, valid_from, CASE ${standingKindSql} WHEN 'identity' THEN 'identity' WHEN 'instruction' THEN 'standing'
          WHEN 'preference' THEN 'preferences' ELSE 'recent' END AS part
        FROM memory WHERE i = ${instanceNumber} AND owner_no = ANY(${[...owners]}::int[]) AND status = 'active') AS placed
    ) AS numbered
    WHERE n <= CASE part WHEN 'recent' THEN ${recent}::int ELSE ${limit}::int END ORDER BY part, n`;
}
