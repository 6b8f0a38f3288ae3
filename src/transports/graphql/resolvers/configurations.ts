import type { Resolvers } from '../../../generated/graphql.ts';
import { check, given, ProviderNames } from '../inputs.ts';
import { orProblem } from '../outcomes.ts';

export const configurations: Resolvers = {
  Query: {
    configurations: async (_, { instanceId }, context) =>
      context.app.configurations((await context.reader(instanceId)).access),
  },
  Mutation: {
    async chooseProviders(_, { input }, context) {
      context.administrator();
      context.mayChange();
      return orProblem('Configuration', ['invalid_input', 'not_found'], async () => {
        const { access } = await context.reader(input.instanceId);
        const { extraction, embedding } = given(check(ProviderNames, input));
        return context.app.chooseProviders(access, {
          ...(extraction ? { extraction } : {}),
          ...(embedding ? { embedding } : {}),
        });
      });
    },
  },
  Configuration: {
    primaryScope: ({ body }) => body.primary_scope,
    isolation: ({ body }) => body.isolation,
    confidenceThreshold: ({ body }) => body.confidence_threshold,
    memoryTypes: ({ body }) => body.memory_types,
    categories: ({ body }) => body.categories,
    inference: ({ body }) => body.inference,
    retention: ({ body }) => ({ baseDays: body.retention.base_days, onExpiry: body.retention.on_expiry }),
  },
};
