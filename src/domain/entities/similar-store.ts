import type { Sql } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import type { PairDecision } from './decide-name-pairs.ts';
import type { EntityHome, RegisteredName } from './entity-store.ts';

/** A registered name, opened, with what the match needs of its mentions. */
export interface KnownName {
  readonly id: string;
  readonly rootId: string;
  readonly normal: string;
  readonly variant: number;
  readonly kind: string;
  /** The newest that mention it, and whose they are. */
  readonly memoryIds: readonly string[];
  readonly ownerNos: readonly number[];
}

/** The most other names that are compared with those of a document: thousands may share a first name. */
const mostFound = 400;
const newestMentions = 8;

/**
 * The names of a document that are registered, others that share a blocking key with them, those with the most of the
 * keys first, all that is merged with any, and what was decided of them: one statement.
 */
export async function findSimilarNames(
  sql: Sql,
  access: Access,
  home: EntityHome,
  names: readonly Pick<RegisteredName, 'nameKey' | 'blocks'>[],
): Promise<{ names: KnownName[]; decided: PairDecision[] }> {
  type Row = Omit<KnownName, 'normal'> & {
    name: Uint8Array;
    decisions: string[] | null;
  };
  const rows = await sql.$queryRaw<Row[]>`
    SELECT l.id, l.root_id AS "rootId", l.name, l.variant,
      coalesce(m.kind, 'other') AS kind, coalesce(m.memory_ids, '{}') AS "memoryIds",
      coalesce(m.owner_nos, '{}') AS "ownerNos", d.decisions
    FROM (
      SELECT DISTINCT e.root_id
      FROM (SELECT n.id AS entity_id FROM entity n
            WHERE n.i = ${access.instanceNumber} AND n.owner_no = ${home.ownerNo}
              AND n.name_key = ANY(${names.map(({ nameKey }) => nameKey)}::bytea[])
            UNION
            (SELECT b.entity_id FROM entity_blocking_key b
             WHERE b.i = ${access.instanceNumber} AND b.owner_no = ${home.ownerNo}
               AND b.key = ANY(${names.flatMap(({ blocks }) => blocks)}::bytea[])
             GROUP BY b.entity_id ORDER BY count(*) DESC, b.entity_id LIMIT ${mostFound})) AS hit
      CROSS JOIN LATERAL (SELECT root_id FROM entity n WHERE n.i = ${access.instanceNumber} AND n.id = hit.entity_id OFFSET 0) AS e
    ) AS found
    JOIN entity l ON l.i = ${access.instanceNumber} AND l.root_id = found.root_id
    CROSS JOIN LATERAL (
      SELECT mode() WITHIN GROUP (ORDER BY x.kind) FILTER (WHERE x.kind <> 'other') AS kind,
        array_agg(x.memory_id::text) AS memory_ids, array_agg(DISTINCT x.owner_no) AS owner_nos
      FROM (SELECT kind, memory_id, owner_no FROM mention n WHERE n.i = ${access.instanceNumber} AND n.entity_id = l.id
            ORDER BY n.memory_id DESC LIMIT ${newestMentions}) AS x) AS m
    CROSS JOIN LATERAL (
      SELECT array_agg(r.status || '/' || r.left_id || '/' || r.right_id) AS decisions
      FROM entity_review r WHERE r.i = ${access.instanceNumber} AND r.left_id = l.id) AS d`;
  return {
    names: rows.map((row) => ({ ...row, normal: access.keys.open('entity.name', row.id, row.name) })),
    decided: rows.flatMap(({ decisions }) =>
      (decisions ?? []).map((each) => {
        const [status, left, right] = each.split('/') as [PairDecision['status'], string, string];
        return { status, left, right };
      }),
    ),
  };
}

/** Finds the entities that are mentioned together with these memories' own, memory by memory. */
export async function findCoMentionedEntities(
  sql: Sql,
  access: Access,
  memoryIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  if (!memoryIds.length) return new Map();
  const rows = await sql.$queryRaw<{ memoryId: string; rootIds: string[] }[]>`
    SELECT m.memory_id AS "memoryId", array_agg(e.root_id::text) AS "rootIds"
    FROM mention m JOIN entity e ON e.i = m.i AND e.id = m.entity_id
    WHERE m.i = ${access.instanceNumber} AND m.memory_id = ANY(${memoryIds}::uuid[]) GROUP BY m.memory_id`;
  return new Map(rows.map((row) => [row.memoryId, new Set(row.rootIds)]));
}
