import type { Dependencies } from '../dependencies.ts';
import { countConversationsOf, type ConversationFilter } from '../domain/conversations/conversation-store.ts';
import { listConversations } from '../domain/conversations/read-conversation.ts';
import type { PageRequest } from '../domain/pagination.ts';
import type { EntityFilter } from '../domain/entities/entity.ts';
import { countEntitiesOf, listEntitiesOf } from '../domain/entities/read.ts';
import { countDocumentsOf } from '../domain/ingestion/document-store.ts';
import { lastIngestionsOf, listDocuments } from '../domain/ingestion/list-documents.ts';
import { countIngestions, type IngestionFilter } from '../domain/ingestion/ingestion-store.ts';
import {
  countMemoriesByStatus,
  countMemoriesOf,
  countMemoriesOfDocuments,
  listMemoriesOf,
  listMemoriesOfDocuments,
} from '../domain/memories/list-memories.ts';
import type { MemoryFilter } from '../domain/memories/memory.ts';
import type { Access, SubjectIds } from '../domain/tenancy/access.ts';
import { readLastCalls } from '../domain/tenancy/activity-store.ts';
import { countKeys } from '../domain/tenancy/credential-store.ts';
import {
  countCustomerIds,
  countCustomersOf,
  countUserIds,
  countUsersOf,
  type UserFilter,
} from '../domain/tenancy/user-store.ts';
import {
  nullIfUnknown,
  listCustomers,
  listCustomersOf,
  listUsers,
  listUsersOf,
  type NamedCustomer,
  type NamedUser,
} from '../domain/tenancy/users.ts';

/**
 * Lists what an instance holds, by owner. Use cases that take many owners (`named`: all users, all customers, or all
 * users within customers; an empty name is the whole instance) answer with one list or number for each owner, in their
 * order.
 */
export const createListUseCases = (deps: Dependencies) => ({
  users: (access: Access, page: PageRequest & { filter: UserFilter }) => listUsers(deps.db, access, page),
  customers: (access: Access, page: PageRequest) => listCustomers(deps.db, access, page),
  usersOf: (access: Access, customers: readonly NamedCustomer[], page: PageRequest & { filter: UserFilter }) =>
    listUsersOf(deps.db, access, customers, page),
  customersOf: (access: Access, users: readonly NamedUser[], page: PageRequest) =>
    listCustomersOf(deps.db, access, users, page),
  countUsers: (access: Access, filter: UserFilter) => countUserIds(deps.db, access, filter),
  countCustomers: (access: Access) => countCustomerIds(deps.db, access),
  countUsersOf: (access: Access, customers: readonly NamedCustomer[], filter: UserFilter) =>
    countUsersOf(deps.db, access, customers, filter),
  countCustomersOf: (access: Access, users: readonly NamedUser[]) => countCustomersOf(deps.db, access, users),
  /** Null when nobody of that name was heard of. */
  known: <N extends SubjectIds>(access: Access, named: N) => nullIfUnknown(deps.db, access, named),
  /** The time of each user's last call, in the order of their ids; null when none is recorded. */
  lastCalls: async (access: Access, userIds: readonly string[]) => {
    const calls = await readLastCalls(deps.db, access, userIds);
    return userIds.map((userId) => calls.get(userId) ?? null);
  },

  memories: (access: Access, named: readonly SubjectIds[], page: PageRequest & { filter: MemoryFilter }) =>
    listMemoriesOf(deps.db, access, named, page),
  countMemories: (access: Access, named: readonly SubjectIds[], filter: MemoryFilter) =>
    countMemoriesOf(deps.db, access, named, filter),
  countMemoriesByStatus: (access: Access, named: readonly SubjectIds[]) =>
    countMemoriesByStatus(deps.db, access, named),
  entities: (access: Access, named: readonly SubjectIds[], page: PageRequest & { filter: EntityFilter }) =>
    listEntitiesOf(deps.db, access, named, page),
  countEntities: (access: Access, named: readonly SubjectIds[], filter: EntityFilter) =>
    countEntitiesOf(deps.db, access, named, filter),
  conversations: (access: Access, named: readonly SubjectIds[], page: PageRequest & ConversationFilter) =>
    listConversations(deps.db, access, named, page),
  countConversations: (access: Access, named: readonly SubjectIds[], filter: ConversationFilter) =>
    countConversationsOf(deps.db, access, named, filter),
  documents: (access: Access, named: readonly SubjectIds[], page: PageRequest) =>
    listDocuments(deps.db, access, named, page),
  countDocuments: (access: Access, named: readonly SubjectIds[]) => countDocumentsOf(deps.db, access, named),
  countIngestions: (access: Access, filter: IngestionFilter) => countIngestions(deps.db, access, filter),
  countKeys: (access: Access) => countKeys(deps.db, access),

  memoriesOfDocuments: (access: Access, documentIds: readonly string[], page: PageRequest) =>
    listMemoriesOfDocuments(deps.db, access, documentIds, page),
  countMemoriesOfDocuments: (access: Access, documentIds: readonly string[]) =>
    countMemoriesOfDocuments(deps.db, access, documentIds),
  lastIngestions: (access: Access, documentIds: readonly string[]) => lastIngestionsOf(deps.db, access, documentIds),
});
