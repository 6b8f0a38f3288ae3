import { withTraceSpan } from '../../tracing.ts';
import { readSummary } from '../compaction/read-compactions.ts';
import { bindConversation } from '../conversations/bind-conversation.ts';
import { recentMessages } from '../conversations/read-conversation.ts';
import { resolveSubject } from '../conversations/resolve-subject.ts';
import { conversationUuid } from '../ids.ts';
import { findRecords } from '../memories/list-memories.ts';
import { dueWindow, readStandingMemories } from '../memories/standing-memories.ts';
import { readNewestMemories } from '../memories/standing-store.ts';
import { relevanceOf } from '../memories/scored-memory.ts';
import { packWithin } from '../memories/order-outdated.ts';
import type { Metering } from '../metering/metering.ts';
import type { MemoryReader } from '../reader-cache/reader-cache.ts';
import { askInFirstPerson } from '../retrieval/first-person.ts';
import { retrieve } from '../retrieval/retrieve.ts';
import type { RetrievalDependencies } from '../retrieval/search.ts';
import {
  narrowToScopes,
  versionVectorOf,
  type Access,
  type SubjectIds,
  type NarrowedAccess,
  type ReadableOwner,
} from '../tenancy/access.ts';
import { addPossibleSuccessors } from './add-possible-successors.ts';
import { addPromptBlock } from './add-prompt-block.ts';
import type { Context, ContextQuery, PrefetchLookup } from './context.ts';
import { defaultMinRelevance } from './fetch-options.ts';
import { recordContextRetrieved } from './record-context-retrieved.ts';

export interface FetchDependencies extends RetrievalDependencies {
  readonly metering: Metering;
  readonly prefetcher: PrefetchLookup;
  readonly now: () => Date;
}

/** The context that an agent asks for: prefetched, or else retrieved now. What it returns counts as accessed. */
export async function fetchContext(deps: FetchDependencies, access: Access, query: ContextQuery): Promise<Context> {
  const found = (await deps.prefetcher.find(access, query)) ?? (await retrieveWithConversation(deps, access, query));
  const context = query.format === 'prompt' ? await addPromptBlock(deps, access, query, found) : found;
  // Nothing is prefetched for browsers.
  if (access.principal.kind !== 'browser') deps.prefetcher.noteFetch(access, query);
  // Saves a statement where no webhook subscribes to the event.
  if (access.eventTypes.includes('context.retrieved')) await recordContextRetrieved(deps, access, query, context);
  const now = deps.now();
  const uuids = context.memories.map(({ uuid }) => uuid);
  deps.metering.countAccesses(access.instanceNumber, uuids, now);
  deps.metering.countUserCall(access.instanceNumber, context.named.userId, now);
  return context;
}

/** Reads the summary of the conversation last: callers who may not read it have been refused by then. */
async function retrieveWithConversation(
  deps: FetchDependencies,
  access: Access,
  query: ContextQuery,
): Promise<Context> {
  const { reads, ...context } = await retrieveContext(deps, access, query);
  const { conversationId } = query;
  if (!conversationId) return { ...context, source: 'store', summary: null, recentMessages: null };
  const [summary, messages] = await Promise.all([
    deps.readers.summary(
      { instanceNumber: access.instanceNumber, conversationId: conversationUuid(access.instance, conversationId).id },
      reads,
      () => readSummary(deps.db, access, conversationId),
    ),
    recentMessages(deps.db, access, conversationId),
  ]);
  return { ...context, source: 'store', summary, recentMessages: messages };
}

/** A context as it was retrieved, and the owners that were read for it, as they were before. */
export interface RetrievedContext extends Omit<Context, 'source' | 'summary' | 'recentMessages'> {
  readonly reads: readonly ReadableOwner[];
}

/** resolve the subject -> read as they may -> retrieve -> hydrate -> pack */
export async function retrieveContext(
  deps: RetrievalDependencies & Pick<FetchDependencies, 'now'>,
  access: Access,
  { searchQueries, ...given }: ContextQuery,
): Promise<RetrievedContext> {
  const query = { ...given, searchQueries: searchQueries.map(askInFirstPerson) };
  deps.embedding.begin(access, query.searchQueries); // takes longest, and is the same for every reader
  const { named, isNewConversation } = await resolveSubject(deps.db, access, query);
  if (isNewConversation) await bindConversation(deps.db, access, { ...named, conversationId: query.conversationId! });
  return readUnchanged(deps, access, named, (reader) => readContext(deps, reader, named, query));
}

/** A fetch that is overtaken each time is answered with what is left of it. */
const tries = 3;

