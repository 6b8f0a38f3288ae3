import type { Configuration, MemoryType } from '../configurations/configuration.ts';
import type { RetrievalMode } from '../retrieval/scored-memory.ts';

/** How a fetch asks, beside its words; what is left out is as the configuration says. */
export interface Manner {
  readonly types?: readonly MemoryType[] | undefined;
  readonly mode?: RetrievalMode | undefined;
  readonly contextBudget?: number | undefined;
  readonly maxResults?: number | undefined;
}

export const mannerOf = ({ types, mode, contextBudget, maxResults }: Manner): Manner => ({
  types,
  mode,
  contextBudget,
  maxResults,
});

export const isSameManner = (one: Manner, other: Manner): boolean =>
  JSON.stringify(mannerOf(one)) === JSON.stringify(mannerOf(other));

/** Two manners of one key are answered alike under this configuration, whether they say what it says or leave it out. */
export function keyOfManner(manner: Manner, { retrieval }: Pick<Configuration, 'retrieval'>): string {
  return [
    manner.mode ?? retrieval.mode,
    manner.maxResults ?? retrieval.max_results,
    manner.contextBudget ?? retrieval.context_budget ?? '',
    manner.types ? [...new Set(manner.types)].toSorted().join() : '',
  ].join('/');
}

/** What ends a sentence, and no sign within it: C++ is not C#, nor -5 the same as 5. */
const end = /[.?!…\s]+$/u;

/** What a text says, whatever its case, its spaces and the mark at its end; empty when it says nothing. */
export const wordsOf = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').replace(end, '').trim();
