import DataLoader from 'dataloader';
import type { App } from '../../app.ts';
import type { Conversation, MemoryOfTurn, Message } from '../../domain/conversations/conversation.ts';
import type { MessageKey } from '../../domain/conversations/message-store.ts';
import type { ConversationFilter } from '../../domain/conversations/conversation-store.ts';
import type { Page, PageRequest } from '../../domain/pagination.ts';
import type { Entity, EntityFilter, Merge, MentionEvidence } from '../../domain/entities/entity.ts';
import type { DocumentRecord, Ingestion } from '../../domain/ingestion/ingestion.ts';
import type { Memory, MemoryCounts, MemoryFilter } from '../../domain/memories/memory.ts';
import type { Access, Admin, SubjectIds } from '../../domain/tenancy/access.ts';
import type { ClientRecord } from '../../domain/tenancy/client.ts';
import type { InstanceRecord } from '../../domain/tenancy/instance.ts';
import type { NamedCustomer, NamedUser } from '../../domain/tenancy/users.ts';
import { argumentLoader, type ArgumentLoader } from './argument-loader.ts';

/** Children of many parents in one call of the app; a request has its own, so that nothing outlives it. */
export interface Loaders {
  readonly entities: DataLoader<string, Entity | null>;
  readonly memories: DataLoader<string, Memory | null>;
  readonly replacedByMemory: ArgumentLoader<number, string, readonly string[]>;
  readonly memoriesOfEntity: ArgumentLoader<PageRequest, string, Page<Memory>>;
  readonly memoryCounts: ArgumentLoader<null, MemoryFilter, number>;
  readonly evidenceOfEntity: ArgumentLoader<number, string, readonly MentionEvidence[]>;
  readonly mergesOfEntity: DataLoader<string, readonly Merge[]>;
  readonly conversations: DataLoader<string, Conversation | null>;
  readonly memoriesOfTurn: ArgumentLoader<null, MessageKey, readonly MemoryOfTurn[] | null>;
  readonly messagesOfConversation: ArgumentLoader<number, string, readonly Message[]>;
  readonly usersOf: ArgumentLoader<PageRequest, NamedCustomer, Page<NamedUser>>;
  readonly userCountsOf: ArgumentLoader<null, NamedCustomer, number>;
  readonly customersOf: ArgumentLoader<PageRequest, NamedUser, Page<NamedCustomer>>;
  readonly customerCountsOf: ArgumentLoader<null, NamedUser, number>;
  readonly lastCalls: DataLoader<string, Date | null>;
  readonly memoriesOf: ArgumentLoader<PageRequest & { filter: MemoryFilter }, SubjectIds, Page<Memory>>;
  readonly memoryCountsOf: ArgumentLoader<MemoryFilter, SubjectIds, number>;
  readonly memoriesByStatus: ArgumentLoader<null, SubjectIds, MemoryCounts>;
  readonly entitiesOf: ArgumentLoader<PageRequest & { filter: EntityFilter }, SubjectIds, Page<Entity>>;
  readonly conversationsOf: ArgumentLoader<PageRequest & ConversationFilter, SubjectIds, Page<Conversation>>;
  readonly conversationCountsOf: ArgumentLoader<ConversationFilter, SubjectIds, number>;
  readonly documentsOf: ArgumentLoader<PageRequest, SubjectIds, Page<DocumentRecord>>;
  readonly documentCountsOf: ArgumentLoader<null, SubjectIds, number>;
  readonly memoriesOfDocuments: ArgumentLoader<PageRequest, string, Page<Memory>>;
  readonly memoryCountsOfDocuments: DataLoader<string, number>;
  readonly ingestionsOfDocuments: DataLoader<string, Ingestion | null>;
}

/** Batch loaders of records that only administrators read. */
export interface ClientLoaders {
  readonly byId: DataLoader<string, ClientRecord | null>;
  readonly instances: ArgumentLoader<PageRequest, string, Page<InstanceRecord>>;
  readonly instanceCounts: DataLoader<string, number>;
}

