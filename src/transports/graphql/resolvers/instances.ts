import type { Resolvers } from '../../../generated/graphql.ts';
import { nullIfNotFound } from '../../../domain/errors.ts';
import { limits } from '../../../domain/limits.ts';
import { toCountedConnection, pageRequest, requireWithinLimit } from '../connections.ts';
import {
  parseInput,
  parseWholeInput,
  omitNulls,
  NewInstanceInput,
  MonthInput,
  SubjectInput,
  VariantInput,
} from '../inputs.ts';
import { problemsAsResult } from '../outcomes.ts';
import { configurationConnection } from './configurations.ts';
import { conversationConnection } from './conversations.ts';
import { documentConnection } from './documents.ts';
import { entityConnection } from './entities.ts';
import { ingestionConnection } from './ingestions.ts';
import { listMemories } from './memories.ts';
import { nodeIfKnown, listCustomers, listUsers } from './users.ts';

export const instanceResolvers: Resolvers = {
  Query: {
    instance: async (_, { id }, context) => nullIfNotFound(context.access(id).then(context.app.instance)),
    async instances(_, args, context) {
      const admin = context.administrator();
      const page = await context.app.instances(admin, pageRequest(args));
      return toCountedConnection(page, args, () => context.app.administration.countInstances(admin));
    },
  },
  Mutation: {
    async createInstance(_, { input }, context) {
      const admin = context.administrator();
      return problemsAsResult('Instance', ['invalid_input', 'conflict'], async () =>
        context.app.createInstance(admin, parseInput(NewInstanceInput, input)),
      );
    },
    async repairVectorIndex(_, { instanceId }, context) {
      return problemsAsResult('VectorIndex', ['not_found'], async () => {
        return context.app.repairVectorIndex(await context.access(instanceId));
      });
    },
  },
  Instance: {
    client: ({ clientId }, _, { clients }) => clients.byId.load(clientId),
    users: async ({ id }, args, context) => listUsers(context, await context.reader(id), args),
    user: async ({ id }, args, context) => nodeIfKnown(context, await context.reader(id), omitNulls(args)),
    customers: async ({ id }, args, context) => listCustomers(context, await context.reader(id), args),
    customer: async ({ id }, { customerId }, context) => nodeIfKnown(context, await context.reader(id), { customerId }),
    conversations: async ({ id }, { userId, customerId, ...args }, context) =>
      conversationConnection(await context.reader(id), parseInput(SubjectInput, { userId, customerId }), args),
    documents: async ({ id }, { userId, customerId, ...args }, context) =>
      documentConnection(await context.reader(id), parseInput(SubjectInput, { userId, customerId }), args),
    memories: async ({ id }, args, context) => listMemories(await context.reader(id), args),
    entities: async ({ id }, args, context) => entityConnection(await context.reader(id), {}, args),
    ingestions: async ({ id }, args, context) => ingestionConnection(context, await context.reader(id), args),
    configurations: async ({ id }, args, context) => configurationConnection(context, await context.reader(id), args),
    vectorIndex: async ({ id }, _, context) => context.app.vectorIndex(await context.access(id)),
    embedding: async ({ id }, _, context) => context.app.embedding(await context.access(id)),
    anticipation: async ({ id }, args, context) =>
      context.app.anticipationFigures(await context.access(id), omitNulls(args)),
    async memoriesByDay({ id }, { days }, context) {
      requireWithinLimit('days', days, limits.days);
      return context.app.memoriesByDay(await context.access(id), days);
    },
    latency: async ({ id }, args, context) =>
      context.app.analytics.latency(await context.access(id), parseWholeInput(VariantInput, args)),
    operations: async ({ id }, args, context) =>
      context.app.analytics.operations(await context.access(id), omitNulls(args)),
    monthlyUsage: async ({ id }, { month }, context) =>
      context.app.analytics.usage(await context.access(id), parseInput(MonthInput, { month }).month),
    stats: async ({ id }, _, context) => context.app.administration.instanceStats(context.administrator(), id),
    async keys({ id }, args, context) {
      context.administrator();
      const access = await context.access(id);
      const page = await context.app.keys(access, pageRequest(args));
      return toCountedConnection(page, args, () => context.app.lists.countKeys(access));
    },
  },
};
