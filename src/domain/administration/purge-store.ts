import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/** Tables that survive a purge: the tombstone, the audit without its contents, and usage that is charged for. */
const kept = new Set(['instance', 'audit', 'token_usage', 'storage_peak']);
/** Work stops, and no memory can be stored, before the rest is taken. */
const first = ['job', 'owner'];

/**
 * Every table that holds rows of instances, as the database itself tells: one that is added later is not forgotten.
 * The keys are not among them: until all else is gone they say what became of the instance.
 */
export async function tablesOfInstances(sql: Sql): Promise<string[]> {
  const rows = await sql.$queryRaw<{ name: string }[]>`
    SELECT t.table_name AS name FROM information_schema.tables t
    JOIN information_schema.columns c USING (table_schema, table_name)
    WHERE t.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.column_name = 'i'`;
  const names = rows.map(({ name }) => name).filter((name) => name !== 'api_key' && !kept.has(name));
  return [...first, ...names.filter((name) => !first.includes(name)).toSorted()];
}

/** Rows that the purge itself needs until its end, and the calls that are charged for. */
const notItsOwn = (table: string) =>
  ({
    job: Prisma.sql`AND queue <> 'purge-instance'`,
    usage: Prisma.sql`AND metric NOT IN ('api_calls', 'admin_calls')`,
    receipt: Prisma.sql`AND body->>'kind' IS DISTINCT FROM 'purge'`,
  })[table] ?? Prisma.empty;

/** Removes rows of the instance, at most `limit`; returns how many went. */
export function removeRows(
  tx: Tx,
  instanceNumber: bigint,
  { table, limit }: { table: string; limit: number },
): Promise<number> {
  const name = Prisma.raw(`"${table}"`);
  return tx.$executeRaw`
    DELETE FROM ${name} WHERE i = ${instanceNumber} AND ctid = ANY(ARRAY(
      SELECT ctid FROM ${name} WHERE i = ${instanceNumber} ${notItsOwn(table)} LIMIT ${limit}))`;
}

export async function countRowsOf(sql: Sql, instanceNumber: bigint, table: string): Promise<number> {
  const rows = await sql.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${Prisma.raw(`"${table}"`)} WHERE i = ${instanceNumber} ${notItsOwn(table)}`;
  return rows[0]!.count;
}
