import type { Configuration } from '../configurations/configuration.ts';
import { currentConfiguration } from '../configurations/store.ts';
import { bindConversation } from '../conversations/bind-conversation.ts';
import { resolveSubject } from '../conversations/resolve-subject.ts';
import type { AnsweredMemory } from '../ready-answers/ready-answer.ts';
import { hydrate } from '../retrieval/hydrate.ts';
import { pack } from '../retrieval/pack.ts';
import { retrieve } from '../retrieval/retrieve.ts';
import type { Retrieving } from '../retrieval/search.ts';
import type { Access, Named, OwnedAccess, ReadableOwner } from '../tenancy/access.ts';
import { narrow } from '../tenancy/authenticate.ts';
import type { Context, ContextQuery } from './context.ts';

/** What the store answers, and the owners that were read, as they were before. */
export interface Found extends Omit<Context<AnsweredMemory>, 'recentMessages'> {
  readonly reads: readonly ReadableOwner[];
}

/** who is meant -> retrieve -> hydrate -> pack */
export async function findContext(d: Retrieving, access: Access, query: ContextQuery): Promise<Found> {
  d.embedding.begin(access, query.searchQueries); // takes longest, whoever it is that reads
  const { named, isNewConversation } = await resolveSubject(d.db, access, query);
  if (isNewConversation) await bindConversation(d.db, access, { ...named, conversationId: query.conversationId! });
  const configuration = await currentConfiguration(d.db, access);
  const reader = await narrow(d.readers, access, named, configuration.isolation);
  return findFor(d, reader, { named, configuration, query });
}

/** The same, once it is known who reads and what they read. */
export async function findFor(
  d: Retrieving,
  reader: OwnedAccess,
  { named, configuration, query }: { named: Named; configuration: Configuration; query: ContextQuery },
): Promise<Found> {
  const { retrieval } = configuration;
  const { mode = retrieval.mode, maxResults: limit = retrieval.max_results } = query;
  const budget = query.contextBudget ?? retrieval.context_budget ?? Infinity;
  const { hits, warnings } = await retrieve(d, reader, { ...query, mode, queries: query.searchQueries, limit });
  const memories = await hydrate(d, reader, configuration, hits, query);
  const { packed, totalTokens, exceeded } = pack(memories, budget);
  return {
    named: { userId: named.userId, customerId: named.customerId },
    memories: packed,
    source: 'store',
    totalTokens,
    budgetExceeded: exceeded,
    warnings: [...warnings, ...doubtsAbout(named, { configuration, reads: reader.reads })],
    configurationVersion: reader.configurationVersion,
    reads: reader.reads,
  };
}

/** An answer for nobody, or for a user nobody knows, is as empty as one without anything to tell: a slip looks like it. */
function doubtsAbout(
  { userId, customerId }: Named,
  { configuration, reads }: { configuration: Configuration; reads: readonly ReadableOwner[] },
): string[] {
  const isForAll = configuration.primary_scope === 'CLIENT';
  if (!userId && !customerId) {
    return isForAll
      ? []
      : ['nobody is named: only what everybody may read was searched; name a user_id or customer_id'];
  }
  if (!userId || reads.some((owner) => owner.userId === userId)) return [];
  return ['user_id: this user was never seen here; check the id'];
}
