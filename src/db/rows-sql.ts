import { Prisma } from '../generated/prisma/client.ts';

/** A column: its name, its type, and its value in the row of an item. */
export type Column<Item> = readonly [name: string, type: string, value: (item: Item) => unknown];

/**
 * SQL for a table `name` with a row for each item, in a FROM. Each column is sent as one array: the statement is the same
 * however many rows there are, so that it is prepared once.
 */
export function rowsSql<Item>(name: string, items: readonly Item[], columns: readonly Column<Item>[]): Prisma.Sql {
  const arrays = columns.map(([, type, value]) => Prisma.sql`${items.map(value)}::${Prisma.raw(type)}[]`);
  return Prisma.sql`unnest(${Prisma.join(arrays)}) AS ${Prisma.raw(name)} (${columnNamesSql(columns)})`;
}

/** The names of columns, as an INSERT lists them. */
export const columnNamesSql = <Item>(columns: readonly Column<Item>[]): Prisma.Sql =>
  Prisma.raw(columns.map(([name]) => name).join(', '));
