import type { Sql } from '../../db/database.ts';
import {
  idFormat,
  mapPageRecords,
  pageFromRows,
  pagesFromRows,
  parsePageRequest,
  type Page,
  type PageRequest,
} from '../pagination.ts';
import type { Access, SubjectIds } from './access.ts';
import { customerIds, customersOf, isKnownSubject, userIds, usersOf, type UserFilter } from './user-store.ts';

/** A user, whoever their customers are; with a customer: as far as they are that customer's. */
export type NamedUser = SubjectIds & { readonly userId: string };
export type NamedCustomer = { readonly customerId: string };

/** Lists users in the order of their ids. */
export async function listUsers(
  sql: Sql,
  access: Access,
  { filter, ...request }: PageRequest & { readonly filter: UserFilter },
): Promise<Page<NamedUser>> {
  const keysetQuery = parsePageRequest('users', request, idFormat);
  const users = (await userIds(sql, access, { ...keysetQuery, filter })).map((userId) => ({ userId }));
  return pageFromRows(users, keysetQuery, ({ userId }) => userId);
}

export async function listCustomers(sql: Sql, access: Access, request: PageRequest): Promise<Page<NamedCustomer>> {
  const keysetQuery = parsePageRequest('customers', request, idFormat);
  const customers = (await customerIds(sql, access, keysetQuery)).map((customerId) => ({ customerId }));
  return pageFromRows(customers, keysetQuery, ({ customerId }) => customerId);
}

/** The users of each of these customers; what is read of them is read of them there. */
export async function listUsersOf(
  sql: Sql,
  access: Access,
  customers: readonly NamedCustomer[],
  { filter, ...request }: PageRequest & { readonly filter: UserFilter },
): Promise<Page<NamedUser>[]> {
  const keysetQuery = parsePageRequest('users', request, idFormat);
  const rows = await usersOf(sql, access, customers, { ...keysetQuery, filter });
  const pages = pagesFromRows(rows, customers.length, keysetQuery, ({ id }) => id);
  return pages.map((page) => mapPageRecords(page, ({ id, n }) => ({ userId: id, ...customers[n - 1]! })));
}

/** The customers of each of these users. */
export async function listCustomersOf(
  sql: Sql,
  access: Access,
  users: readonly NamedUser[],
  request: PageRequest,
): Promise<Page<NamedCustomer>[]> {
  const keysetQuery = parsePageRequest('customers', request, idFormat);
  const rows = await customersOf(sql, access, users, keysetQuery);
  const pages = pagesFromRows(rows, users.length, keysetQuery, ({ id }) => id);
  return pages.map((page) => mapPageRecords(page, ({ id }) => ({ customerId: id })));
}

/** Returns the named user or customer when they are known, else null. */
export const nullIfUnknown = async <N extends SubjectIds>(sql: Sql, access: Access, named: N): Promise<N | null> =>
  (await isKnownSubject(sql, access, named)) ? named : null;
