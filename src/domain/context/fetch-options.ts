import type { Configuration, MemoryType } from '../configurations/configuration.ts';
import type { RetrievalMode } from '../memories/scored-memory.ts';

/** The options of a fetch; the configuration decides those that are left out. */
export interface FetchOptions {
  readonly types?: readonly MemoryType[] | undefined;
  readonly mode?: RetrievalMode | undefined;
  readonly contextBudget?: number | undefined;
  readonly maxResults?: number | undefined;
}

export const fetchOptionsOf = ({ types, mode, contextBudget, maxResults }: FetchOptions): FetchOptions => ({
  types,
  mode,
  contextBudget,
  maxResults,
});

export const isSameOptions = (one: FetchOptions, other: FetchOptions): boolean =>
  JSON.stringify(fetchOptionsOf(one)) === JSON.stringify(fetchOptionsOf(other));

/** Options of one key mean the same under this configuration, whether they say what it says or leave it out. */
export function optionsKeyOf(options: FetchOptions, { retrieval }: Pick<Configuration, 'retrieval'>): string {
  return [
    options.mode ?? retrieval.mode,
    options.maxResults ?? retrieval.max_results,
    options.contextBudget ?? retrieval.context_budget ?? '',
    options.types ? [...new Set(options.types)].toSorted().join() : '',
  ].join('/');
}

/** The end of a sentence; a sign within it stays, since C++ is not C#, nor -5 the same as 5. */
const end = /[.?!…\s]+$/u;

/** The words of a text, whatever its case, its spaces and the sign at its end; empty when it has none. */
export const wordsOf = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').replace(end, '').trim();
