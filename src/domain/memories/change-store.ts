import type { Sql, Tx } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { formatSpaceName, type VectorSpace } from '../vectors/vector-recipe.ts';

/** An owner of memories. */
export interface OwnerKey {
  readonly instanceNumber: bigint;
  readonly ownerNo: number;
}

/** The owner at the moment of a reading. */
export interface OwnerSnapshot {
  readonly revision: bigint;
  readonly memoryCount: number;
}

/** A memory came, or something that searches read of it was written. */
export interface MemoryChange {
  readonly memoryId: string;
  readonly change: bigint;
}

/** Reads changes to searchable memories after `after`, in their order, at most `limit`. Null: the owner is gone. */
export async function readChanges(
  sql: Sql,
  { instanceNumber, ownerNo }: OwnerKey,
  { after, limit }: { after: bigint; limit: number },
): Promise<(OwnerSnapshot & { changes: MemoryChange[] }) | null> {
  const rows = await sql.$queryRaw<(OwnerSnapshot & { id: string | null; change: bigint })[]>`
    SELECT o.revision, o.memory_count AS "memoryCount", m.id, m.change FROM owner o LEFT JOIN LATERAL (
      SELECT id, change FROM memory
      WHERE i = ${instanceNumber} AND owner_no = ${ownerNo} AND change > ${after} AND status <> 'archived'
      ORDER BY change LIMIT ${limit}
    ) AS m ON true
    WHERE o.i = ${instanceNumber} AND o.owner_no = ${ownerNo} ORDER BY m.change`;
  if (!rows[0]) return null;
  const { revision, memoryCount } = rows[0];
  return { revision, memoryCount, changes: rows.flatMap(({ id, change }) => (id ? [{ memoryId: id, change }] : [])) };
}

/** A change of a memory, with whether the memory was stored after a certain time. */
export interface TimedChange extends MemoryChange {
  readonly isRecent: boolean;
}

/** The highest number that a change in the whole database has taken. A change that is not committed yet may have it. */
export async function latestChange(sql: Sql): Promise<bigint> {
  const [row] = await sql.$queryRaw<{ change: bigint }[]>`SELECT last_value AS change FROM memory_change_seq`;
  return row!.change;
}

/** The owners whose memories changed after `after` and up to `through`, each with its latest such change. */
export const readChangedOwners = (
  sql: Sql,
  instanceNumber: bigint,
  { after, through }: { after: bigint; through: bigint },
): Promise<{ ownerNo: number; change: bigint }[]> =>
  sql.$queryRaw<{ ownerNo: number; change: bigint }[]>`
    SELECT owner_no AS "ownerNo", max(change) AS change FROM memory
    WHERE i = ${instanceNumber} AND change > ${after} AND change <= ${through} GROUP BY owner_no`;

/** The newest memories of an instance that were stored after `since` and have not changed after `through`. */
export async function readRecentMemories(
  sql: Sql,
  instanceNumber: bigint,
  { since, through, limit }: { since: Date; through: bigint; limit: number },
): Promise<string[]> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT id FROM memory WHERE i = ${instanceNumber} AND created_at >= ${since} AND change <= ${through}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** Reads changes to an owner's memories after `after`, archived ones too, in their order, at most `limit`. */
export const readChangedMemories = (
  sql: Sql,
  { instanceNumber, ownerNo }: OwnerKey,
  { after, since, limit }: { after: bigint; since: Date; limit: number },
): Promise<TimedChange[]> =>
  sql.$queryRaw<TimedChange[]>`
    SELECT id AS "memoryId", change, created_at >= ${since} AS "isRecent" FROM memory
    WHERE i = ${instanceNumber} AND owner_no = ${ownerNo} AND change > ${after} ORDER BY change LIMIT ${limit}`;

/** Says that something changed which is not in the rows: their vectors, where searches compare those of `space`. */
export async function markMemoriesChanged(
  tx: Tx,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
  ids: readonly string[],
  space: VectorSpace,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE memory SET change = nextval('memory_change_seq') WHERE i = ${instanceNumber} AND id = ANY(${ids}::uuid[])
      AND EXISTS (SELECT 1 FROM vector_space s WHERE s.i = ${instanceNumber} AND s.serving = ${formatSpaceName(space)})`;
}

/** Counts the owner's memories that searches find; null when the owner is gone. */
export async function countSearchableMemories(
  sql: Sql,
  { instanceNumber, ownerNo }: OwnerKey,
): Promise<(OwnerSnapshot & { count: number }) | null> {
  const rows = await sql.$queryRaw<(OwnerSnapshot & { count: number })[]>`
    SELECT revision, memory_count AS "memoryCount", (
      SELECT count(*)::int FROM memory WHERE i = ${instanceNumber} AND owner_no = ${ownerNo} AND status <> 'archived') AS count
    FROM owner WHERE i = ${instanceNumber} AND owner_no = ${ownerNo}`;
  return rows[0] ?? null;
}
