import type { SubjectIds } from '../../../domain/tenancy/access.ts';
import type { Resolvers } from '../../../generated/graphql.ts';
import { toCountedConnection, pageRequest, recordWithReader, withReader, type PageArgs } from '../connections.ts';
import type { Reader } from '../context.ts';

/** A page of the documents of a user or customer; of the whole instance, where nobody is named. */
export async function documentConnection(reader: Reader, named: SubjectIds, args: PageArgs) {
  const page = withReader(reader, await reader.loaders.documentsOf.load(pageRequest(args), named));
  return toCountedConnection(page, args, () => reader.loaders.documentCountsOf.load(null, named));
}

export const documentResolvers: Resolvers = {
  Document: {
    conversation: ({ conversationId, reader }) =>
      recordWithReader(reader, conversationId === null ? null : reader.loaders.conversations.load(conversationId)),
    ingestion: ({ id, reader }) => recordWithReader(reader, reader.loaders.ingestionsOfDocuments.load(id)),
    async memories({ id, reader }, args) {
      const page = withReader(reader, await reader.loaders.memoriesOfDocuments.load(pageRequest(args), id));
      return toCountedConnection(page, args, () => reader.loaders.memoryCountsOfDocuments.load(id));
    },
  },
};
