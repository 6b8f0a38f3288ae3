import type { Metering } from '../metering/metering.ts';
import type { AnsweredMemory } from '../ready-answers/ready-answer.ts';
import type { Retrieving } from '../retrieval/search.ts';
import type { Access } from '../tenancy/access.ts';
import { markFor, type Recognised } from '../tenancy/recognised-keys.ts';
import { markOf, readableOwners } from '../tenancy/store.ts';
import type { AnswersAhead } from './answers-ahead.ts';
import type { Context, ContextQuery } from './context.ts';
import { findContext } from './find-context.ts';
import { readyContext, type Readiness } from './ready-context.ts';

/** What a fetch needs. */
export interface Fetching extends Retrieving, Readiness {
  readonly metering: Metering;
  readonly answersAhead: Pick<AnswersAhead, 'asked'>;
}

/** Context for an agent that asks, where it can be from what was ready before; what it returns counts as accessed. */
export async function fetchContext(d: Fetching, access: Access, query: ContextQuery): Promise<Context> {
  const ready = await readyContext(d, access, {
    query,
    isCurrent: d.isAlone
      ? (answer) => d.heardChanges.isCurrent(access.i, answer)
      : async ({ named, mark }, isolation) =>
          mark === markOf(await readableOwners(d.db, access.i, named, isolation)),
    isElsewhere: !d.isAlone,
  });
  return served(d, access, query, ready ?? (await findContext(d, access, query)));
}

/**
 * The same for a key that is only recognised, from what this process has ready; null when that does not answer, or not
 * to this key any more: then it has to be authenticated.
 */
export async function fetchReady(d: Fetching, caller: Recognised, query: ContextQuery): Promise<Context | null> {
  const { access } = caller;
  const ready = await readyContext(d, access, {
    query,
    isCurrent: async ({ named, mark }, isolation) => mark === (await markFor(d.db, caller, { named, isolation })),
    isElsewhere: false,
  });
  return ready && served(d, access, query, ready);
}

function served(d: Fetching, access: Access, query: ContextQuery, context: Context<AnsweredMemory>): Context {
  const now = d.now();
  d.answersAhead.asked(access, query);
  d.metering.countAccesses(
    access.i,
    context.memories.map((memory) => memory.uuid),
    now,
  );
  d.metering.countUserCall(access.i, context.named.userId, now);
  return context;
}
