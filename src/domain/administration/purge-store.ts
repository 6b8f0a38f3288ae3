import type { Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/** Its own row says that it was; its audit, which opens no more, who did it; its usage, what it cost. */
const kept = ['instance', 'audit', 'usage', 'storage_peak'];

/** Every table with rows of instances, as the database itself tells it: a new one cannot be forgotten. */
export async function tablesOfInstances(tx: Tx): Promise<string[]> {
  const rows = await tx.$queryRaw<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'i'
      AND a.atttypid = 'int8'::regtype AND NOT a.attisdropped AND c.relname <> ALL(${kept}) ORDER BY c.relname`;
  return rows.map(({ name }) => name);
}

/** Removes at most `limit` of the instance's rows; returns how many went. */
export const removeRows = (tx: Tx, table: string, i: bigint, limit: number): Promise<number> =>
  tx.$executeRaw`
    DELETE FROM ${named(table)} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${named(table)} WHERE i = ${i} LIMIT ${limit}))`;

export async function countRowsIn(tx: Tx, table: string, i: bigint): Promise<number> {
  const [row] = await tx.$queryRaw<{ n: number }[]>`SELECT count(*)::int AS n FROM ${named(table)} WHERE i = ${i}`;
  return row!.n;
}

/** A name that the catalogue gave. */
const named = (table: string) => Prisma.raw(`"${table}"`);
