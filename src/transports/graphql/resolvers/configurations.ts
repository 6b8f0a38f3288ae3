import type { Resolvers } from '../../../generated/graphql.ts';

export const configurations: Resolvers = {
  Query: {
    configurations: async (_, { instanceId }, context) =>
      context.app.configurations((await context.reader(instanceId)).access),
  },
  Configuration: {
    primaryScope: ({ body }) => body.primary_scope,
    isolation: ({ body }) => body.isolation,
    confidenceThreshold: ({ body }) => body.confidence_threshold,
    memoryTypes: ({ body }) => body.memory_types,
    categories: ({ body }) => body.categories,
    retention: ({ body }) => ({ baseDays: body.retention.base_days, onExpiry: body.retention.on_expiry }),
  },
};
