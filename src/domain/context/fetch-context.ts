import type { Db } from '../../db/database.ts';
import { currentConfiguration } from '../configurations/store.ts';
import { bindConversation, conversationOwner, inherit } from '../conversations/store.ts';
import { DomainError } from '../errors.ts';
import { countTokens } from '../language/count-tokens.ts';
import type { Metering } from '../metering/metering.ts';
import { distinct } from '../retrieval/distinct.ts';
import { hydrate } from '../retrieval/hydrate.ts';
import { pack } from '../retrieval/pack.ts';
import { retrieve } from '../retrieval/retrieve.ts';
import type { ScoredMemory } from '../retrieval/scored-memory.ts';
import type { Retrieving } from '../retrieval/search.ts';
import type { Access, Named } from '../tenancy/access.ts';
import { narrow } from '../tenancy/authenticate.ts';
import { registerOwner } from '../tenancy/store.ts';
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
  return { ...context, memories };
}

/** who is meant -> retrieve -> hydrate -> distinct -> pack */
export async function findContext(
  d: Omit<Fetching, 'metering' | 'now'>,
  access: Access,
  query: ContextQuery,
): Promise<Omit<Context, 'memories'> & { memories: readonly (ScoredMemory & { uuid: string })[] }> {
  const named = await meant(d.db, access, query);
  const configuration = await currentConfiguration(d.db, access);
  const reader = await narrow(d.db, access, named, configuration.isolation);
  const limit = Math.ceil(query.maxResults * shareOfRepetitions);
  const { hits, warnings } = await retrieve(d, reader, { ...query, queries: query.searchQueries, limit });
  const memories = distinct(await hydrate(d.db, reader, configuration, hits, query)).slice(0, query.maxResults);
  const { packed, totalTokens, exceeded } = pack(memories, query.contextBudget ?? Infinity, countTokens);
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

/** A conversation lends its owner to a call that names nobody, and is bound to those a first call names. */
async function meant(db: Db, access: Access, query: ContextQuery): Promise<Named> {
  const { conversationId, userId, customerId } = query;
  if (!conversationId) return query;
  const owner = await conversationOwner(db, access, conversationId);
  if (owner) return inherit(query, owner);
  if (!userId && !customerId) {
    throw new DomainError(
      'context_not_found',
      'this conversation is not known, and no user_id or customer_id is named',
    );
  }
  const level = userId ? 'USER' : 'CUSTOMER';
  const first = await registerOwner(db, access.i, { level, userId: userId ?? '', customerId: customerId ?? '' });
  await bindConversation(db, access, conversationId, first.ownerNo);
  return query;
}
