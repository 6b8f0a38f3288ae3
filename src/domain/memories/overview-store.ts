import type { Sql } from '../../db/database.ts';
import { ownerNumbers, type OwnedAccess } from '../tenancy/access.ts';
import type { Wanted } from './memory.ts';
import { ofKindSql, trustedEvidence } from './wanted-store.ts';

/** A preference is strong when people say it in so many documents. */
const strongStatements = 2;

/**
 * The memories that matter whatever is asked, of those that `access` may read: standing instructions, what falls due until
 * `dueUntil`, who somebody is, preferences that were said more than once, then what was learnt last; of each the newest
 * first, and the next due first.
 */
export async function readOverview(
  sql: Sql,
  access: OwnedAccess,
  { asOf, now, dueUntil, limit, ...wanted }: Wanted & { now: Date; dueUntil: Date; limit: number },
): Promise<string[]> {
  const at = asOf ?? null;
  const rows = await sql.$queryRaw<{ id: string }[]>`
    WITH held AS (
      SELECT id, valid_from, due_at,
        CASE WHEN type = 'preferences' AND category = 'instruction' THEN 1
          WHEN due_at BETWEEN ${now}::timestamptz AND ${dueUntil}::timestamptz THEN 2
          WHEN type = 'facts' AND category = 'identity' THEN 3
          WHEN type = 'preferences' AND (SELECT count(*) FROM memory_evidence e
            WHERE e.i = ${access.i} AND e.memory_id = memory.id AND ${trustedEvidence('e')}) >= ${strongStatements} THEN 4
          WHEN type = 'episodes' THEN 6 ELSE 5 END AS place
      FROM memory
      WHERE i = ${access.i} AND owner_no = ANY(${ownerNumbers(access)}) ${ofKindSql('memory', wanted)}
        AND CASE WHEN ${at}::timestamptz IS NULL THEN status = 'active'
          ELSE status <> 'archived' AND valid_from <= ${at}::timestamptz
            AND (valid_until IS NULL OR valid_until > ${at}::timestamptz) END
    ), placed AS (
      SELECT *, row_number() OVER (PARTITION BY place ORDER BY
        CASE WHEN place = 2 THEN due_at END, valid_from DESC, id DESC) AS n FROM held
    )
    SELECT id FROM placed ORDER BY place, n LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}