/**
 * Reads anew when less was found than was asked for and its owners changed meanwhile: a document may have taken
 * another's place, so that what was found is gone, and what took its place was not there to be found. Where this
 * process knows that nothing changed, that takes no statement.
 */
async function readUnchanged(
  { readers }: Pick<RetrievalDependencies, 'readers'>,
  access: Access,
  named: SubjectIds,
  read: (reader: MemoryReader) => Promise<RetrievedContext & { isShort: boolean }>,
): Promise<RetrievedContext> {
  for (let attempt = 1; ; attempt++) {
    const reader = await readers.reader(access, named);
    const { isShort, ...context } = await read(reader);
    if (!isShort || attempt === tries) return context;
    const owners = await readers.owners(access.instanceNumber, named, reader.configuration.isolation);
    if (versionVectorOf(owners) === versionVectorOf(reader.access.readableOwners)) return context;
  }
}

async function readContext(
  deps: RetrievalDependencies & Pick<FetchDependencies, 'now'>,
  reader: MemoryReader,
  named: SubjectIds,
  query: ContextQuery,
): Promise<RetrievedContext & { isShort: boolean }> {
  const { retrieval } = reader.configuration;
  const { mode = retrieval.mode, maxResults: limit = retrieval.max_results } = query;
  // A metadata filter selects the records that are wanted, so that the query only orders them.
  const { minRelevance = query.metadata ? 0 : defaultMinRelevance[mode] } = query;
  const search = { ...query, mode, queries: query.searchQueries, limit, minRelevance };
  // Memories are cached under the whole access, and read by it.
  const searched = narrowToScopes(reader.access, query.scopes);
  const among =
    query.metadata &&
    (await findRecords(deps.db, searched, { ...search, metadata: query.metadata, limit: recordsAtMost }));
  const { hits, warnings } = query.searchQueries.length
    ? await withTraceSpan('retrieve', {}, () => retrieve(deps, searched, { ...search, among }))
    : { hits: inOrder(among?.slice(0, limit) ?? (await standingContext(deps, searched, search))), warnings: [] };
  const hydrated = await withTraceSpan('hydrate', {}, () => deps.readers.hydrate(deps.db, reader, hits, query));
  const found = hydrated.map((memory) => ({ ...memory, relevance: relevanceOf(memory.score) }));
  const memories = found.some(({ possiblyOutdatedBy }) => possiblyOutdatedBy)
    ? await addPossibleSuccessors(deps, reader, found, { ...query, limit })
    : found;
  const budget = query.contextBudget ?? retrieval.context_budget ?? Infinity;
  const { packed, totalTokens } = packWithin(memories, ({ tokens }) => tokens, budget);
  return {
    named,
    mode,
    memories: packed,
    totalTokens,
    budgetExceeded: packed.length < memories.length,
    warnings: [...warnings, ...doubtsAbout(named, reader)],
    configurationVersion: reader.access.configurationVersion,
    reads: reader.access.readableOwners,
    isShort: found.length < limit,
  };
}

/** Standing memories, which matter whatever is asked, then the newest: returned when the query asks no question. */
async function standingContext(
  deps: RetrievalDependencies & Pick<FetchDependencies, 'now'>,
  access: NarrowedAccess,
  { types, provenance, asOf, limit }: Pick<ContextQuery, 'types' | 'provenance' | 'asOf'> & { limit: number },
) {
  if (!access.readableOwners.length) return [];
  const wanted = { types, provenance, asOf };
  const [standing, newest] = await Promise.all([
    readStandingMemories(deps.db, access, { ...wanted, due: dueWindow(asOf ?? deps.now()) }),
    readNewestMemories(deps.db, access, { ...wanted, max: limit }),
  ]);
  return [...new Set([...standing.map(({ id }) => id), ...newest])].slice(0, limit);
}

/** Hits of which the first matters most, where nothing was asked that they could be compared with. */
const inOrder = (ids: readonly string[]) => ids.map((id, n) => ({ id, score: 1 - n / ids.length, parts: {} }));

/** The most verbatim records that a metadata filter compares: of more, only the newest are searched. */
const recordsAtMost = 1_000;

/** Warns where a slip of the caller looks like an answer without anything to tell: nobody is named, or a stranger. */
function doubtsAbout({ userId, customerId }: SubjectIds, { configuration, access }: MemoryReader): string[] {
  if (!userId && !customerId) {
    return configuration.primary_scope === 'CLIENT'
      ? []
      : ['nobody is named: only what everybody may read was searched; name a user_id or customer_id'];
  }
  if (!userId || access.readableOwners.some((owner) => owner.userId === userId)) return [];
  return ['user_id: this user was never seen here; check the id'];
}
