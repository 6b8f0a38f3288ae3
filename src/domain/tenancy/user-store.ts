import type { Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Access, Named } from './access.ts';
import { givenNamed } from './listed-store.ts';
import { readableBySql } from './readable-by.ts';

/** Ids behind `after` in their order, at most `limit`. */
export interface Stretch {
  readonly after: string;
  readonly limit: number;
}

/** Of all users of the instance, each once, whatever their customers. */
export const userIds = (tx: Tx, access: Access, stretch: Stretch): Promise<string[]> =>
  distinctIds(tx, access, { id: Prisma.sql`owner.user_id`, where: Prisma.sql`owner.level = 'USER'` }, stretch);

/** Of all customers of the instance, also of those that are known by their users only. */
export const customerIds = (tx: Tx, access: Access, stretch: Stretch): Promise<string[]> =>
  distinctIds(tx, access, { id: Prisma.sql`owner.customer_id`, where: Prisma.sql`true` }, stretch);

/** A look-up in the index for each: however many rows one id has, they are not read. */
async function distinctIds(
  tx: Tx,
  access: Access,
  { id, where }: { id: Prisma.Sql; where: Prisma.Sql },
  { after, limit }: Stretch,
): Promise<string[]> {
  const next = (before: Prisma.Sql) => Prisma.sql`
    SELECT ${id} AS id FROM owner WHERE ${where} AND ${id} > ${before} AND ${readableBySql(access, 'owner')}
    ORDER BY ${id} LIMIT 1`;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE known (id, n) AS (
      SELECT first.id, 1 FROM (${next(Prisma.sql`${after}::text`)}) AS first
      UNION ALL
      SELECT next.id, known.n + 1 FROM known CROSS JOIN LATERAL (${next(Prisma.sql`known.id`)}) AS next
      WHERE known.n < ${limit}::int)
    SELECT id FROM known ORDER BY n`;
  return rows.map((row) => row.id);
}

/** The users of each of these customers; `n` is whose they are, from 1. */
export const usersOf = (tx: Tx, access: Access, customers: readonly Named[], { after, limit }: Stretch) =>
  tx.$queryRaw<{ n: number; userId: string }[]>`
    SELECT given.n, u.user_id AS "userId" FROM ${givenNamed(customers)} CROSS JOIN LATERAL (
      SELECT owner.user_id FROM owner
      WHERE owner.customer_id = given.customer_id AND owner.user_id > ${after}::text AND owner.level = 'USER'
        AND ${readableBySql(access, 'owner')}
      ORDER BY owner.user_id LIMIT ${limit}) AS u
    ORDER BY given.n, u.user_id`;

/** The customers of each of these users; `n` is whose they are, from 1. */
export const customersOf = (tx: Tx, access: Access, users: readonly Named[], { after, limit }: Stretch) =>
  tx.$queryRaw<{ n: number; customerId: string }[]>`
    SELECT given.n, c.customer_id AS "customerId" FROM ${givenNamed(users)} CROSS JOIN LATERAL (
      SELECT owner.customer_id FROM owner
      WHERE owner.level = 'USER' AND owner.user_id = given.user_id AND owner.customer_id > ${after}::text
        AND owner.customer_id = coalesce(given.customer_id, owner.customer_id) AND ${readableBySql(access, 'owner')}
      ORDER BY owner.customer_id LIMIT ${limit}) AS c
    ORDER BY given.n, c.customer_id`;

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
