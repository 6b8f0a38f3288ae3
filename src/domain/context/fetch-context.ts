import { currentConfiguration } from '../configurations/store.ts';
import { meant } from '../conversations/meant.ts';
import { recentMessages } from '../conversations/read-conversation.ts';
import { countTokens } from '../language/count-tokens.ts';
import type { Metering } from '../metering/metering.ts';
import { distinct } from '../retrieval/distinct.ts';
import { hydrate } from '../retrieval/hydrate.ts';
import { pack } from '../retrieval/pack.ts';
import { retrieve } from '../retrieval/retrieve.ts';
import type { ScoredMemory } from '../retrieval/scored-memory.ts';
import type { Retrieving } from '../retrieval/search.ts';
import type { Access } from '../tenancy/access.ts';
import { narrow } from '../tenancy/authenticate.ts';
import type { Context, ContextQuery } from './context.ts';

/** What a fetch needs. */
export interface Fetching extends Retrieving {
  readonly metering: Metering;
  readonly now: () => Date;
}

/** Context for an agent that asks; what it returns counts as accessed. */
export async function fetchContext(d: Fetching, access: Access, query: ContextQuery): Promise<Context> {
  const { memories, ...context } = await findContext(d, access, query);
  d.metering.countAccesses(
    access.i,
    memories.map((memory) => memory.uuid),
    d.now(),
  );
  d.metering.countUserCall(access.i, context.named.userId, d.now());
  const { conversationId } = query;
  // Read last, and never kept: it changes with every message.
  return {
    ...context,
    memories,
    recentMessages: conversationId ? await recentMessages(d.db, access, conversationId) : null,
  };
}

/** who is meant -> retrieve -> hydrate -> distinct -> pack */
async function findContext(
  d: Omit<Fetching, 'metering' | 'now'>,
  access: Access,
  query: ContextQuery,
): Promise<Omit<Context, 'memories' | 'recentMessages'> & { memories: readonly (ScoredMemory & { uuid: string })[] }> {
  const named = await meant(d.db, access, query);
  const configuration = await currentConfiguration(d.db, access);
  const reader = await narrow(d.db, access, named, configuration.isolation);
  const { retrieval } = configuration;
  const { mode = retrieval.mode, maxResults = retrieval.max_results } = query;
  const budget = query.contextBudget ?? retrieval.context_budget ?? Infinity;
  const limit = Math.ceil(maxResults * shareOfRepetitions);
  const { hits, warnings } = await retrieve(d, reader, { ...query, mode, queries: query.searchQueries, limit });
  const memories = distinct(await hydrate(d.db, reader, configuration, hits, query)).slice(0, maxResults);
  const { packed, totalTokens, exceeded } = pack(memories, budget, countTokens);
  return {
    named: { userId: named.userId, customerId: named.customerId },
    memories: packed,
    source: 'store',
    totalTokens,
    budgetExceeded: exceeded,
    warnings,
    configurationVersion: access.configurationVersion,
  };
}

/** What is retrieved beyond the wanted number, so that enough is left without repetitions. */
const shareOfRepetitions = 2;
