import type { Sql } from '../../db/database.ts';
import type { BuiltInCategory } from '../memory-types.ts';
import type { Access } from '../tenancy/access.ts';
import { standingKindSql } from './standing-kind-store.ts';

/** The parts of a profile: who somebody is, what they always want, what they like, and what was learnt last. */
export const profileParts = ['identity', 'standing', 'preferences', 'recent'] as const;
export type ProfilePart = (typeof profileParts)[number];

/** A memory that a profile may show, and whether it states an attribute, such as a residence, whose value holds now. */
export interface ProfileRow {
  readonly id: string;
  readonly part: ProfilePart;
  readonly hasAttribute: boolean;
}

/** Facts of these categories may say who somebody is: their family, home and work, and what to mind of their health. */
const personalCategories = ['identity', 'health', 'relations', 'places', 'work'] satisfies readonly BuiltInCategory[];

/**
 * The memories of these owners that may make a profile, each for one part alone: at most `limit` instructions and
 * preferences, and `read` of the other parts, of which only some are told. The newest first, except that of identity
 * what seldom changes leads, and of recent what is stated leads what was said word for word. What machines said tells
 * nothing of somebody.
 */
export async function readProfileRows(
  sql: Sql,
  { instanceNumber }: Access,
  { owners, limit, read }: { owners: readonly number[]; limit: number; read: number },
): Promise<ProfileRow[]> {
  return sql.$queryRaw<ProfileRow[]>`
    SELECT id, part, has_attribute AS "hasAttribute" FROM (
      SELECT *, row_number() OVER (PARTITION BY part ORDER BY CASE part
          WHEN 'identity' THEN has_attribute OR category IN ('identity', 'health') WHEN 'recent' THEN type <> 'episodes' END DESC,
        valid_from DESC, id DESC) AS n
      FROM (
        SELECT id, type, category, valid_from, attribute_key IS NOT NULL AS has_attribute,
          CASE WHEN type = 'facts' AND category = ANY(${personalCategories}) THEN 'identity'
            ELSE CASE ${standingKindSql} WHEN 'instruction' THEN 'standing' WHEN 'preference' THEN 'preferences'
              ELSE 'recent' END END AS part
        FROM memory WHERE i = ${instanceNumber} AND owner_no = ANY(${[...owners]}::int[]) AND status = 'active'
          AND provenance NOT IN ('assistant', 'tool')) AS placed
    ) AS numbered
    WHERE n <= CASE WHEN part IN ('identity', 'recent') THEN ${read}::int ELSE ${limit}::int END ORDER BY part, n`;
}
