import { Prisma } from '../generated/prisma/client.ts';
import type { Tx } from './database.ts';

/** Where ids of memories stand. */
type Column = 'memory.id' | 'memory_evidence.memory_id' | 'memory_term.memory_id' | 'mention.memory_id';

/**
 * How many rows of the instance have one of these ids there. However many ids there are: Prisma's client counts among
 * 65,535 at most.
 */
export async function countAmong(tx: Tx, column: Column, i: bigint, ids: readonly string[]): Promise<number> {
  const [table, name] = column.split('.').map((part) => Prisma.raw(part)) as [Prisma.Sql, Prisma.Sql];
  const rows = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${table} WHERE i = ${i} AND ${name} = ANY(${ids}::uuid[])`;
  return rows[0]!.count;
}
