import { orNull } from '../../../domain/errors.ts';
import type { Named as Whose } from '../../../domain/tenancy/access.ts';
import type { NamedUser } from '../../../domain/tenancy/users.ts';
import type { ProfilePart } from '../../../domain/memories/profile-store.ts';
import type { Resolvers } from '../../../generated/graphql.ts';
import { countedConnection, pageRequest, readBy, type PageArgs } from '../connections.ts';
import type { GraphqlContext, Reader } from '../context.ts';
import { parseInput, omitNulls, Named } from '../inputs.ts';
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
  const { customerId } = omitNulls(parseInput(Named, { customerId: asked }));
  const request = pageRequest(args);
  const { usersOf, userCountsOf } = reader.loaders;
  const users = customerId
    ? { page: usersOf.load(request, { customerId }), count: () => userCountsOf.load(null, { customerId }) }
    : { page: app.listing.users(reader.access, request), count: () => app.listing.countUsers(reader.access) };
  return countedConnection(readBy(reader, await users.page), args, users.count);
}

export async function listCustomers({ app }: GraphqlContext, reader: Reader, args: PageArgs) {
  const page = readBy(reader, await app.listing.customers(reader.access, pageRequest(args)));
  return countedConnection(page, args, () => app.listing.countCustomers(reader.access));
}

/** The named with who reads them; null when they are not known. */
export async function found<N extends Whose>({ app }: GraphqlContext, reader: Reader, named: N) {
  parseInput(Named, named);
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
    async profile({ reader, ...user }, _, { app }) {
      const profile = await orNull(app.userProfile(reader.access, ofUser(user)));
      if (!profile) return null;
      const read = (part: keyof typeof profile & ProfilePart) => profile[part].map((memory) => ({ ...memory, reader }));
      return {
        identity: read('identity'),
        standing: read('standing'),
        preferences: read('preferences'),
        recent: read('recent'),
        text: profile.text,
      };
    },
    async customers({ reader, ...user }, args) {
      const page = readBy(reader, await reader.loaders.customersOf.load(pageRequest(args), ofUser(user)));
      return countedConnection(page, args, () => reader.loaders.customerCountsOf.load(null, ofUser(user)));
    },
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
