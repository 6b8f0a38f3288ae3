import { nullIfNotFound } from '../../../domain/errors.ts';
import { limits } from '../../../domain/limits.ts';
import type { Memory, MemoryFilter } from '../../../domain/memories/memory.ts';
import type { Access, SubjectIds } from '../../../domain/tenancy/access.ts';
import { requireContentReader } from '../../../domain/tenancy/roles.ts';
import type { MemoryFilter as MemoryFilterInput, Resolvers } from '../../../generated/graphql.ts';
import {
  toCountedConnection,
  pageRequest,
  recordWithReader,
  withReader,
  requireWithinLimit,
  type PageArgs,
} from '../connections.ts';
import { createReader, narrowReader, type GraphqlContext, type Reader } from '../context.ts';
import {
  ForgetCustomerInput,
  ForgetDocumentInput,
  ForgetUserInput,
  parseInput,
  parseWholeInput,
  MemoryFilterFields,
  SubjectInput,
  toCorrection,
  WatchedUserInput,
} from '../inputs.ts';
import type { MemoryConnectionNode } from '../nodes.ts';
import { problemsAsResult } from '../outcomes.ts';
import { whileAuthenticated } from '../while-authenticated.ts';

interface ListArgs extends PageArgs {
  readonly filter?: MemoryFilterInput | null;
}

function filterOf(reader: Reader, { filter }: ListArgs): MemoryFilter {
  // A search by words or metadata reads content: it tells which memories have it.
  if (filter?.q || filter?.metadata) requireContentReader(reader.access.principal);
  return parseWholeInput(MemoryFilterFields, filter ?? {});
}

/** A page of the memories of a user or customer that match a filter; of the whole instance, where nobody is named. */
export async function memoryConnection(
  reader: Reader,
  named: SubjectIds,
  { filter, ...args }: PageArgs & { filter: MemoryFilter },
): Promise<MemoryConnectionNode> {
  const page = withReader(reader, await reader.loaders.memoriesOf.load({ filter, ...pageRequest(args) }, named));
  return toCountedConnection(page, args, () => reader.loaders.memoryCountsOf.load(filter, named));
}

/** A page of an instance's memories. */
export function listMemories(reader: Reader, args: ListArgs) {
  const { userId, customerId, ...filter } = filterOf(reader, args);
  return memoryConnection(reader, { userId, customerId }, { ...args, filter });
}

/** A page of the memories of a user or customer. */
export const memoriesOf = (reader: Reader, named: SubjectIds, args: ListArgs) =>
  memoryConnection(reader, named, { ...args, filter: filterOf(reader, args) });

/** The memories of these ids, without those that are gone. */
export async function memoriesByIds(reader: Reader, ids: readonly string[]) {
  const memories = await Promise.all(ids.map((id) => reader.loaders.memories.load(id)));
  return memories.flatMap((memory) => (memory ? { ...memory, reader } : []));
}

interface ChangeArgs {
  readonly memoryId: string;
  readonly instanceId?: string | null;
  readonly userId?: string | null;
  readonly customerId?: string | null;
}

/** A memory after a change on behalf of whom the caller names; what hangs on it is read by the same. */
export async function changeMemory(
  context: GraphqlContext,
  { memoryId, instanceId, ...args }: ChangeArgs,
  change: (access: Access, id: string, named: SubjectIds) => Promise<Memory>,
) {
  const whole = await context.reader(instanceId);
  const named = parseInput(SubjectInput, args);
  return problemsAsResult('Memory', ['not_found', 'conflict'], async () => ({
    ...(await change(whole.access, memoryId, named)),
    reader: await narrowReader(context, whole, named),
  }));
}

interface WatchArgs {
  readonly instanceId?: string | null;
  readonly userId?: string | null;
}

/** Memories of an instance as they are stored or changed; each event reads what hangs on it anew. */
async function whileWatched<Event>(
  context: GraphqlContext,
  { instanceId, userId }: WatchArgs,
  isNewOnly: boolean,
  shape: (memory: Memory & { reader: Reader }) => Event,
) {
  const { app } = context;
  const access = await context.access(instanceId);
  const watched = { ...parseInput(WatchedUserInput, { userId }), isNewOnly };
  return whileAuthenticated(
    context,
    (signal) => app.watchMemories(access, watched, signal),
    (memory) => shape({ ...memory, reader: createReader(app, access) }),
  );
}

