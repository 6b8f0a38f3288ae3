import DataLoader from 'dataloader';
import type { App } from '../../app.ts';
import type { PageRequest } from '../../domain/pagination.ts';
import type { Access, Admin } from '../../domain/tenancy/access.ts';

const perCall = { maxBatchSize: 1_000 };

/** Children of many parents in one call of the app; a request has its own, so that nothing outlives it. */
export type Loaders = ReturnType<typeof createLoaders>;

/** `reader` is the whole instance's access, or one that is being narrowed: nothing beyond it is ever loaded. */
export function createLoaders(app: App, reader: Access | Promise<Access>) {
  const byKey = <K, V>(load: (access: Access, keys: readonly K[]) => Promise<readonly V[]>) =>
    new DataLoader(async (keys: readonly K[]) => load(await reader, keys), perCall);
  const byArguments = <K extends string | object, V, A = null>(
    load: (access: Access, keys: readonly K[], args: A) => Promise<readonly V[]>,
  ) => argumentLoader(async (args: A, keys: readonly K[]) => load(await reader, keys, args));
  return {
    entities: byKey(app.entitiesByIds),
    memories: byKey(app.memoriesByIds),
    supersededIdsOf: byArguments(app.supersededIdsOf),
    evidenceOfEntity: byArguments(app.evidenceOfEntities),
    mergesOfEntity: byKey(app.mergesOfEntities),
    conversations: byKey(app.conversationsByIds),
    messagesOfConversation: byArguments((access, ids: readonly string[], last: number) =>
      app.messagesOfConversations(access, { ids, last }),
    ),
    conversationTurns: byKey(app.findConversationTurns),
    memoriesOfTurn: byArguments(app.memoriesOfTurns),
    usersOf: byArguments(app.lists.usersOf),
    userCountsOf: byArguments(app.lists.countUsersOf),
    customersOf: byArguments(app.lists.customersOf),
    customerCountsOf: byArguments(app.lists.countCustomersOf),
    lastCalls: byKey(app.lists.lastCalls),
    memoriesOf: byArguments(app.lists.memories),
    memoryCountsOf: byArguments(app.lists.countMemories),
    memoriesByStatus: byArguments(app.lists.countMemoriesByStatus),
    entitiesOf: byArguments(app.lists.entities),
    entityCountsOf: byArguments(app.lists.countEntities),
    conversationsOf: byArguments(app.lists.conversations),
    conversationCountsOf: byArguments(app.lists.countConversations),
    documentsOf: byArguments(app.lists.documents),
    documentCountsOf: byArguments(app.lists.countDocuments),
    memoriesOfDocuments: byArguments(app.lists.memoriesOfDocuments),
    memoryCountsOfDocuments: byKey(app.lists.countMemoriesOfDocuments),
    ingestionsOfDocuments: byKey(app.lists.lastIngestions),
  };
}

/** Batch loaders of records that only administrators read; each load throws what `administrator` throws for whoever is none. */
export const createClientLoaders = (app: App, administrator: () => Admin) => ({
  byId: new DataLoader(
    async (ids: readonly string[]) => app.administration.clientsByIds(administrator(), ids),
    perCall,
  ),
  instances: argumentLoader(async (page: PageRequest, ids: readonly string[]) =>
    app.administration.instancesOfClients(administrator(), ids, page),
  ),
  instanceCounts: new DataLoader(
    async (ids: readonly string[]) => app.administration.countInstancesOfClients(administrator(), ids),
    perCall,
  ),
});

/** Loads fields that take arguments, such as a page: keys that are loaded with equal arguments share one call. */
interface ArgumentLoader<A, K, V> {
  load(args: A, key: K): Promise<V>;
}

/**
 * Makes a loader of one request. `batch` has equal arguments for all its keys, and keys of one form: where keys name a
 * user and a customer, those that name the same of the two are loaded together.
 */
function argumentLoader<A, K extends string | object, V>(
  batch: (args: A, keys: readonly K[]) => Promise<readonly V[]>,
): ArgumentLoader<A, K, V> {
  const loaders = new Map<string, DataLoader<K, V, string>>();
  return {
    load(args, key) {
      const group = JSON.stringify([args, namesIn(key)]);
      const existing = loaders.get(group);
      if (existing) return existing.load(key);
      const loader = new DataLoader<K, V, string>(async (keys) => batch(args, keys), {
        ...perCall,
        cacheKeyFn: (each) => JSON.stringify(each),
      });
      loaders.set(group, loader);
      return loader.load(key);
    },
  };
}

const namesIn = (key: string | object) =>
  typeof key === 'string'
    ? []
    : Object.entries(key)
        .flatMap(([name, value]) => (value === undefined ? [] : name))
        .toSorted();
