import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { newUuid } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { enqueueForInstance } from '../tenancy/enqueue-for-instance.ts';

/** The time within which a writer of vectors commits their rows, or decides again. */
const intentSeconds = 120;
/** The time for the writer to update the index after its commit; a job does it then. */
const ownTrySeconds = 2;

/** A memory whose vector may not be as its row says. */
export interface StaleVector {
  readonly memoryId: string;
  readonly mark: string;
  readonly isUnsure: boolean;
  /** The memory's row as it is; null when there is none. */
  readonly row: { readonly until: Date | null } | null;
}

/** Marks memories before their vectors are written, so that vectors of a crashed writer can be cleaned up. */
export async function markPendingWrite(
  sql: Sql,
  { instanceNumber }: Access,
  memoryIds: readonly string[],
): Promise<string> {
  const mark = newUuid();
  await sql.$executeRaw`
    INSERT INTO stale_vector AS m (i, memory_id, mark, is_unsure, is_behind, due_at)
    SELECT ${instanceNumber}, id, ${mark}::uuid, true, false, now() + ${intentSeconds} * interval '1 second'
    FROM unnest(${memoryIds}::uuid[]) AS t (id) ORDER BY id
    ON CONFLICT (i, memory_id) DO UPDATE SET mark = excluded.mark, is_unsure = true, due_at = excluded.due_at`;
  return mark;
}

/** Clears marks in the transaction of the rows; false when somebody marked one of them since. */
export async function clearPendingWrite(
  tx: Tx,
  { instanceNumber }: Access,
  memoryIds: readonly string[],
  mark: string,
): Promise<boolean> {
  const dropped = await tx.$executeRaw`
    DELETE FROM stale_vector WHERE i = ${instanceNumber} AND memory_id = ANY(${memoryIds}::uuid[]) AND mark = ${mark}::uuid`;
  return dropped === memoryIds.length;
}

/**
 * In a transaction that changes or removes rows: the index has to follow, and a job sees to it. `isUnsure`: what it
 * holds of those that stay is to be put again.
 */
export async function markIndexBehind(
  tx: Tx,
  access: Pick<Access, 'instanceNumber'>,
  memoryIds: readonly string[],
  { isUnsure }: { isUnsure: boolean },
): Promise<void> {
  if (!memoryIds.length) return;
  await tx.$executeRaw`
    INSERT INTO stale_vector AS m (i, memory_id, mark, is_unsure, is_behind, due_at)
    SELECT ${access.instanceNumber}, id, ${newUuid()}::uuid, ${isUnsure}, true, now() + ${ownTrySeconds} * interval '1 second'
    FROM unnest(${memoryIds}::uuid[]) AS t (id) ORDER BY id
    ON CONFLICT (i, memory_id) DO UPDATE SET mark = excluded.mark, is_behind = true,
      is_unsure = m.is_unsure OR excluded.is_unsure, due_at = excluded.due_at`;
  await askToFollow(tx, access);
}

/** The marks of these memories, or those that are due, with what their rows say. */
export async function readStaleVectors(
  sql: Sql,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
  { memoryIds, limit }: { memoryIds?: readonly string[]; limit: number },
): Promise<StaleVector[]> {
  const wanted = memoryIds ? Prisma.sql`v.memory_id = ANY(${memoryIds}::uuid[])` : Prisma.sql`v.due_at <= now()`;
  const rows = await sql.$queryRaw<(Omit<StaleVector, 'row'> & { exists: boolean; until: Date | null })[]>`
    SELECT v.memory_id AS "memoryId", v.mark, v.is_unsure AS "isUnsure", r.id IS NOT NULL AS exists,
      r.valid_until AS until
    FROM stale_vector v LEFT JOIN memory r ON r.i = v.i AND r.id = v.memory_id AND r.status <> 'archived'
    WHERE v.i = ${instanceNumber} AND ${wanted} ORDER BY v.due_at LIMIT ${limit}`;
  return rows.map(({ exists, until, ...mark }) => ({ ...mark, row: exists ? { until } : null }));
}

/** The index has followed; what was marked again meanwhile stays. */
export async function clearStaleVectors(
  tx: Tx,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
  marks: readonly StaleVector[],
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM stale_vector v
    USING unnest(${marks.map((each) => each.memoryId)}::uuid[], ${marks.map((each) => each.mark)}::uuid[])
      AS t (memory_id, mark)
    WHERE v.i = ${instanceNumber} AND v.memory_id = t.memory_id AND v.mark = t.mark`;
}

/** Counts the changes that the index has yet to follow: of these memories, or of the whole instance. */
export async function countIndexBacklog(
  sql: Sql,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
  memoryIds?: readonly string[],
): Promise<number> {
  const rows = await sql.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM stale_vector WHERE i = ${instanceNumber} AND is_behind
      ${memoryIds ? Prisma.sql`AND memory_id = ANY(${memoryIds}::uuid[])` : Prisma.empty}`;
  return rows[0]!.count;
}

/** Finds those of the memories that have a mark of any kind. */
export async function filterStale(
  sql: Sql,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
  memoryIds: readonly string[],
): Promise<Set<string>> {
  const rows = await sql.staleVector.findMany({
    where: { memoryId: { in: [...memoryIds] }, instanceNumber },
    select: { memoryId: true },
  });
  return new Set(rows.map(({ memoryId }) => memoryId));
}

/** Milliseconds until the index has to follow the next row of the instance; null when it has followed all. */
export async function msUntilNextSync(
  sql: Sql,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
): Promise<number | null> {
  const rows = await sql.$queryRaw<{ ms: number | null }[]>`
    SELECT (extract(epoch FROM min(due_at) - now()) * 1000)::float8 AS ms FROM stale_vector
    WHERE i = ${instanceNumber} AND is_behind`;
  const ms = rows[0]!.ms;
  return ms === null ? null : Math.max(0, Math.ceil(ms));
}

export async function deleteStaleVectorsOfInstance(
  sql: Sql,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
): Promise<void> {
  await sql.staleVector.deleteMany({ where: { instanceNumber } });
}

const askToFollow = (sql: Sql, access: Pick<Access, 'instanceNumber'>) =>
  enqueueForInstance(sql, 'follow-vectors', access);

/** Asks for the job that compares the index with the rows and mends it. */
export const enqueueRepair = (sql: Sql, access: Pick<Access, 'instanceNumber'>) =>
  enqueueForInstance(sql, 'repair-vectors', access);

/** Asks for it in each instance that has vectors. */
export async function enqueueRepairOfAll(sql: Sql): Promise<void> {
  const rows = await sql.vectorSpace.findMany({ select: { instanceNumber: true } });
  for (const { instanceNumber } of rows) await enqueueRepair(sql, { instanceNumber });
}

/** Asks for the job in each instance where a mark is overdue: of a process that died before it asked itself. */
export async function enqueueStaleVectors(sql: Sql): Promise<void> {
  const rows = await sql.$queryRaw<
    { instanceNumber: bigint }[]
  >`SELECT DISTINCT i AS "instanceNumber" FROM stale_vector WHERE due_at <= now()`;
  for (const { instanceNumber } of rows) await askToFollow(sql, { instanceNumber });
}
