import type { Tx } from '../../db/database.ts';

/** Adds API calls to the day of `at`, and raises the month's peak to what the instance holds now. */
export async function saveCalls(tx: Tx, i: bigint, count: number, at: Date): Promise<void> {
  const [day, month] = [at.toISOString().slice(0, 10), `${at.toISOString().slice(0, 7)}-01`];
  await tx.$executeRaw`
    INSERT INTO usage AS u (i, day, metric, count) VALUES (${i}, ${day}::date, 'api_calls', ${count})
    ON CONFLICT (i, day, metric) DO UPDATE SET count = u.count + excluded.count`;
  await tx.$executeRaw`
    INSERT INTO storage_peak AS p (i, month, memories)
    SELECT ${i}, ${month}::date, coalesce(sum(memory_count), 0)::int FROM owner WHERE i = ${i}
    ON CONFLICT (i, month) DO UPDATE SET memories = greatest(p.memories, excluded.memories)`;
}
