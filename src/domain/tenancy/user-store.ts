import type { Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { maxCounted, type Stretch } from '../cursor.ts';
import { behindSql, countSql, directionSql } from './keyset-store.ts';
import type { Access, Named } from './access.ts';
import { givenNamed } from './listed-store.ts';
import { readableBySql } from './readable-by.ts';

/** The kind of ids that are listed: those of users, or those of customers. */
interface Ids {
  readonly id: Prisma.Sql;
  readonly where: Prisma.Sql;
}
const ofUsers: Ids = { id: Prisma.sql`owner.user_id`, where: Prisma.sql`owner.level = 'USER'` };
const ofCustomers: Ids = { id: Prisma.sql`owner.customer_id`, where: Prisma.sql`true` };

/** Of all users of the instance, each once, whatever their customers. */
export const userIds = (tx: Tx, access: Access, stretch: Stretch<string>): Promise<string[]> =>
  readIds(tx, distinctIds(access, ofUsers, stretch));

/** Of all customers of the instance, also of those that are known by their users only. */
export const customerIds = (tx: Tx, access: Access, stretch: Stretch<string>): Promise<string[]> =>
  readIds(tx, distinctIds(access, ofCustomers, stretch));

/** At most one more than `maxCounted`. */
export const countUserIds = (tx: Tx, access: Access): Promise<number> =>
  countIds(tx, distinctIds(access, ofUsers, wholeList));
export const countCustomerIds = (tx: Tx, access: Access): Promise<number> =>
  countIds(tx, distinctIds(access, ofCustomers, wholeList));

const wholeList = { direction: 'asc', after: undefined, limit: maxCounted + 1 } as const;

async function readIds(tx: Tx, ids: Prisma.Sql): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`${ids} SELECT id FROM known ORDER BY n`;
  return rows.map((row) => row.id);
}

async function countIds(tx: Tx, ids: Prisma.Sql): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`${ids} SELECT count(*)::int AS count FROM known`;
  return row!.count;
}

/** A look-up in the index for each: however many rows one id has, they are not read. */
function distinctIds(
  access: Access,
  { id, where }: Ids,
  { direction, after, limit }: Pick<Stretch<string>, 'direction' | 'after' | 'limit'>,
): Prisma.Sql {
  const next = (behind: Prisma.Sql) => Prisma.sql`
    SELECT ${id} AS id FROM owner WHERE ${where} AND ${behind} AND ${readableBySql(access, 'owner')}
    ORDER BY ${id} ${directionSql(direction)} LIMIT 1`;
  return Prisma.sql`
    WITH RECURSIVE known (id, n) AS (
      SELECT first.id, 1 FROM (${next(idsBehind(id, { direction, after }))}) AS first
      UNION ALL
      SELECT next.id, known.n + 1 FROM known
      CROSS JOIN LATERAL (${next(Prisma.sql`${id} ${behindSql(direction)} known.id AND ${id} <> ''`)}) AS next
      WHERE known.n < ${limit}::int)`;
}

/** Ids of owners behind the key of a stretch; an empty one names nobody. */
const idsBehind = (id: Prisma.Sql, { direction, after }: Pick<Stretch<string>, 'direction' | 'after'>) =>
  after === undefined
    ? Prisma.sql`${id} <> ''`
    : Prisma.sql`${id} <> '' AND ${id} ${behindSql(direction)} ${after}::text`;

const isUserOfGiven = (access: Access) => Prisma.sql`
  owner.customer_id = given.customer_id AND owner.level = 'USER' AND ${readableBySql(access, 'owner')}`;

/** The users of each of these customers; `n` is whose they are, from 1. */
export const usersOf = (tx: Tx, access: Access, customers: readonly Named[], stretch: Stretch<string>) => {
  const towards = directionSql(stretch.direction);
  return tx.$queryRaw<{ n: number; userId: string }[]>`
    SELECT given.n, u.user_id AS "userId" FROM ${givenNamed(customers)} CROSS JOIN LATERAL (
      SELECT owner.user_id FROM owner
      WHERE ${idsBehind(ofUsers.id, stretch)} AND ${isUserOfGiven(access)}
      ORDER BY owner.user_id ${towards} LIMIT ${stretch.limit}) AS u
    ORDER BY given.n, u.user_id ${towards}`;
};

const isCustomerOfGiven = (access: Access) => Prisma.sql`
  owner.level = 'USER' AND owner.user_id = given.user_id
    AND owner.customer_id = coalesce(given.customer_id, owner.customer_id) AND ${readableBySql(access, 'owner')}`;

/** The customers of each of these users; `n` is whose they are, from 1. */
export const customersOf = (tx: Tx, access: Access, users: readonly Named[], stretch: Stretch<string>) => {
  const towards = directionSql(stretch.direction);
  return tx.$queryRaw<{ n: number; customerId: string }[]>`
    SELECT given.n, c.customer_id AS "customerId" FROM ${givenNamed(users)} CROSS JOIN LATERAL (
      SELECT owner.customer_id FROM owner
      WHERE ${idsBehind(ofCustomers.id, stretch)} AND ${isCustomerOfGiven(access)}
      ORDER BY owner.customer_id ${towards} LIMIT ${stretch.limit}) AS c
    ORDER BY given.n, c.customer_id ${towards}`;
};

/** How many users each of these customers has, each at most one more than `maxCounted`. */
export const countUsersOf = (tx: Tx, access: Access, customers: readonly Named[]) =>
  countOwners(tx, customers, Prisma.sql`${idsBehind(ofUsers.id, wholeList)} AND ${isUserOfGiven(access)}`);

/** How many customers each of these users has, each at most one more than `maxCounted`. */
export const countCustomersOf = (tx: Tx, access: Access, users: readonly Named[]) =>
  countOwners(tx, users, Prisma.sql`${idsBehind(ofCustomers.id, wholeList)} AND ${isCustomerOfGiven(access)}`);

async function countOwners(tx: Tx, named: readonly Named[], condition: Prisma.Sql): Promise<number[]> {
  const rows = await tx.$queryRaw<{ count: number }[]>`
    SELECT ${countSql('owner', [condition])} AS count FROM ${givenNamed(named)} ORDER BY given.n`;
  return rows.map(({ count }) => count);
}

/** Whether rows of the instance carry these ids, as `ownersOf` finds them. */
export async function isKnown(tx: Tx, access: Access, { userId, customerId }: Named): Promise<boolean> {
  const ids = [
    ...(userId === undefined ? [] : [Prisma.sql`owner.level = 'USER' AND owner.user_id = ${userId}`]),
    ...(customerId === undefined ? [] : [Prisma.sql`owner.customer_id = ${customerId}`]),
  ];
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM owner WHERE ${Prisma.join([...ids, readableBySql(access, 'owner')], ' AND ')} LIMIT 1`;
  return rows.length > 0;
}
