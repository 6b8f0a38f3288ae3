import type { Dependencies } from '../dependencies.ts';
import { compactConversation, type CompactionRequest } from '../domain/compaction/compact-conversation.ts';
import { enqueueCompaction } from '../domain/compaction/queued-compaction.ts';
import { listVersions, readCurrentVersion, readVersion } from '../domain/compaction/read-compactions.ts';
import { currentConfiguration } from '../domain/configurations/configuration-store.ts';
import type { ConversationReference } from '../domain/conversations/conversation.ts';
import type { PageRequest } from '../domain/pagination.ts';
import type { Access } from '../domain/tenancy/access.ts';

export const createCompactionUseCases = (deps: Dependencies) => ({
  compact: (access: Access, request: CompactionRequest) => compactConversation(deps, access, request),
  /** Enqueues a compaction for a worker; returns the UUID of the conversation. */
  enqueue: (access: Access, request: CompactionRequest) => enqueueCompaction(deps, access, request),
  /** The format in which a compaction is answered when the caller names none. */
  defaultFormat: async (access: Access) => (await currentConfiguration(deps.db, access)).compaction.output_format,
  version: (access: Access, input: ConversationReference & { version?: number | undefined }) =>
    readVersion(deps.db, access, input),
  current: (access: Access, input: ConversationReference) => readCurrentVersion(deps.db, access, input),
  versions: (access: Access, input: ConversationReference, page: PageRequest) =>
    listVersions(deps.db, access, input, page),
});
