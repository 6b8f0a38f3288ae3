import type { Sql } from '../../db/database.ts';
import { readableOwnerNumbers, type NarrowedAccess } from '../tenancy/access.ts';
import type { LearnedAssociation } from './learned-associations.ts';

/** At most this many memories are read for each word, those most often of use. */
const perContext = 20;

/**
 * Reads which memories were of use after these words, as far as `access` may read both the memories and who used them.
 * `OFFSET 0` keeps the planner, which knows nothing of the sizes, at one look-up a memory.
 */
export async function readAssociations(
  sql: Sql,
  access: NarrowedAccess,
  contexts: readonly bigint[],
): Promise<LearnedAssociation[]> {
  if (!contexts.length) return [];
  const owners = readableOwnerNumbers(access);
  return sql.$queryRaw<LearnedAssociation[]>`
    SELECT known.owner_no AS "ownerNo", known.context, known.memory_id AS "memoryId", known.used,
      known.total::int AS total
    FROM unnest(${contexts}::bigint[]) AS q (context)
    CROSS JOIN unnest(${owners}::int[]) AS o (owner_no)
    CROSS JOIN LATERAL (
      SELECT t.*, sum(t.used) OVER () AS total FROM learned_association t
      WHERE t.context = q.context AND t.i = ${access.instanceNumber} AND t.owner_no = o.owner_no
      ORDER BY t.used DESC, t.memory_id LIMIT ${perContext}) AS known
    CROSS JOIN LATERAL (
      SELECT status, owner_no FROM memory WHERE i = ${access.instanceNumber} AND id = known.memory_id OFFSET 0) AS m
    WHERE m.status = 'active' AND m.owner_no = ANY(${owners})`;
}

/** Removes what was of use once only, and that before `time`, at most `limit`; returns how many there were. */
export const removeSingleUsesBefore = (sql: Sql, time: Date, limit: number): Promise<number> =>
  sql.$executeRaw`
    DELETE FROM learned_association WHERE (i, owner_no, context, memory_id) IN (
      SELECT i, owner_no, context, memory_id FROM learned_association
      WHERE used = 1 AND last_at < ${time} ORDER BY last_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;

/**
 * Counts uses of memories after these words: for the reader's own user, and for a wider owner only where all of its
 * readers may read the memory. Of memories that `access` may not read, nothing.
 */
export async function saveAssociations(
  sql: Sql,
  access: NarrowedAccess,
  { memoryIds, contexts, at }: { memoryIds: readonly string[]; contexts: readonly bigint[]; at: Date },
): Promise<void> {
  if (!memoryIds.length || !contexts.length) return;
  const owners = readableOwnerNumbers(access);
  // The rows are held until the end: what is forgotten meanwhile must not be learned. In order, so that none deadlocks.
  await sql.$executeRaw`
    INSERT INTO learned_association AS known (i, owner_no, context, memory_id, used, last_at)
    SELECT ${access.instanceNumber}, held.owner_no, q.context, held.id, 1, ${at}
    FROM (
      SELECT o.owner_no, m.id FROM memory m
      JOIN owner mo ON mo.i = m.i AND mo.owner_no = m.owner_no
      JOIN owner o ON o.i = m.i AND o.scope <> 'WORLD'
        AND (o.scope = 'USER' OR o.owner_no = m.owner_no OR mo.scope IN ('CLIENT', 'WORLD'))
      WHERE m.id = ANY(${memoryIds}::uuid[]) AND m.status = 'active' AND o.owner_no = ANY(${owners})
        AND m.i = ${access.instanceNumber} AND m.owner_no = ANY(${owners})
      FOR KEY SHARE OF m, o
    ) AS held
    CROSS JOIN unnest(${contexts}::bigint[]) AS q (context)
    ORDER BY held.owner_no, q.context, held.id
    ON CONFLICT (i, owner_no, context, memory_id)
    DO UPDATE SET used = known.used + 1, last_at = excluded.last_at`;
}
