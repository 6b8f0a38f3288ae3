import type { Named as Whose } from '../../../domain/tenancy/access.ts';
import type { NamedUser } from '../../../domain/tenancy/users.ts';
import type { Resolvers } from '../../../generated/graphql.ts';
import { pageReadBy, pageRequestById, type PageArgs } from '../connections.ts';
import type { GraphqlContext, Reader } from '../context.ts';
import { check, given, Named } from '../inputs.ts';
import { conversationsOf } from './conversations.ts';
import { documentsOf } from './documents.ts';
import { entitiesOf } from './entities.ts';
import { memoriesOf } from './memories.ts';

/** A page of the users of an instance, or of one of its customers. */
export async function listUsers(
  { app }: GraphqlContext,
  reader: Reader,
  { customerId: asked, ...args }: PageArgs & { readonly customerId?: string | null },
) {
  const { customerId } = given(check(Named, { customerId: asked }));
  const page = pageRequestById(args);
  const users = customerId ? reader.loaders.usersOf.load(page, { customerId }) : app.listing.users(reader.access, page);
  return pageReadBy(reader, await users);
}

export async function listCustomers({ app }: GraphqlContext, reader: Reader, args: PageArgs) {
  return pageReadBy(reader, await app.listing.customers(reader.access, pageRequestById(args)));
}

/** The named with who reads them; null when they are not known. */
export async function found<N extends Whose>({ app }: GraphqlContext, reader: Reader, named: N) {
  check(Named, named);
  const known = await app.listing.known(reader.access, named);
  return known && { ...known, reader };
}

/** A user by what they are named by, and by nothing else: their lists are read by it. */
const ofUser = ({ userId, customerId }: NamedUser): NamedUser =>
  customerId === undefined ? { userId } : { userId, customerId };

export const users: Resolvers = {
  User: {
    lastActiveAt: ({ userId, reader }) => reader.loaders.lastCalls.load(userId),
    memoryCounts: ({ reader, ...user }) => reader.loaders.memoriesByStatus.load(null, ofUser(user)),
    customers: async ({ reader, ...user }, args) =>
      pageReadBy(reader, await reader.loaders.customersOf.load(pageRequestById(args), ofUser(user))),
    memories: ({ reader, ...user }, args) => memoriesOf(reader, ofUser(user), args),
    entities: ({ reader, ...user }, args) => entitiesOf(reader, ofUser(user), args),
    conversations: ({ reader, ...user }, args) => conversationsOf(reader, ofUser(user), args),
    documents: ({ reader, ...user }, args) => documentsOf(reader, ofUser(user), args),
  },
  Customer: {
    memoryCounts: ({ reader, customerId }) => reader.loaders.memoriesByStatus.load(null, { customerId }),
    users: (customer, args, context) =>
      listUsers(context, customer.reader, { ...args, customerId: customer.customerId }),
    memories: ({ reader, customerId }, args) => memoriesOf(reader, { customerId }, args),
    entities: ({ reader, customerId }, args) => entitiesOf(reader, { customerId }, args),
    conversations: ({ reader, customerId }, args) => conversationsOf(reader, { customerId }, args),
    documents: ({ reader, customerId }, args) => documentsOf(reader, { customerId }, args),
  },
};
