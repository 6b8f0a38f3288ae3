import { readStandingMemories } from '../memories/standing-memories.ts';
import type { Metering } from '../metering/metering.ts';
import type { RetrievalDependencies } from '../retrieval/search.ts';
import { narrowToScopes, type Access } from '../tenancy/access.ts';
import type { Context, ContextQuery } from './context.ts';
import { promptBlock } from './prompt-block.ts';

export interface PromptDependencies extends RetrievalDependencies {
  readonly metering: Metering;
  readonly now: () => Date;
}

/** The context with its block for a prompt. The standing memories of that count as accessed, too. */
export async function addPromptBlock(
  deps: PromptDependencies,
  access: Access,
  query: ContextQuery,
  context: Context,
): Promise<Context> {
  const reader = await deps.readers.reader(access, context.named);
  const { types, provenance, asOf } = query;
  const searched = narrowToScopes(reader.access, query.scopes);
  const lasting = await readStandingMemories(deps.db, searched, { types, provenance, asOf });
  const hits = lasting.map(({ id }) => ({ id, score: 0, parts: {} }));
  const standing = await deps.readers.hydrate(deps.db, reader, hits, { explain: false, asOf });
  const budget = query.contextBudget ?? reader.configuration.retrieval.context_budget ?? Infinity;
  const { text, budgetExceeded } = promptBlock({ standing, relevant: context.memories }, budget);
  const counted = new Set(context.memories.map(({ id }) => id));
  const shown = standing.filter(({ id }) => !counted.has(id) && text.includes(`"${id}"`));
  deps.metering.countAccesses(
    access.instanceNumber,
    shown.map(({ uuid }) => uuid),
    deps.now(),
  );
  return { ...context, prompt: text, budgetExceeded: context.budgetExceeded || budgetExceeded };
}
