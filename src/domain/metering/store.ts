import type { Sql } from '../../db/database.ts';

/** Adds to the counts of the day of `at`, by metric and by one statement: all of them or none. Whole numbers. */
export async function saveUsage(sql: Sql, i: bigint, counts: ReadonlyMap<string, number>, at: Date): Promise<void> {
  const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)); // locked in one order
  await sql.$executeRaw`
    INSERT INTO usage AS u (i, day, metric, count)
    SELECT ${i}, ${dayOf(at)}::date, c.metric, c.count
    FROM unnest(${sorted.map(([metric]) => metric)}::text[], ${sorted.map(([, count]) => count)}::bigint[])
      AS c (metric, count)
    WHERE c.count > 0
    ON CONFLICT (i, day, metric) DO UPDATE SET count = u.count + excluded.count`;
}

/** Raises the peak of the month of `at` to what the instance holds now. */
export async function raisePeak(sql: Sql, i: bigint, at: Date): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO storage_peak AS p (i, month, memories)
    SELECT ${i}, ${`${dayOf(at).slice(0, 7)}-01`}::date, coalesce(sum(memory_count), 0)::int FROM owner WHERE i = ${i}
    ON CONFLICT (i, month) DO UPDATE SET memories = greatest(p.memories, excluded.memories)`;
}

/** The day of a time (UTC), as rows name it. */
export const dayOf = (at: Date) => at.toISOString().slice(0, 10);
