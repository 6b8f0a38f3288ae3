import { describe, expect, test } from 'vitest';
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

/** The texts as `fast` orders them, which knows of no scores of words. */
const inFast = (question: string, ...told: Parameters<typeof candidatesOf>[1]): string[] => {
  const query = ask(question);
  const candidates = candidatesOf(
    query,
    told.map((each, n) => ({ bm25: 0, turn: 9 * n, ...each })),
  );
  const hits = rankCandidates(query, candidates, []).map(scoreBySimilarity);
  return hits.toSorted((one, other) => other.score - one.score).map(({ row }) => row!.text);
};

describe('fast, where no model judges', () => {
  test('puts a short question behind a statement that is less like the query', () => {
    const told = { text: 'Ines turned seven', similarity: 0.5 };
    expect(inFast('How old is Ines?', { text: 'How old is Ines?', similarity: 0.6 }, told)[0]).toBe(told.text);
    // What tells something while it asks counts in full.
    const telling =
      'Could you plan a party in the garden for my niece Ines, who turned seven on the day of the regatta?';
    expect(inFast('How old is Ines?', { text: telling, similarity: 0.6 }, told)[0]).toBe(telling);
  });

  test('puts what the assistant said behind what a person said of the same', () => {
    const suggested = { text: 'A train to Leeds is best', similarity: 0.6, role: 'assistant' } as const;
    const told = { text: 'I never fly', similarity: 0.5 };
    expect(inFast('How should I travel?', suggested, told)).toEqual([told.text, suggested.text]);
  });

  test('puts what shares words with the query before what is as much like it', () => {
    const oven = { text: 'My oven has a broken element', similarity: 0.4 };
    const kiln = { text: 'My kiln has a broken element', similarity: 0.4 };
    expect(inFast('Which kiln do I use?', oven, kiln)[0]).toBe(kiln.text);
  });
});
