import type { RateInput, Resolvers } from '../../../generated/graphql.ts';
import { parseInput, LabelInput } from '../inputs.ts';
import { problemsAsResult } from '../outcomes.ts';

export const keyResolvers: Resolvers = {
  Mutation: {
    async createKey(_, { input }, context) {
      return problemsAsResult('KeyCreated', ['invalid_input', 'not_found'], async () => {
        const { label, rate } = { ...parseInput(LabelInput, input), rate: rateOf(input.rate) };
        const access = await context.access(input.instanceId);
        const { key, record } = await context.app.createKey(access, { label: label ?? null, rate: rate ?? undefined });
        return { key: record, secret: key };
      });
    },
    async revokeKey(_, { id, instanceId }, context) {
      return problemsAsResult('Key', ['not_found'], async () =>
        context.app.revokeKey(await context.access(instanceId), id),
      );
    },
    async setKeyRateLimit(_, { id, instanceId, rate }, context) {
      return problemsAsResult('Key', ['invalid_input', 'not_found'], async () =>
        context.app.setKeyRateLimit(await context.access(instanceId), { id, rate: rateOf(rate) }),
      );
    },
    rotateMasterKey: (_, __, context) => context.app.rotateMasterKey(context.administrator()),
  },
  Query: {
    masterKeyRotation: (_, __, context) => context.app.masterKeyRotation(context.administrator()),
  },
};

const rateOf = (rate: RateInput | null | undefined) =>
  rate ? { perMinute: rate.requestsPerMinute, burst: rate.burst } : null;
