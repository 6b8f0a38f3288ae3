import type { Configuration } from '../configurations/configuration.ts';
import type { MemoryType } from '../memory-types.ts';
import type { Provenance } from '../extraction/provenance.ts';
import type { RetrievalMode } from '../configurations/configuration.ts';
import type { Scope } from '../tenancy/access.ts';

/** The options of a fetch; the configuration decides those that are left out. */
export interface FetchOptions {
  readonly types?: readonly MemoryType[] | undefined;
  /** Only memories kept at these scopes. Default: all that the named may read. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Only memories of these provenances; default: any. */
  readonly provenance?: readonly Provenance[] | undefined;
  readonly mode?: RetrievalMode | undefined;
  readonly contextBudget?: number | undefined;
  readonly maxResults?: number | undefined;
  /** 0 to 1: what is less relevant is left out. Default: `defaultMinRelevance`. */
  readonly minRelevance?: number | undefined;
}

/**
 * The defaults of `minRelevance`: below them a memory is hardly ever needed. Low, since a model reads the results; in
 * `fast` higher, since similarity alone never calls anything quite irrelevant.
 */
export const defaultMinRelevance: Readonly<Record<RetrievalMode, number>> = { fast: 0.03, accurate: 0.024 };

export const fetchOptionsOf = ({
  types,
  scopes,
  provenance,
  mode,
  contextBudget,
  maxResults,
  minRelevance,
}: FetchOptions): FetchOptions => ({ types, scopes, provenance, mode, contextBudget, maxResults, minRelevance });

export const isSameOptions = (one: FetchOptions, other: FetchOptions): boolean =>
  JSON.stringify(fetchOptionsOf(one)) === JSON.stringify(fetchOptionsOf(other));

/** Options of one key mean the same under this configuration, whether they say what it says or leave it out. */
export function optionsKeyOf(options: FetchOptions, { retrieval }: Pick<Configuration, 'retrieval'>): string {
  const { mode = retrieval.mode } = options;
  return [
    mode,
    options.maxResults ?? retrieval.max_results,
    options.contextBudget ?? retrieval.context_budget ?? '',
    options.minRelevance ?? defaultMinRelevance[mode],
    setOf(options.types),
    setOf(options.scopes),
    setOf(options.provenance),
  ].join('/');
}

const setOf = (names: readonly string[] = []): string => [...new Set(names)].toSorted().join();

/** The end of a sentence; a sign within it stays, since C++ is not C#, nor -5 the same as 5. */
const end = /[.?!…\s]+$/u;

/** The words of a text, whatever its case, its spaces and the sign at its end; empty when it has none. */
export const normaliseQueryText = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').replace(end, '').trim();
