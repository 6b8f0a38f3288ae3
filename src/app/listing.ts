import type { Dependencies } from '../dependencies.ts';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import { listConversations } from '../domain/conversations/read-conversation.ts';
import type { PageRequest } from '../domain/cursor.ts';
import type { EntityFilter } from '../domain/entities/entity.ts';
import { listEntitiesOf } from '../domain/entities/read.ts';
import { lastIngestionsOf, listDocuments } from '../domain/ingestion/list-documents.ts';
import {
  countMemoriesByStatus,
  countMemoriesOf,
  countMemoriesOfDocuments,
  listMemoriesOf,
  listMemoriesOfDocuments,
} from '../domain/memories/list-memories.ts';
import type { MemoryFilter } from '../domain/memories/memory.ts';
import type { Access, Named } from '../domain/tenancy/access.ts';
import { lastCalls } from '../domain/tenancy/activity-store.ts';
import {
  ifKnown,
  listCustomers,
  listCustomersOf,
  listUsers,
  listUsersOf,
  type NamedCustomer,
  type NamedUser,
} from '../domain/tenancy/users.ts';

/**
 * What an instance holds, listed by whose it is. Those that are told of many (`named`, all of whom name alike: a user, a
 * customer, or a user within a customer; nobody: the whole instance) answer a list or a number for each, in their order.
 */
export const createListing = (d: Dependencies) => ({
  users: (access: Access, page: PageRequest) => listUsers(d.db, access, page),
  customers: (access: Access, page: PageRequest) => listCustomers(d.db, access, page),
  usersOf: (access: Access, customers: readonly NamedCustomer[], page: PageRequest) =>
    listUsersOf(d.db, access, customers, page),
  customersOf: (access: Access, users: readonly NamedUser[], page: PageRequest) =>
    listCustomersOf(d.db, access, users, page),
  /** Null when nobody of that name was heard of. */
  known: <N extends Named>(access: Access, named: N) => ifKnown(d.db, access, named),
  /** When each user last called, in the order of their ids; null: not since it is kept. */
  lastCalls: async (access: Access, userIds: readonly string[]) => {
    const calls = await lastCalls(d.db, access, userIds);
    return userIds.map((userId) => calls.get(userId) ?? null);
  },

  memories: (access: Access, named: readonly Named[], page: PageRequest & { filter: MemoryFilter }) =>
    listMemoriesOf(d.db, access, named, page),
  countMemories: (access: Access, named: readonly Named[], filter: MemoryFilter) =>
    countMemoriesOf(d.db, access, named, filter),
  countMemoriesByStatus: (access: Access, named: readonly Named[]) => countMemoriesByStatus(d.db, access, named),
  entities: (access: Access, named: readonly Named[], page: PageRequest & { filter: EntityFilter }) =>
    listEntitiesOf(d.db, access, named, page),
  conversations: (
    access: Access,
    named: readonly Named[],
    page: PageRequest & { state?: ConversationState | undefined },
  ) => listConversations(d.db, access, named, page),
  documents: (access: Access, named: readonly Named[], page: PageRequest) => listDocuments(d.db, access, named, page),

  memoriesOfDocuments: (access: Access, documentIds: readonly string[], page: PageRequest) =>
    listMemoriesOfDocuments(d.db, access, documentIds, page),
  countMemoriesOfDocuments: (access: Access, documentIds: readonly string[]) =>
    countMemoriesOfDocuments(d.db, access, documentIds),
  lastIngestions: (access: Access, documentIds: readonly string[]) => lastIngestionsOf(d.db, access, documentIds),
});
