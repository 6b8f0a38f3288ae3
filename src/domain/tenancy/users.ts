import type { Sql } from '../../db/database.ts';
import { listsOf, pageById, stretchById, type Page, type PageRequest } from '../cursor.ts';
import type { Access, Named } from './access.ts';
import { customerIds, customersOf, isKnown, userIds, usersOf } from './user-store.ts';

/** A user, whoever their customers are; with a customer: as far as they are that customer's. */
export type NamedUser = Named & { readonly userId: string };
export type NamedCustomer = { readonly customerId: string };

/** Lists users in the order of their ids. */
export async function listUsers(sql: Sql, access: Access, request: PageRequest): Promise<Page<NamedUser>> {
  const stretch = stretchById('users', request);
  const users = (await userIds(sql, access, stretch)).map((userId) => ({ userId }));
  return pageById(users, stretch, ({ userId }) => userId);
}

export async function listCustomers(sql: Sql, access: Access, request: PageRequest): Promise<Page<NamedCustomer>> {
  const stretch = stretchById('customers', request);
  const customers = (await customerIds(sql, access, stretch)).map((customerId) => ({ customerId }));
  return pageById(customers, stretch, ({ customerId }) => customerId);
}

/** The users of each of these customers; what is read of them is read of them there. */
export async function listUsersOf(
  sql: Sql,
  access: Access,
  customers: readonly NamedCustomer[],
  request: PageRequest,
): Promise<Page<NamedUser>[]> {
  const stretch = stretchById('users', request);
  const rows = await usersOf(sql, access, customers, stretch);
  return listsOf(rows, customers.length).map((list, n) => {
    const users = list.map(({ userId }) => ({ userId, ...customers[n]! }));
    return pageById(users, stretch, ({ userId }) => userId);
  });
}

/** The customers of each of these users. */
export async function listCustomersOf(
  sql: Sql,
  access: Access,
  users: readonly NamedUser[],
  request: PageRequest,
): Promise<Page<NamedCustomer>[]> {
  const stretch = stretchById('customers', request);
  const rows = await customersOf(sql, access, users, stretch);
  return listsOf(rows, users.length).map((list) =>
    pageById(
      list.map(({ customerId }) => ({ customerId })),
      stretch,
      ({ customerId }) => customerId,
    ),
  );
}

/** Returns the named user or customer when they are known, else null. */
export const ifKnown = async <N extends Named>(sql: Sql, access: Access, named: N): Promise<N | null> =>
  (await isKnown(sql, access, named)) ? named : null;
