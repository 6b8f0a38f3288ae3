import type { Resolvers } from '../../../generated/graphql.ts';
import { toConnection, pageRequest, recordWithReader, withReader } from '../connections.ts';
import { narrowReader, type GraphqlContext } from '../context.ts';
import { parseInput, SubjectInput, SplitInput } from '../inputs.ts';
import { problemsAsResult } from '../outcomes.ts';

interface AskArgs {
  readonly userId?: string | null;
  readonly customerId?: string | null;
  readonly instanceId?: string | null;
}

/** The owner that the caller asks for, and the reader that resolves nested fields. */
async function askerOf(context: GraphqlContext, { userId, customerId, instanceId }: AskArgs) {
  const whole = await context.reader(instanceId);
  const named = parseInput(SubjectInput, { userId, customerId });
  return { named, access: whole.access, reader: await narrowReader(context, whole, named) };
}

export const reviewQueueResolvers: Resolvers = {
  Query: {
    async entityMatchReviews(_, args, context) {
      const { named, access, reader } = await askerOf(context, args);
      const asked = { ...named, status: args.status };
      return toConnection(withReader(reader, await context.app.reviews(access, asked, pageRequest(args))), args);
    },
  },
  Mutation: {
    async confirmEntityMatch(_, { id, ...args }, context) {
      const { named, access, reader } = await askerOf(context, args);
      return problemsAsResult('Merge', ['not_found', 'conflict'], async () => {
        const { merge } = await context.app.confirmReview(access, id, named);
        return { ...merge, reader };
      });
    },
    async rejectEntityMatch(_, { id, ...args }, context) {
      const { named, access, reader } = await askerOf(context, args);
      return problemsAsResult('EntityMatchReview', ['not_found', 'conflict'], async () => ({
        ...(await context.app.rejectReview(access, id, named)),
        reader,
      }));
    },
    async mergeEntities(_, { sourceEntityId, targetEntityId, ...args }, context) {
      const { named, access, reader } = await askerOf(context, args);
      return problemsAsResult('Merge', ['not_found', 'conflict'], async () => {
        const input = { ...named, sourceId: sourceEntityId, targetId: targetEntityId };
        const { merge } = await context.app.mergeEntities(access, input);
        return { ...merge, reader };
      });
    },
    async splitEntity(_, { entityId, memoryIds, ...args }, context) {
      const { named, access, reader } = await askerOf(context, args);
      return problemsAsResult('EntitySplit', ['invalid_input', 'not_found', 'conflict'], async () => {
        const input = { ...named, entityId, ...parseInput(SplitInput, { memoryIds }) };
        return { ...(await context.app.splitEntity(access, input)), reader };
      });
    },
    async undoMerge(_, { id, ...args }, context) {
      const { named, access, reader } = await askerOf(context, args);
      return problemsAsResult('Merge', ['not_found', 'conflict'], async () => {
        const { merge } = await context.app.undoMerge(access, id, named);
        return { ...merge, reader };
      });
    },
  },
  EntityMatchReview: {
    left: ({ left, reader }) => ({ ...left, reader }),
    right: ({ right, reader }) => ({ ...right, reader }),
  },
  EntityMatchReviewSide: {
    entity: ({ entity, reader }) => ({ ...entity, reader }),
    evidence: ({ evidence, reader }) => evidence.map((mention) => ({ ...mention, reader })),
  },
  Mention: {
    memory: ({ memoryId, reader }) => recordWithReader(reader, reader.loaders.memories.load(memoryId)),
  },
  Merge: {
    entity: ({ targetEntityId, reader }) => recordWithReader(reader, reader.loaders.entities.load(targetEntityId)),
  },
  EntitySplit: {
    entity: ({ entity, reader }) => ({ ...entity, reader }),
    newEntity: ({ newEntity, reader }) => ({ ...newEntity, reader }),
  },
};
