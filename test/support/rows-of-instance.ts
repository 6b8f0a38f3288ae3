import type { Dependencies } from '../../src/dependencies.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';

/**
 * Tables that keep counts and ids of what was done, and no word of it: the audit, receipts of what was forgotten, usage,
 * latencies, and what processes and workers note for themselves.
 */
const countsAndIds = new Set([
  'audit',
  'client_storage_peak',
  'subscription_lease',
  'job',
  'operation_bucket',
  'operation_sample',
  'rate_limit',
  'receipt',
  'storage_peak',
  'token_usage',
  'usage',
  'vector_space',
]);

/** How many rows of each table belong to an instance; tables of counts and ids, and those without a row, are left out. */
export async function rowsOfInstance(
  { db }: Pick<Dependencies, 'db'>,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
): Promise<Record<string, number>> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE column_name = 'i' AND table_schema = current_schema() ORDER BY table_name`;
  const counted = await Promise.all(
    tables
      .filter(({ name }) => !countsAndIds.has(name))
      .map(async ({ name }) => {
        const [row] = await db.$queryRawUnsafe<{ count: number }[]>(
          `SELECT count(*)::int AS count FROM "${name}" WHERE i = $1`,
          instanceNumber,
        );
        return [name, row!.count] as const;
      }),
  );
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}
