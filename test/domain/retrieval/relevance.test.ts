import { expect, test } from 'vitest';
import type { RankedCandidate } from '../../../src/domain/retrieval/candidate.ts';
import { rankCandidates } from '../../../src/domain/retrieval/rank.ts';
import { judgeRelevance, scoreBySimilarity } from '../../../src/domain/retrieval/relevance.ts';
import { keepFirstPerPassage } from '../../../src/domain/retrieval/order-hits.ts';
import { ask, candidatesOf } from './candidates.ts';

const said = (texts: readonly string[]): RankedCandidate[] => {
  const query = ask('Suggest a dinner');
  return rankCandidates(
    query,
    candidatesOf(
      query,
      texts.map((text, turn) => ({ text, turn: 9 * turn })),
    ),
    [],
  );
};
const model = (needs: Readonly<Record<string, number>>) => ({
  needs: async (_: string, texts: readonly string[]) => texts.map((text) => needs[text] ?? 0.01),
});

test('what the model needs comes before what has the words of the request', async () => {
  const ranked = said(['We had dinner at eight', 'I am allergic to peanuts']);
  expect(ranked[0]?.candidate.row.text).toBe('We had dinner at eight');
  const { hits } = await judgeRelevance(model({ 'I am allergic to peanuts': 0.9 }), 'Suggest a dinner', ranked, 10);
  expect(hits.map(({ row }) => row?.text)).toEqual(['I am allergic to peanuts', 'We had dinner at eight']);
});

test('the parts of a score sum to it, judged or not', async () => {
  const texts = Array.from({ length: 40 }, (_, n) => `We had dinner number ${n}`);
  const judged = await judgeRelevance(model({}), 'Suggest a dinner', said(texts), 40);
  const unjudged = await judgeRelevance({ needs: async () => null }, 'Suggest a dinner', said(texts), 40);
  for (const { score, parts } of [...judged.hits, ...unjudged.hits])
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score);
  expect([judged.hits.length, unjudged.hits.length]).toEqual([40, 40]);
});

test('what was not judged stays behind what was', async () => {
  const texts = Array.from({ length: 40 }, (_, n) => `We had dinner number ${n}`);
  const { hits } = await judgeRelevance(model({}), 'Suggest a dinner', said(texts), 40);
  expect(hits.map(({ parts }) => Object.keys(parts)[0])).toEqual([
    ...Array.from({ length: 20 }, () => 'need'),
    ...Array.from({ length: 20 }, () => 'judgedLess'),
  ]);
});

test('a preference is judged however low it ranks', async () => {
  const dinners = Array.from({ length: 40 }, (_, n) => `We had dinner number ${n}`);
  const ranked = said([...dinners, 'Keep it short']).map(({ candidate, ...each }) => {
    const type = candidate.row.text === 'Keep it short' ? ('preferences' as const) : ('facts' as const);
    return { ...each, candidate: { ...candidate, row: { ...candidate.row, type } } };
  });
  const { hits } = await judgeRelevance(model({ 'Keep it short': 0.9 }), 'Suggest a dinner', ranked, 10);
  expect([ranked.at(-1), hits[0]?.row]).toMatchObject([
    { candidate: { row: { text: 'Keep it short' } } },
    { text: 'Keep it short' },
  ]);
});

test('without the model, the ranks decide and the caller is told', async () => {
  const { hits, wasJudged } = await judgeRelevance(
    { needs: async () => null },
    'Suggest a dinner',
    said(['a dinner', 'a boat']),
    10,
  );
  expect([wasJudged, hits[0]?.row?.text]).toEqual([false, 'a dinner']);
});

test('no passage is there twice: itself or the statements in it, whichever comes first', () => {
  const at = (turn: number, type: 'episodes' | 'facts', passage = 0) => ({
    documentId: 'document-1',
    turn,
    passage,
    type,
  });
  const items = [at(1, 'facts'), at(1, 'episodes'), at(2, 'episodes'), at(1, 'facts'), at(2, 'facts')];
  expect(keepFirstPerPassage(items, (item) => item)).toEqual([items[0], items[2], items[3]]);
  const ofLongTurn = [at(1, 'facts'), at(1, 'episodes', 1), at(1, 'facts', 1), at(1, 'episodes')];
  expect(keepFirstPerPassage(ofLongTurn, (item) => item)).toEqual(ofLongTurn.slice(0, 2));
});

test('by vectors alone, a short question is less relevant than a statement that is less like the query', () => {
  const relevance = (text: string, score: number) => {
    const [candidate] = candidatesOf(ask('How old is Ines?'), [{ text }]);
    return scoreBySimilarity({ score }, candidate!.row).score;
  };
  expect(relevance('How old is Ines?', 1)).toBeLessThan(relevance('Ines turned seven', 0.7));
  // What tells something while it asks counts in full.
  const telling = 'Could you plan a party in the garden for my niece Ines, who turned seven on the day of the regatta?';
  expect(relevance(telling, 0.8)).toBeGreaterThan(relevance('Ines turned seven', 0.7));
  // What is unlike the query is no better for asking.
  expect(relevance('How old is Ines?', -0.2)).toBe(relevance('Ines turned seven', -0.2));
});
