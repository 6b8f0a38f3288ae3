import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { maxTotalCount, type KeysetQuery } from '../pagination.ts';
import { afterOperatorSql, countRowsPerParent, directionSql } from './keyset-store.ts';
import type { Access, SubjectIds } from './access.ts';
import { givenSubjectsSql } from './owned-list-store.ts';
import { readableBySql } from './readable-by.ts';

/** The kind of ids that are listed: those of users, or those of customers. */
interface Ids {
  readonly id: Prisma.Sql;
  readonly where: Prisma.Sql;
  /** The condition that a row has such an id for one of `given`. */
  readonly isOfGiven: Prisma.Sql;
}
const ofUsers: Ids = {
  id: Prisma.sql`owner.user_id`,
  where: Prisma.sql`owner.scope = 'USER'`,
  isOfGiven: Prisma.sql`owner.scope = 'USER' AND owner.customer_id = given.customer_id`,
};
const ofCustomers: Ids = {
  id: Prisma.sql`owner.customer_id`,
  where: Prisma.sql`true`,
  isOfGiven: Prisma.sql`owner.scope = 'USER' AND owner.user_id = given.user_id
    AND owner.customer_id = coalesce(given.customer_id, owner.customer_id)`,
};

export interface UserFilter {
  /** Only users whose ids begin so. */
  readonly prefix?: string | undefined;
}

/** The second condition is the first one for an index, which begins at the prefix. */
function usersOfFilter({ prefix }: UserFilter): Ids {
  if (prefix === undefined) return ofUsers;
  const begins = Prisma.sql`starts_with(owner.user_id, ${prefix}) AND owner.user_id >= ${prefix}`;
  const { id, where, isOfGiven } = ofUsers;
  return { id, where: Prisma.sql`${where} AND ${begins}`, isOfGiven: Prisma.sql`${isOfGiven} AND ${begins}` };
}

/** The ids of the instance's users, each once, whatever their customers. */
export const userIds = (
  sql: Sql,
  access: Access,
  { filter, ...keysetQuery }: KeysetQuery<string> & { readonly filter: UserFilter },
): Promise<string[]> => readIds(sql, distinctIds(access, usersOfFilter(filter), keysetQuery));

/** The ids of the instance's customers, also of those that are known by their users only. */
export const customerIds = (sql: Sql, access: Access, keysetQuery: KeysetQuery<string>): Promise<string[]> =>
  readIds(sql, distinctIds(access, ofCustomers, keysetQuery));

/** At most one more than `maxTotalCount`. */
export const countUserIds = (sql: Sql, access: Access, filter: UserFilter): Promise<number> =>
  countIds(sql, distinctIds(access, usersOfFilter(filter), wholeList));
export const countCustomerIds = (sql: Sql, access: Access): Promise<number> =>
  countIds(sql, distinctIds(access, ofCustomers, wholeList));

const wholeList = { direction: 'asc', after: undefined, limit: maxTotalCount + 1 } as const;

async function readIds(sql: Sql, ids: Prisma.Sql): Promise<string[]> {
  const rows = await sql.$queryRaw<{ id: string }[]>`${ids} SELECT id FROM known ORDER BY n`;
  return rows.map((row) => row.id);
}

async function countIds(sql: Sql, ids: Prisma.Sql): Promise<number> {
  const [row] = await sql.$queryRaw<{ count: number }[]>`${ids} SELECT count(*)::int AS count FROM known`;
  return row!.count;
}

/** A look-up in the index for each: however many rows one id has, they are not read. */
function distinctIds(
  access: Access,
  { id, where }: Ids,
  { direction, after, limit }: Pick<KeysetQuery<string>, 'direction' | 'after' | 'limit'>,
): Prisma.Sql {
  const next = (behind: Prisma.Sql) => Prisma.sql`
    SELECT ${id} AS id FROM owner WHERE ${where} AND ${behind} AND ${readableBySql(access, 'owner')}
    ORDER BY ${id} ${directionSql(direction)} LIMIT 1`;
  return Prisma.sql`
    WITH RECURSIVE known (id, n) AS (
      SELECT first.id, 1 FROM (${next(idsBehind(id, { direction, after }))}) AS first
      UNION ALL
      SELECT next.id, known.n + 1 FROM known
      CROSS JOIN LATERAL (${next(Prisma.sql`${id} ${afterOperatorSql(direction)} known.id AND ${id} <> ''`)}) AS next
      WHERE known.n < ${limit}::int)`;
}

