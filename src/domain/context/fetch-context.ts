import { currentConfiguration } from '../configurations/store.ts';
import { recentMessages } from '../conversations/read-conversation.ts';
import type { Metering } from '../metering/metering.ts';
import type { AnsweredMemory } from '../ready-answers/ready-answer.ts';
import type { Retrieving } from '../retrieval/search.ts';
import type { Access } from '../tenancy/access.ts';
import { narrowedTo } from '../tenancy/authenticate.ts';
import { standingOf, type Recognised } from '../tenancy/recognised-keys.ts';
import { markOf, readableOwners } from '../tenancy/store.ts';
import type { AnswersAhead } from './answers-ahead.ts';
import type { Context, ContextQuery } from './context.ts';
import { findContext, findFor } from './find-context.ts';
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
    check: d.isAlone
      ? (answer) => ({
          isCurrent: d.heardChanges.isCurrent(access.i, answer),
          messageCount: answer.heardMore?.() === false ? answer.recent.count : undefined,
        })
      : async ({ named, mark }, { isolation }) => ({
          isCurrent: mark === markOf(await readableOwners(d.db, access.i, named, isolation)),
          messageCount: undefined,
        }),
    isElsewhere: !d.isAlone,
  });
  if (ready) return served(d, access, query, ready);
  const found = await findContext(d, access, query);
  const { conversationId } = query;
  const recent = conversationId ? await recentMessages(d.db, access, conversationId) : null; // read last
  return served(d, access, query, { ...found, recentMessages: recent });
}

/**
 * The same for a key that is only recognised, where one statement confirms it with all that the answer hangs on: from
 * what this process has ready, or for a reader whom it knows. Null otherwise, or when the key is not confirmed: it has to
 * be authenticated then.
 */
export async function fetchRecognised(d: Fetching, caller: Recognised, query: ContextQuery): Promise<Context | null> {
  const { access } = caller;
  const ready = await readyContext(d, access, {
    query,
    async check({ named, mark }, where) {
      const standing = await standingOf(d.db, caller, { named, ...where });
      return { isCurrent: standing?.mark === mark, messageCount: standing?.messageCount };
    },
    isElsewhere: false,
  });
  return ready ? served(d, access, query, ready) : fetchForKnownReader(d, caller, query);
}

/** For a reader who is known, and reads what they read before. Whose a conversation is would have to be read. */
async function fetchForKnownReader(d: Fetching, caller: Recognised, query: ContextQuery): Promise<Context | null> {
  const { access } = caller;
  if (query.conversationId !== undefined) return null;
  const named = { userId: query.userId, customerId: query.customerId };
  const configuration = await currentConfiguration(d.db, access);
  const { isolation } = configuration;
  const owners = d.readers.asBefore(access.i, named, isolation);
  if (!owners) return null;
  d.embedding.begin(access, query.searchQueries); // of a key that was revoked this minute in vain, within its rate
  const standing = await standingOf(d.db, caller, { named, isolation });
  if (standing?.mark !== markOf(owners)) return null;
  const reader = narrowedTo(access, owners, { named, isolation });
  return served(d, access, query, {
    ...(await findFor(d, reader, { named, configuration, query })),
    recentMessages: null,
  });
}

function served(d: Fetching, access: Access, query: ContextQuery, context: Context<AnsweredMemory>): Context {
  const now = d.now();
  if (access.principal.kind !== 'browser') d.answersAhead.asked(access, query); // it is agents that answers are made ready for
  d.metering.countAccesses(
    access.i,
    context.memories.map((memory) => memory.uuid),
    now,
  );
  d.metering.countUserCall(access.i, context.named.userId, now);
  return context;
}
