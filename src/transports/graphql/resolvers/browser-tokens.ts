import type { Resolvers } from '../../../generated/graphql.ts';
import { BrowserTokenInput, parseInput } from '../inputs.ts';
import { problemsAsResult } from '../outcomes.ts';

export const browserTokenResolvers: Resolvers = {
  Mutation: {
    async createBrowserToken(_, { input }, { app, own }) {
      const { access } = own();
      return problemsAsResult('BrowserTokenCreated', ['invalid_input'], async () => {
        const { token, record } = await app.createBrowserToken(access, parseInput(BrowserTokenInput, input));
        const { id, expiresAt, userId = null, customerId = null, conversationId = null, externalId } = record;
        return { id, secret: token, expiresAt, userId, customerId, conversationId, externalId };
      });
    },
  },
};
