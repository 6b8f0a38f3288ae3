import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { maxTotalCount, type SortDirection, type KeysetQuery } from '../pagination.ts';

/** The direction as SQL has it. */
export const directionSql = (direction: SortDirection) => (direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`);

/** The comparison that holds for what lies behind a key in this direction. */
export const afterOperatorSql = (direction: SortDirection) => (direction === 'asc' ? Prisma.sql`>` : Prisma.sql`<`);

/** SQL: the order of a page, and the condition of rows behind the page before; `table` has `created_at` and `id`. */
export function keysetSql(table: string, { direction, after }: Pick<KeysetQuery, 'direction' | 'after'>) {
  const [at, id] = [Prisma.raw(`${table}.created_at`), Prisma.raw(`${table}.id`)];
  const towards = directionSql(direction);
  return {
    order: Prisma.sql`${at} ${towards}, ${id} ${towards}`,
    behind: after ? [Prisma.sql`(${at}, ${id}) ${afterOperatorSql(direction)} (${after.at}, ${after.id}::uuid)`] : [],
  };
}

/** The Prisma filter for what lies behind a value in this direction. */
export const afterFilter = <V>(direction: SortDirection, value: V) =>
  direction === 'asc' ? { gt: value } : { lt: value };

/** The `findMany` arguments for a page of the records that meet `where`, ordered by `createdAt`, then `field`. */
export function keysetArguments<Where extends object, Id, Field extends string = 'id'>(
  { direction, after, limit }: Omit<KeysetQuery<{ readonly at: Date; readonly id: Id }>, 'list'>,
  where: Where,
  field = 'id' as Field,
) {
  const order = { [field]: direction } as Record<Field, SortDirection>;
  return {
    where: { ...(after && afterPositionFilter(direction, after, field)), ...where },
    orderBy: [{ createdAt: direction }, order],
    take: limit,
  };
}

function afterPositionFilter<Id, Field extends string>(
  direction: SortDirection,
  { at, id }: { readonly at: Date; readonly id: Id },
  field: Field,
) {
  const isBehind = { [field]: afterFilter(direction, id) } as Record<Field, { gt: Id } | { lt: Id }>;
  return { OR: [{ createdAt: afterFilter(direction, at) }, { createdAt: at, ...isBehind }] };
}

/** Counts matching rows for each parent in `given`, by its `n`; at most one more than `maxTotalCount`. */
export async function countRowsPerParent(
  sql: Sql,
  given: Prisma.Sql,
  table: string,
  where: readonly Prisma.Sql[],
): Promise<number[]> {
  const rows = await sql.$queryRaw<{ count: number }[]>`
    SELECT (SELECT count(*)::int FROM (
      SELECT 1 FROM ${Prisma.raw(table)} WHERE ${Prisma.join([...where], ' AND ')} LIMIT ${maxTotalCount + 1}) AS counted) AS count
    FROM ${given} ORDER BY given.n`;
  return rows.map(({ count }) => count);
}