const perCall = { maxBatchSize: 1_000 };

/** `reader` is the whole instance's access, or one that is being narrowed: nothing beyond it is ever loaded. */
export const createLoaders = (app: App, reader: Access | Promise<Access>): Loaders => ({
  entities: new DataLoader(async (ids) => app.entitiesByIds(await reader, ids), perCall),
  memories: new DataLoader(async (ids) => app.memoriesByIds(await reader, ids), perCall),
  replacedByMemory: argumentLoader(async (first, ids) => app.replacedByMemories(await reader, ids, first)),
  memoriesOfEntity: argumentLoader(async (page, ids) => {
    const access = await reader;
    return Promise.all(ids.map((entityId) => app.memories(access, { entityId }, page)));
  }),
  memoryCounts: argumentLoader(async (_, filters) => {
    const access = await reader;
    return Promise.all(filters.map((filter) => app.countMemories(access, filter)));
  }),
  evidenceOfEntity: argumentLoader(async (first, ids) => app.evidenceOfEntities(await reader, ids, first)),
  mergesOfEntity: new DataLoader(async (ids) => app.mergesOfEntities(await reader, ids), perCall),
  conversations: new DataLoader(async (ids) => app.conversationsByIds(await reader, ids), perCall),
  messagesOfConversation: argumentLoader(async (last, ids) => app.messagesOfConversations(await reader, { ids, last })),
  memoriesOfTurn: argumentLoader(async (_, turns) => app.memoriesOfTurns(await reader, turns)),
  usersOf: argumentLoader(async (page, customers) => app.listing.usersOf(await reader, customers, page)),
  userCountsOf: argumentLoader(async (_, customers) => app.listing.countUsersOf(await reader, customers)),
  customersOf: argumentLoader(async (page, users) => app.listing.customersOf(await reader, users, page)),
  customerCountsOf: argumentLoader(async (_, users) => app.listing.countCustomersOf(await reader, users)),
  lastCalls: new DataLoader(async (userIds) => app.listing.lastCalls(await reader, userIds), perCall),
  memoriesOf: argumentLoader(async (page, named) => app.listing.memories(await reader, named, page)),
  memoryCountsOf: argumentLoader(async (filter, named) => app.listing.countMemories(await reader, named, filter)),
  memoriesByStatus: argumentLoader(async (_, named) => app.listing.countMemoriesByStatus(await reader, named)),
  entitiesOf: argumentLoader(async (page, named) => app.listing.entities(await reader, named, page)),
  conversationsOf: argumentLoader(async (page, named) => app.listing.conversations(await reader, named, page)),
  conversationCountsOf: argumentLoader(async (filter, named) =>
    app.listing.countConversations(await reader, named, filter),
  ),
  documentsOf: argumentLoader(async (page, named) => app.listing.documents(await reader, named, page)),
  documentCountsOf: argumentLoader(async (_, named) => app.listing.countDocuments(await reader, named)),
  memoriesOfDocuments: argumentLoader(async (page, ids) => app.listing.memoriesOfDocuments(await reader, ids, page)),
  memoryCountsOfDocuments: new DataLoader(
    async (ids) => app.listing.countMemoriesOfDocuments(await reader, ids),
    perCall,
  ),
  ingestionsOfDocuments: new DataLoader(async (ids) => app.listing.lastIngestions(await reader, ids), perCall),
});

/** `administrator` throws for whoever is none: so does each load. */
export const createClientLoaders = (app: App, administrator: () => Admin): ClientLoaders => ({
  byId: new DataLoader(async (ids) => app.administration.clientsByIds(administrator(), ids), perCall),
  instances: argumentLoader(async (page, ids) => app.administration.instancesOfClients(administrator(), ids, page)),
  instanceCounts: new DataLoader(
    async (ids) => app.administration.countInstancesOfClients(administrator(), ids),
    perCall,
  ),
});
