import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Access, SubjectIds } from './access.ts';
import { countRowsPerParent } from './keyset-store.ts';
import { readableBySql, type OwnedTable } from './readable-by.ts';

/**
 * SQL for the owners whose lists a statement reads, as the table `given` with their place `n`, from 1. All entries name
 * alike: a user, a customer, or a user within a customer; an empty one stands for the whole instance.
 */
export const givenSubjectsSql = (named: readonly SubjectIds[]) => Prisma.sql`(
  SELECT user_id, customer_id, n::int FROM unnest(${named.map(({ userId }) => userId ?? null)}::text[],
    ${named.map(({ customerId }) => customerId ?? null)}::text[]) WITH ORDINALITY AS t (user_id, customer_id, n)) AS given`;

/** A condition on `owner` rows that have the ids of `given`, or null for the whole instance, where nobody is named. */
function ofGiven({ instanceNumber }: Access, named: readonly SubjectIds[]): Prisma.Sql | null {
  const conditions: Prisma.Sql[] = [];
  if (includesUser(named)) conditions.push(Prisma.sql`owner.scope = 'USER' AND owner.user_id = given.user_id`);
  if (named.some(({ customerId }) => customerId !== undefined)) {
    conditions.push(Prisma.sql`owner.customer_id = given.customer_id`);
  }
  return conditions.length ? Prisma.sql`${Prisma.join(conditions, ' AND ')} AND owner.i = ${instanceNumber}` : null;
}

export const includesUser = (named: readonly SubjectIds[]) => named.some(({ userId }) => userId !== undefined);

/** The condition that a row of this table is of whom `given` names. */
export function ownedByGivenSql(
  access: Access,
  named: readonly SubjectIds[],
  table: OwnedTable | 'mention',
): Prisma.Sql {
  const owners = ofGiven(access, named);
  if (!owners) return Prisma.sql`true`;
  return Prisma.sql`${Prisma.raw(table)}.owner_no IN (SELECT owner.owner_no FROM owner WHERE ${owners})`;
}

/**
 * The first rows of each list, under the name of their table, beside `given`. Of whoever is named the first of each
 * owner are looked up in an index: asked for the first of several owners, the planner may walk all that the instance
 * has, newest first, until it meets enough of them.
 */
export function firstRowsPerListSql(
  access: Access,
  named: readonly SubjectIds[],
  { table, where, order, limit }: { table: OwnedTable; where: readonly Prisma.Sql[]; order: Prisma.Sql; limit: number },
): Prisma.Sql {
  const name = Prisma.raw(table);
  const first = (subject: Prisma.Sql) => Prisma.sql`
    SELECT ${name}.* FROM ${name}
    WHERE ${Prisma.join([...where, subject, readableBySql(access, table)], ' AND ')} ORDER BY ${order} LIMIT ${limit}`;
  const owners = ofGiven(access, named);
  const each = owners
    ? Prisma.sql`
      SELECT ${name}.* FROM owner
      CROSS JOIN LATERAL (${first(Prisma.sql`${name}.owner_no = owner.owner_no`)}) AS ${name}
      WHERE ${owners} ORDER BY ${order} LIMIT ${limit}`
    : first(Prisma.sql`true`);
  return Prisma.sql`${givenSubjectsSql(named)} CROSS JOIN LATERAL (${each}) AS ${name}`;
}

/** Counts the rows of each list, each count at most one more than `maxTotalCount`. */
export const countRowsPerList = (
  sql: Sql,
  access: Access,
  named: readonly SubjectIds[],
  { table, where }: { table: OwnedTable; where: readonly Prisma.Sql[] },
): Promise<number[]> =>
  countRowsPerParent(sql, givenSubjectsSql(named), table, [
    ...where,
    ownedByGivenSql(access, named, table),
    readableBySql(access, table),
  ]);
