import { nullIfNotFound } from '../../../domain/errors.ts';
import type { SubjectIds as Whose } from '../../../domain/tenancy/access.ts';
import type { NamedUser } from '../../../domain/tenancy/users.ts';
import { profileParts, type ProfilePart } from '../../../domain/memories/profile-store.ts';
import type { InstanceUsersArgs, Resolvers } from '../../../generated/graphql.ts';
import { toCountedConnection, pageRequest, recordWithReader, withReader, type PageArgs } from '../connections.ts';
import type { GraphqlContext, Reader } from '../context.ts';
import { parseInput, SubjectInput, UsersInput } from '../inputs.ts';
import { conversationConnection } from './conversations.ts';
import { documentConnection } from './documents.ts';
import { entityConnection } from './entities.ts';
import { memoriesOf } from './memories.ts';

/** A page of the users of an instance, or of one of its customers. */
export async function listUsers(
  { app }: GraphqlContext,
  reader: Reader,
  { customerId: asked, prefix: start, ...args }: PageArgs & Partial<Pick<InstanceUsersArgs, 'customerId' | 'prefix'>>,
) {
  const { customerId, prefix } = parseInput(UsersInput, { customerId: asked, prefix: start });
  const filter = { prefix: prefix ?? undefined };
  const request = { ...pageRequest(args), filter };
  const { usersOf, userCountsOf } = reader.loaders;
  const users = customerId
    ? { page: usersOf.load(request, { customerId }), count: () => userCountsOf.load(filter, { customerId }) }
    : { page: app.lists.users(reader.access, request), count: () => app.lists.countUsers(reader.access, filter) };
  return toCountedConnection(withReader(reader, await users.page), args, users.count);
}

export async function listCustomers({ app }: GraphqlContext, reader: Reader, args: PageArgs) {
  const page = withReader(reader, await app.lists.customers(reader.access, pageRequest(args)));
  return toCountedConnection(page, args, () => app.lists.countCustomers(reader.access));
}

/** The named with who reads them; null when they are not known. */
export async function nodeIfKnown<N extends Whose>({ app }: GraphqlContext, reader: Reader, named: N) {
  parseInput(SubjectInput, named);
  return recordWithReader(reader, app.lists.known(reader.access, named));
}

/** A user by what they are named by, and by nothing else: their lists are read by it. */
const ofUser = ({ userId, customerId }: NamedUser): NamedUser =>
  customerId === undefined ? { userId } : { userId, customerId };

export const userResolvers: Resolvers = {
  User: {
    lastActiveAt: ({ userId, reader }) => reader.loaders.lastCalls.load(userId),
    memoryCounts: ({ reader, ...user }) => reader.loaders.memoriesByStatus.load(null, ofUser(user)),
    async profile({ reader, ...user }, _, { app }) {
      const profile = await nullIfNotFound(app.userProfile(reader.access, ofUser(user)));
      if (!profile) return null;
      const read = (part: ProfilePart) => profile[part].map((memory) => ({ ...memory, reader }));
      return {
        id: [user.customerId, user.userId].filter((id) => id !== undefined).join('/'),
        reader,
        identity: read('identity'),
        standing: read('standing'),
        preferences: read('preferences'),
        recent: read('recent'),
        text: profile.text,
      };
    },
    async customers({ reader, ...user }, args) {
      const page = withReader(reader, await reader.loaders.customersOf.load(pageRequest(args), ofUser(user)));
      return toCountedConnection(page, args, () => reader.loaders.customerCountsOf.load(null, ofUser(user)));
    },
    memories: ({ reader, ...user }, args) => memoriesOf(reader, ofUser(user), args),
    entities: ({ reader, ...user }, args) => entityConnection(reader, ofUser(user), args),
    conversations: ({ reader, ...user }, args) => conversationConnection(reader, ofUser(user), args),
    documents: ({ reader, ...user }, args) => documentConnection(reader, ofUser(user), args),
  },
  UserProfile: {
    text({ text, ...parts }, _, { contentReads }) {
      // Each of its memories is read by it, also one that has come since this user was looked at before.
      for (const memory of profileParts.flatMap((part) => parts[part])) contentReads.note('Memory', memory);
      return text;
    },
  },
  Customer: {
    memoryCounts: ({ reader, customerId }) => reader.loaders.memoriesByStatus.load(null, { customerId }),
    users: (customer, args, context) =>
      listUsers(context, customer.reader, { ...args, customerId: customer.customerId }),
    memories: ({ reader, customerId }, args) => memoriesOf(reader, { customerId }, args),
    entities: ({ reader, customerId }, args) => entityConnection(reader, { customerId }, args),
    conversations: ({ reader, customerId }, args) => conversationConnection(reader, { customerId }, args),
    documents: ({ reader, customerId }, args) => documentConnection(reader, { customerId }, args),
  },
};
