import { currentConfiguration } from '../configurations/store.ts';
import { readLastingMemories } from '../memories/standing-store.ts';
import type { Metering } from '../metering/metering.ts';
import { hydrate } from '../retrieval/hydrate.ts';
import type { Retrieving } from '../retrieval/search.ts';
import type { Access } from '../tenancy/access.ts';
import { narrow } from '../tenancy/authenticate.ts';
import type { Context, ContextQuery } from './context.ts';
import { promptBlock } from './prompt-block.ts';

/** What rendering a prompt needs. */
export interface Prompting extends Retrieving {
  readonly metering: Metering;
  readonly now: () => Date;
}

/** More standing memories than this are not read: instructions first, then who somebody is, then strong preferences. */
const standingAtMost = 50;

/** The context with its block for a prompt, where that was asked for. Its standing memories count as accessed, too. */
export async function addPrompt(d: Prompting, access: Access, query: ContextQuery, context: Context): Promise<Context> {
  if (query.format !== 'prompt') return context;
  const configuration = await currentConfiguration(d.db, access);
  const reader = await narrow(d.readers, access, context.named, configuration.isolation);
  const ids = await readLastingMemories(d.db, reader, { asOf: query.asOf, limit: standingAtMost });
  const hits = ids.map((id) => ({ id, score: 0, parts: {} }));
  const lasting = await hydrate(d, reader, configuration, hits, { explain: false, asOf: query.asOf });
  const standing = lasting.filter(({ type }) => !query.types || query.types.includes(type));
  const budget = query.contextBudget ?? configuration.retrieval.context_budget ?? Infinity;
  const { text, exceeded } = promptBlock({ standing, relevant: context.memories }, budget);
  const counted = new Set(context.memories.map(({ id }) => id));
  const shown = standing.filter(({ id }) => !counted.has(id) && text.includes(`"${id}"`));
  d.metering.countAccesses(
    access.i,
    shown.map(({ uuid }) => uuid),
    d.now(),
  );
  return { ...context, prompt: text, budgetExceeded: context.budgetExceeded || exceeded };
}
