import { stemsOf } from '../../../src/domain/language/stems.ts';
import type { Candidate } from '../../../src/domain/retrieval/candidate.ts';
import { analyseQuery, queryStems, type AnalysedQuery } from '../../../src/domain/retrieval/query.ts';
import { rank } from '../../../src/domain/retrieval/rerank.ts';

type Said = Pick<Candidate, 'text'> & Partial<Candidate>;

/** A query in an owner of 1,000 memories in which each of its words occurs ten times. */
export const ask = (text: string): AnalysedQuery =>
  analyseQuery(text, {
    total: 1_000,
    documentFrequency: new Map([...queryStems(text).keys()].map((stem) => [stem, 10])),
  });

/** The candidates of a small conversation; the scores of words follow from the texts, those of meaning are given. */
export function candidatesOf(query: AnalysedQuery, said: readonly Said[]): Candidate[] {
  return said.map((given, n) => {
    const shared = new Set(stemsOf(`${given.speaker ?? ''} ${given.text}`).filter((stem) => query.stems.has(stem)));
    const share = shared.size / Math.max(1, query.stems.size);
    const cosine = given.cosine ?? 0.3;
    return {
      id: `memory-${n}`,
      documentId: 'document-1',
      turn: n,
      passage: 0,
      role: 'user',
      type: 'episodes',
      at: new Date('2026-03-01T09:00:00Z'),
      bm25: 10 * share,
      ...given,
      cosine,
    };
  });
}

/** The texts, best first. */
export function ranked(question: string, said: readonly Said[]): string[] {
  const query = ask(question);
  const candidates = candidatesOf(query, said);
  return rank(query, candidates, candidates).map(({ candidate }) => candidate.text);
}
