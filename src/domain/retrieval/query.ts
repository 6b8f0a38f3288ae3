import { countStems, stemsOf } from '../language/stems.ts';

/** How common the stems of a query are: `documentFrequency` memories of `total` have the stem. */
export interface TermStatistics {
  readonly total: number;
  readonly documentFrequency: ReadonlyMap<string, number>;
}

/** Robertson-Spärck Jones idf with Lucene's +1, which keeps it positive. */
export function inverseDocumentFrequency(documentFrequency: number, total: number): number {
  return Math.log(1 + (Math.max(0, total - documentFrequency) + 0.5) / (documentFrequency + 0.5));
}

/** The weight of each stem: the rarer, the more it says. */
export const idfByStem = (
  stems: ReadonlyMap<string, number>,
  { total, documentFrequency }: TermStatistics,
): Map<string, number> =>
  new Map([...stems.keys()].map((stem) => [stem, inverseDocumentFrequency(documentFrequency.get(stem) ?? 0, total)]));

/** How often each stem occurs in a query. */
export const countQueryStems = (text: string): ReadonlyMap<string, number> => countStems(stemsOf(text));
