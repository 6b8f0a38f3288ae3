import type { Resolvers } from '../../../generated/graphql.ts';
import { check, Label } from '../inputs.ts';
import { orProblem } from '../outcomes.ts';

export const keys: Resolvers = {
  Mutation: {
    async createKey(_, { input }, context) {
      context.administrator();
      context.mayChange();
      return orProblem('KeyCreated', ['invalid_input', 'not_found'], async () => {
        const { label } = check(Label, input);
        const { access } = await context.reader(input.instanceId);
        const { key, record } = await context.app.createKey(access, { label: label ?? null });
        return { key: record, secret: key };
      });
    },
    async revokeKey(_, { id, instanceId }, context) {
      context.administrator();
      context.mayChange();
      return orProblem('Key', ['not_found'], async () =>
        context.app.revokeKey((await context.reader(instanceId)).access, id),
      );
    },
  },
};
