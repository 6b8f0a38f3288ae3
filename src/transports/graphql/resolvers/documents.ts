import type { SubjectIds } from '../../../domain/tenancy/access.ts';
import type { Resolvers } from '../../../generated/graphql.ts';
import { toCountedConnection, pageRequest, withReader, type PageArgs } from '../connections.ts';
import type { Reader } from '../context.ts';
import { memoryConnection } from './memories.ts';

/** A page of the documents of a user or customer; of the whole instance, where nobody is named. */
export async function documentConnection(reader: Reader, named: SubjectIds, args: PageArgs) {
  const page = withReader(reader, await reader.loaders.documentsOf.load(pageRequest(args), named));
  return toCountedConnection(page, args, () => reader.loaders.documentCountsOf.load(null, named));
}

export const documentResolvers: Resolvers = {
  Document: {
    async conversation({ conversationId, reader }) {
      const conversation = conversationId === null ? null : await reader.loaders.conversations.load(conversationId);
      return conversation && { ...conversation, reader };
    },
    async ingestion({ id, reader }) {
      const ingestion = await reader.loaders.ingestionsOfDocuments.load(id);
      return ingestion && { ...ingestion, reader };
    },
    async memories({ id, reader }, args) {
      const page = await reader.loaders.memoriesOfDocuments.load(pageRequest(args), id);
      return memoryConnection(reader, page, args, () => reader.loaders.memoryCountsOfDocuments.load(id));
    },
  },
};
