import type { Tx } from '../../db/database.ts';
import { idAt, listsOf, pageById, type Page, type PageRequest } from '../cursor.ts';
import type { Access, Named } from './access.ts';
import { customerIds, customersOf, isKnown, userIds, usersOf, type Stretch } from './user-store.ts';

/** A user, whoever their customers are; with a customer: as far as they are that customer's. */
export type NamedUser = Named & { readonly userId: string };
export type NamedCustomer = { readonly customerId: string };

/** One more than the page: it tells whether there is a next one. */
const stretchOf = ({ limit, cursor }: PageRequest): Stretch => ({
  after: cursor ? idAt(cursor) : '',
  limit: limit + 1,
});

/** By their ids. */
export async function listUsers(tx: Tx, access: Access, page: PageRequest): Promise<Page<NamedUser>> {
  const users = (await userIds(tx, access, stretchOf(page))).map((userId) => ({ userId }));
  return pageById(users, page.limit, ({ userId }) => userId);
}

export async function listCustomers(tx: Tx, access: Access, page: PageRequest): Promise<Page<NamedCustomer>> {
  const customers = (await customerIds(tx, access, stretchOf(page))).map((customerId) => ({ customerId }));
  return pageById(customers, page.limit, ({ customerId }) => customerId);
}

/** The users of each of these customers; what is read of them is read of them there. */
export async function listUsersOf(
  tx: Tx,
  access: Access,
  customers: readonly NamedCustomer[],
  page: PageRequest,
): Promise<Page<NamedUser>[]> {
  const rows = await usersOf(tx, access, customers, stretchOf(page));
  return listsOf(rows, customers.length).map((list, n) => {
    const users = list.map(({ userId }) => ({ userId, ...customers[n]! }));
    return pageById(users, page.limit, ({ userId }) => userId);
  });
}

/** The customers of each of these users. */
export async function listCustomersOf(
  tx: Tx,
  access: Access,
  users: readonly NamedUser[],
  page: PageRequest,
): Promise<Page<NamedCustomer>[]> {
  const rows = await customersOf(tx, access, users, stretchOf(page));
  return listsOf(rows, users.length).map((list) =>
    pageById(
      list.map(({ customerId }) => ({ customerId })),
      page.limit,
      ({ customerId }) => customerId,
    ),
  );
}

/** The same named, when they are known; else null. */
export const ifKnown = async <N extends Named>(tx: Tx, access: Access, named: N): Promise<N | null> =>
  (await isKnown(tx, access, named)) ? named : null;
