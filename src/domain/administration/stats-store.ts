import type { Sql } from '../../db/database.ts';
import type { MemoryCounts } from '../memories/memory.ts';

/** The sizes of an instance. */
export interface InstanceStats {
  readonly memories: MemoryCounts;
  readonly documents: number;
  readonly users: number;
  readonly customers: number;
  readonly conversations: number;
  readonly entities: number;
  readonly openReviews: number;
  readonly ingestionsUnderWay: number;
  readonly ingestionsFailed: number;
  readonly lastReceivedAt: Date | null;
}

/** Counted when it is asked for. */
export async function readStats(sql: Sql, instanceNumber: bigint): Promise<InstanceStats> {
  const rows = await sql.$queryRaw<(Omit<InstanceStats, 'memories'> & InstanceStats['memories'])[]>`
    SELECT m.*, d.*, o.*, g.*, e.*, r.*, c.* FROM
      (SELECT count(*) FILTER (WHERE status = 'active')::int AS active,
        count(*) FILTER (WHERE status = 'superseded')::int AS superseded,
        count(*) FILTER (WHERE status = 'archived')::int AS archived FROM memory WHERE i = ${instanceNumber}) AS m,
      (SELECT count(*)::int AS documents, max(received_at) AS "lastReceivedAt" FROM document WHERE i = ${instanceNumber}) AS d,
      (SELECT count(DISTINCT nullif(user_id, ''))::int AS users,
        count(DISTINCT nullif(customer_id, ''))::int AS customers FROM owner WHERE i = ${instanceNumber}) AS o,
      (SELECT count(*)::int AS conversations FROM conversation WHERE i = ${instanceNumber}) AS c,
      (SELECT count(*)::int AS entities FROM entity WHERE i = ${instanceNumber} AND root_id = id) AS e,
      (SELECT count(*)::int AS "openReviews" FROM entity_review WHERE i = ${instanceNumber} AND status = 'open') AS r,
      (SELECT count(*) FILTER (WHERE status NOT IN ('completed', 'failed'))::int AS "ingestionsUnderWay",
        count(*) FILTER (WHERE status = 'failed')::int AS "ingestionsFailed" FROM ingestion WHERE i = ${instanceNumber}) AS g`;
  const { active, superseded, archived, ...stats } = rows[0]!;
  return { memories: { active, superseded, archived }, ...stats };
}
