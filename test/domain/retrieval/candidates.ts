import { countStems, stemsOf } from '../../../src/domain/language/stems.ts';
import type { Candidate } from '../../../src/domain/retrieval/candidate.ts';
import { idfByStem } from '../../../src/domain/retrieval/retrieve.ts';
import { rankCandidates } from '../../../src/domain/retrieval/rank.ts';

type Said = Pick<Candidate, 'text'> & Partial<Candidate>;

/** The stems of a query with their idf, in an owner of 1,000 memories in which each of its words occurs ten times. */
export const ask = (text: string): ReadonlyMap<string, number> =>
  idfByStem(countStems(stemsOf(text)), {
    total: 1_000,
    documentFrequency: new Map([...countStems(stemsOf(text)).keys()].map((stem) => [stem, 10])),
  });

/** The candidates of a small conversation; the scores of words follow from the texts, similarities are given. */
export function candidatesOf(query: ReadonlyMap<string, number>, said: readonly Said[]): Candidate[] {
  return said.map((given, n) => {
    const shared = new Set(stemsOf(`${given.speaker ?? ''} ${given.text}`).filter((stem) => query.has(stem)));
    const share = shared.size / Math.max(1, query.size);
    return {
      id: `memory-${n}`,
      documentId: 'document-1',
      turn: n,
      passage: 0,
      role: 'user',
      type: 'episodes',
      at: new Date('2026-03-01T09:00:00Z'),
      bm25: 10 * share,
      similarity: 0.3,
      ...given,
    };
  });
}

/** The texts, best first. */
export function ranked(question: string, said: readonly Said[]): string[] {
  const query = ask(question);
  const candidates = candidatesOf(query, said);
  return rankCandidates(query, candidates, candidates).map(({ candidate }) => candidate.text);
}
