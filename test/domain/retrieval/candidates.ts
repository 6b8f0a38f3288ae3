import { countStems, stemsOf } from '../../../src/domain/language/stems.ts';
import type { CandidateRow } from '../../../src/domain/memories/candidate-row.ts';
import type { Candidate, LexicalScore } from '../../../src/domain/retrieval/candidate.ts';
import { idfByStem } from '../../../src/domain/retrieval/retrieve.ts';
import { rankCandidates } from '../../../src/domain/retrieval/rank.ts';

type Said = Pick<CandidateRow, 'text'> & Partial<CandidateRow & Omit<Candidate, 'row'>>;

/** The stems of a query with their idf, in an owner of 1,000 memories in which each of its words occurs ten times. */
export const ask = (text: string): ReadonlyMap<string, number> =>
  idfByStem(countStems(stemsOf(text)), {
    total: 1_000,
    documentFrequency: new Map([...countStems(stemsOf(text)).keys()].map((stem) => [stem, 10])),
  });

/** The candidates of a small conversation; the scores of words follow from the texts, similarities are given. */
export function candidatesOf(query: ReadonlyMap<string, number>, said: readonly Said[]): Candidate[] {
  return said.map(({ bm25, similarity = 0.3, ...given }, n) => {
    const shared = new Set(stemsOf(`${given.speaker ?? ''} ${given.text}`).filter((stem) => query.has(stem)));
    const share = shared.size / Math.max(1, query.size);
    const row: CandidateRow = {
      id: `memory-${n}`,
      documentId: 'document-1',
      turn: n,
      passage: 0,
      role: 'user',
      speaker: undefined,
      type: 'episodes',
      at: new Date('2026-03-01T09:00:00Z'),
      ...given,
    };
    return { row, bm25: bm25 ?? 10 * share, similarity };
  });
}

export const lexicalOf = (candidates: readonly Candidate[]): LexicalScore[] =>
  candidates.map(({ row: { documentId, turn }, bm25 }) => ({ documentId, turn, bm25 }));

/** The texts, best first. */
export function ranked(question: string, said: readonly Said[]): string[] {
  const query = ask(question);
  const candidates = candidatesOf(query, said);
  return rankCandidates(query, candidates, lexicalOf(candidates)).map(({ candidate }) => candidate.row.text);
}