export const memoryResolvers: Resolvers = {
  Query: {
    memories: async (_, args, context) => listMemories(await context.reader(args.instanceId), args),
    async memory(_, { id, instanceId, ...args }, context) {
      const named = parseInput(SubjectInput, args);
      const reader = await narrowReader(context, await context.reader(instanceId), named);
      return recordWithReader(reader, nullIfNotFound(context.app.memory(reader.access, id, named)));
    },
    async receipt(_, { id, instanceId }, context) {
      return nullIfNotFound(context.app.receipt(await context.access(instanceId), id));
    },
  },
  Mutation: {
    async forget(_, { memoryId, instanceId, cascade, ...args }, context) {
      const access = await context.access(instanceId);
      const options = { ...parseInput(SubjectInput, args), cascade };
      return problemsAsResult('DeletionReceipt', ['not_found'], () =>
        context.app.forgetMemory(access, memoryId, options),
      );
    },
    async forgetUser(_, { instanceId, ...args }, context) {
      const access = await context.access(instanceId);
      return problemsAsResult('DeletionReceipt', ['not_found'], async () =>
        context.app.forgetOwner(access, parseInput(ForgetUserInput, args)),
      );
    },
    async forgetCustomer(_, { instanceId, ...args }, context) {
      const access = await context.access(instanceId);
      return problemsAsResult('DeletionReceipt', ['not_found'], async () =>
        context.app.forgetOwner(access, parseInput(ForgetCustomerInput, args)),
      );
    },
    async forgetDocument(_, { instanceId, ...args }, context) {
      const access = await context.access(instanceId);
      return problemsAsResult('DeletionReceipt', ['not_found'], async () => {
        const { documentId, ...named } = parseInput(ForgetDocumentInput, args);
        return context.app.forgetDocument(access, documentId, named);
      });
    },
    async correctMemory(_, { input, instanceId }, context) {
      const whole = await context.reader(instanceId);
      return problemsAsResult('Memory', ['not_found', 'conflict', 'invalid_input'], async () => {
        const { memoryId, correction } = toCorrection(input);
        const memory = await context.app.correctMemory(whole.access, memoryId, correction);
        return { ...memory, reader: await narrowReader(context, whole, correction) };
      });
    },
    undoSupersede: async (_, args, context) => changeMemory(context, args, context.app.undoSupersede),
    confirmOutdated: async (_, args, context) => changeMemory(context, args, context.app.confirmOutdated),
    rejectOutdated: async (_, args, context) => changeMemory(context, args, context.app.rejectOutdated),
  },
  DeletionReceipt: { requestedAt: ({ deletedAt }) => deletedAt },
  Subscription: {
    memoryChanged: {
      subscribe: async (_, args, context) =>
        whileWatched(context, args, false, (memory) => ({ memoryChanged: memory })),
    },
    memoryCreated: {
      subscribe: async (_, args, context) => whileWatched(context, args, true, (memory) => ({ memoryCreated: memory })),
    },
  },
  Memory: {
    async entities({ entities, reader }) {
      const loaded = await Promise.all(entities.map(({ id }) => reader.loaders.entities.load(id)));
      return loaded.flatMap((entity) => (entity ? { ...entity, reader } : []));
    },
    evidence: ({ evidence, reader }) => evidence.map((each) => ({ ...each, reader })),
    conversation: ({ conversationId, reader }) =>
      recordWithReader(reader, conversationId === null ? null : reader.loaders.conversations.load(conversationId)),
    supersededBy: ({ supersededBy, reader }) =>
      recordWithReader(reader, supersededBy === null ? null : reader.loaders.memories.load(supersededBy)),
    possiblyOutdatedBy: ({ possiblyOutdatedBy, reader }) =>
      recordWithReader(reader, possiblyOutdatedBy === null ? null : reader.loaders.memories.load(possiblyOutdatedBy)),
    async supersedes({ id, reader }, { first }) {
      requireWithinLimit('first', first, limits.page);
      return memoriesByIds(reader, await reader.loaders.supersededIdsOf.load(first, id));
    },
  },
  Evidence: {
    conversationTurns: ({ documentId, turns, reader }) => reader.loaders.conversationTurns.load({ documentId, turns }),
  },
};
