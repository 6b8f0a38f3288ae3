import type { Context, ContextQuery } from '../context/context.ts';
import { fetchContext, type FetchDependencies } from '../context/fetch-context.ts';
import type { Access } from '../tenancy/access.ts';
import { readSummary, type Summary } from './read-compactions.ts';

/** A context, with what its conversation was condensed to last; null where it was not, or none is named. */
export interface SummarisedContext extends Context {
  readonly summary: Summary | null;
}

/**
 * Fetches a context and the summary of its conversation, which is read each time: a prefetched one could be older than
 * what was forgotten since. Who may not read the conversation is refused by the fetch.
 */
export async function fetchWithSummary(
  deps: FetchDependencies,
  access: Access,
  query: ContextQuery,
): Promise<SummarisedContext> {
  const { conversationId } = query;
  const [context, summary] = await Promise.all([
    fetchContext(deps, access, query),
    conversationId === undefined ? null : readSummary(deps.db, access, conversationId),
  ]);
  return { ...context, summary };
}