/** SQL: an id behind the last one of the page before; an empty id names nobody. */
const idsBehind = (id: Prisma.Sql, { direction, after }: Pick<KeysetQuery<string>, 'direction' | 'after'>) =>
  after === undefined
    ? Prisma.sql`${id} <> ''`
    : Prisma.sql`${id} <> '' AND ${id} ${afterOperatorSql(direction)} ${after}::text`;

/** The users of each of these customers; `n` is whose they are, from 1. */
export const usersOf = (
  sql: Sql,
  access: Access,
  customers: readonly SubjectIds[],
  { filter, ...keysetQuery }: KeysetQuery<string> & { readonly filter: UserFilter },
) => readIdsOf(sql, access, { ...usersOfFilter(filter), named: customers, keysetQuery });

/** The customers of each of these users; `n` is whose they are, from 1. */
export const customersOf = (sql: Sql, access: Access, users: readonly SubjectIds[], keysetQuery: KeysetQuery<string>) =>
  readIdsOf(sql, access, { ...ofCustomers, named: users, keysetQuery });

/** Counts the users of each of these customers, each count at most one more than `maxTotalCount`. */
export const countUsersOf = (sql: Sql, access: Access, customers: readonly SubjectIds[], filter: UserFilter) =>
  countIdsOf(sql, access, { ...usersOfFilter(filter), named: customers });

/** Counts the customers of each of these users, each count at most one more than `maxTotalCount`. */
export const countCustomersOf = (sql: Sql, access: Access, users: readonly SubjectIds[]) =>
  countIdsOf(sql, access, { ...ofCustomers, named: users });

function readIdsOf(
  sql: Sql,
  access: Access,
  { id, isOfGiven, named, keysetQuery }: Ids & { named: readonly SubjectIds[]; keysetQuery: KeysetQuery<string> },
) {
  const towards = directionSql(keysetQuery.direction);
  return sql.$queryRaw<{ n: number; id: string }[]>`
    SELECT given.n, listed.id FROM ${givenSubjectsSql(named)} CROSS JOIN LATERAL (
      SELECT ${id} AS id FROM owner
      WHERE ${isOfGiven} AND ${idsBehind(id, keysetQuery)} AND ${readableBySql(access, 'owner')}
      ORDER BY ${id} ${towards} LIMIT ${keysetQuery.limit}) AS listed
    ORDER BY given.n, listed.id ${towards}`;
}

const countIdsOf = (sql: Sql, access: Access, { id, isOfGiven, named }: Ids & { named: readonly SubjectIds[] }) =>
  countRowsPerParent(sql, givenSubjectsSql(named), 'owner', [
    isOfGiven,
    idsBehind(id, wholeList),
    readableBySql(access, 'owner'),
  ]);

/** Whether any owner that the caller reads has these ids, as `ownersOf` finds them. */
export async function isKnownSubject(sql: Sql, access: Access, { userId, customerId }: SubjectIds): Promise<boolean> {
  const ids = [
    ...(userId === undefined ? [] : [Prisma.sql`owner.scope = 'USER' AND owner.user_id = ${userId}`]),
    ...(customerId === undefined ? [] : [Prisma.sql`owner.customer_id = ${customerId}`]),
  ];
  const rows = await sql.$queryRaw<unknown[]>`
    SELECT 1 FROM owner WHERE ${Prisma.join([...ids, readableBySql(access, 'owner')], ' AND ')} LIMIT 1`;
  return rows.length > 0;
}
