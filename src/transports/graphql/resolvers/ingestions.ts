import { nullIfNotFound } from '../../../domain/errors.ts';
import type { Ingestion } from '../../../domain/ingestion/ingestion.ts';
import type { Resolvers } from '../../../generated/graphql.ts';
import { toCountedConnection, pageRequest, recordWithReader, withReader, type PageArgs } from '../connections.ts';
import { createReader, type GraphqlContext, type Reader } from '../context.ts';
import { toFileSubmission, toWaitSeconds } from '../inputs.ts';
import { problemsAsResult } from '../outcomes.ts';
import { whileAuthenticated } from '../while-authenticated.ts';
import { memoriesByIds } from './memories.ts';

interface ListArgs extends PageArgs {
  readonly status?: Ingestion['status'] | null;
}

/** A page of an instance's ingestions. */
export async function ingestionConnection({ app }: GraphqlContext, reader: Reader, { status, ...args }: ListArgs) {
  const filter = { status: status ?? undefined };
  const page = withReader(reader, await app.ingestions(reader.access, filter, pageRequest(args)));
  return toCountedConnection(page, args, () => app.lists.countIngestions(reader.access, filter));
}

export const ingestionResolvers: Resolvers = {
  Query: {
    async ingestion(_, { id, instanceId }, context) {
      const reader = await context.reader(instanceId);
      return recordWithReader(reader, nullIfNotFound(context.app.ingestion(reader.access, id)));
    },
  },
  Mutation: {
    async submitDocument(_, { input, wait }, { app, own, ended }) {
      const reader = own();
      const { access } = reader;
      const result = await problemsAsResult(
        'Ingestion',
        ['duplicate_document', 'invalid_input', 'payload_too_large', 'unsupported_media_type'],
        async () => {
          const timeout = { ms: toWaitSeconds(wait) * 1000, signal: ended };
          const submission = toFileSubmission(input);
          return timeout.ms > 0 ? app.submitAndWait(access, submission, timeout) : app.submit(access, submission);
        },
      );
      return { ...result, reader };
    },
    async retryIngestion(_, { id, instanceId }, context) {
      const reader = await context.reader(instanceId);
      const result = await problemsAsResult('Ingestion', ['not_found', 'duplicate_document'], () =>
        context.app.retryIngestion(reader.access, id),
      );
      return { ...result, reader };
    },
  },
  Subscription: {
    ingestionProgress: {
      async subscribe(_, { id, instanceId }, context) {
        const { app } = context;
        const access = await context.access(instanceId);
        return whileAuthenticated(
          context,
          (signal) => app.watchIngestion(access, id, signal),
          // Each event reads anew.
          (ingestion) => ({ ingestionProgress: { ...ingestion, reader: createReader(app, access) } }),
        );
      },
    },
  },
  Ingestion: {
    mode: ({ mode }) => (mode === 'verbatim' ? null : mode),
    verbatim: ({ mode }) => mode === 'verbatim',
    memories: ({ memoryIds, reader }) => memoriesByIds(reader, memoryIds),
  },
  DuplicateDocument: {
    ingestion: ({ ingestionId, reader }, _, { app }) =>
      recordWithReader(reader, ingestionId ? nullIfNotFound(app.ingestion(reader.access, ingestionId)) : null),
  },
};
