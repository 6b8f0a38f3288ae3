import type { Resolvers } from '../../../generated/graphql.ts';
import { createReader } from '../context.ts';
import { toContextQuery } from '../inputs.ts';

export const contextResolvers: Resolvers = {
  Query: {
    async context(_, { query }, { app, own }) {
      const { access } = own();
      const found = await app.fetchContext(access, toContextQuery(query));
      // Nested fields read by the access that the fetch was narrowed to.
      return { ...found, reader: createReader(app, await app.narrow(access, found.named)) };
    },
  },
  Context: {
    conversationContext: ({ recentMessages, summary }) =>
      recentMessages && {
        summary: summary?.text ?? null,
        compactionId: summary?.compactionId ?? null,
        recentMessages,
      },
    memories: ({ memories, reader }) =>
      memories.map(({ score, relevance, parts, ...memory }) => ({
        score,
        relevance,
        parts,
        memory: { ...memory, reader },
      })),
  },
  ScoredMemory: {
    scoreParts: ({ parts }) => parts && Object.entries(parts).map(([name, value]) => ({ name, value })),
  },
};
