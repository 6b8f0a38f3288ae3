import type { Resolvers } from '../../../generated/graphql.ts';
import { connection, cursorOfInstance, pageRequest } from '../connections.ts';
import { check, InstanceName } from '../inputs.ts';
import { orNull } from '../loaders.ts';
import { orProblem } from '../outcomes.ts';
import { listEntities } from './entities.ts';
import { listIngestions } from './ingestions.ts';
import { listMemories } from './memories.ts';

export const instances: Resolvers = {
  Query: {
    instance: async (_, { id }, context) =>
      orNull(context.reader(id).then(({ access }) => context.app.instance(access))),
    async instances(_, args, context) {
      const page = await context.app.instances(context.administrator(), pageRequest(args));
      return connection(page, args, cursorOfInstance);
    },
  },
  Mutation: {
    async createInstance(_, { input }, context) {
      const admin = context.administrator('admin');
      return orProblem('Instance', ['invalid_input'], async () =>
        context.app.createInstance(admin, check(InstanceName, input)),
      );
    },
    async repairVectorIndex(_, { instanceId }, context) {
      context.administrator('admin');
      return orProblem('VectorIndex', ['not_found'], async () => {
        return context.app.repairVectorIndex((await context.reader(instanceId)).access);
      });
    },
  },
  Instance: {
    memories: async ({ id }, args, context) => listMemories(context, await context.reader(id), args),
    entities: async ({ id }, args, context) => listEntities(context, await context.reader(id), args),
    ingestions: async ({ id }, args, context) => listIngestions(context, await context.reader(id), args),
    configurations: async ({ id }, _, context) => context.app.configurations((await context.reader(id)).access),
    vectorIndex: async ({ id }, _, context) => context.app.vectorIndex((await context.reader(id)).access),
    embedding: async ({ id }, _, context) => context.app.embedding((await context.reader(id)).access),
    anticipation: async ({ id }, { from, to }, context) =>
      context.app.anticipationFigures((await context.reader(id)).access, {
        from: from ?? undefined,
        to: to ?? undefined,
      }),
    stats: async ({ id }, _, context) => context.app.administration.instanceStats(context.administrator(), id),
    async keys({ id }, _, context) {
      context.administrator();
      return context.app.keys((await context.reader(id)).access);
    },
  },
};
