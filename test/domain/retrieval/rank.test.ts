import { describe, expect, test } from 'vitest';
import { rankCandidates } from '../../../src/domain/retrieval/rank.ts';
import { ask, candidatesOf, lexicalOf, ranked } from './candidates.ts';

describe('ranking', () => {
  test.each([
    {
      case: 'more of the words asked for come first',
      question: 'Where did Ines moor the canoe?',
      said: [
        { text: 'The weather was fine', turn: 9 },
        { text: 'Ines had to moor the canoe at the mill', turn: 1 },
      ],
      first: 'Ines had to moor the canoe at the mill',
    },
    {
      case: 'what means the same comes before what means something else',
      question: 'Which pet lives with them?',
      said: [
        { text: 'The bus was late', similarity: 0.1, turn: 9 },
        { text: 'A grey cat has moved in', similarity: 0.6, turn: 1 },
      ],
      first: 'A grey cat has moved in',
    },
    {
      case: 'what a person said comes before the same of an assistant',
      question: 'How large is my garden pond?',
      said: [
        { text: 'Your garden pond is large', role: 'assistant' as const, turn: 1 },
        { text: 'My garden pond is large', role: 'user' as const, turn: 4 },
      ],
      first: 'My garden pond is large',
    },
    {
      case: 'an answer follows the question that has the words asked for',
      question: 'What colour is the shed of Ines?',
      said: [
        { text: 'It is raining on the lake', turn: 30 },
        { text: 'Ines, what colour is the shed?', turn: 1 },
        { text: 'A deep green with white doors', turn: 2, documentId: 'document-1' },
      ],
      first: 'A deep green with white doors',
    },
    {
      case: 'a statement comes before the same question asked earlier, however like it is',
      question: 'Where is the canoe of Ines?',
      said: [
        { text: 'Where is the canoe?', similarity: 0.6, turn: 20 },
        { text: 'I moored the canoe at the mill', similarity: 0.4, turn: 1, at: new Date('2026-01-01T09:00:00Z') },
      ],
      first: 'I moored the canoe at the mill',
    },
    {
      case: 'a statement comes before the passage that it is from',
      question: 'Where is the canoe moored?',
      said: [
        { text: 'The canoe is moored at the mill', turn: 1 },
        { text: 'The canoe is moored at the mill.', turn: 1, type: 'facts' as const },
      ],
      first: 'The canoe is moored at the mill.',
    },
    {
      case: 'what holds the name asked about comes before what does not',
      question: 'When will the canoe of Bruno be ready?',
      said: [
        { text: 'The canoe will be ready on Friday', turn: 9 },
        { text: 'The canoe that Bruno ordered is ready on Friday', turn: 1 },
      ],
      first: 'The canoe that Bruno ordered is ready on Friday',
    },
  ])('$case', ({ question, said, first }) => expect(ranked(question, said)[0]).toBe(first));

  test('prefers the speaker whom the question names', () => {
    const query = ask('What instrument does Ines play?');
    const said = [
      { text: 'I play the cello', speaker: 'Bruno', turn: 9 },
      { text: 'I play the cello', speaker: 'Ines', turn: 1 },
    ];
    const [first] = rankCandidates(query, candidatesOf(query, said), []);
    expect(first?.candidate.row.speaker).toBe('Ines');
  });

  test('needs no meaning vectors', () => {
    const said = ['The bus was late', 'The canoe leaks'].map((text, turn) => ({ text, turn: turn * 9, similarity: 0 }));
    expect(ranked('What is wrong with the canoe?', said)[0]).toBe('The canoe leaks');
  });

  test('of nothing is nothing', () => expect(rankCandidates(ask('anything'), [], [])).toEqual([]));

  test.each(['', '???', '東京はどこ', 'a'.repeat(20_000)])('bears any query: %.12s', (text) => {
    const query = ask(text);
    const scores = rankCandidates(query, candidatesOf(query, [{ text: '東京' }, { text: '' }]), []).map(
      (each) => each.rank,
    );
    expect(scores.every(Number.isFinite)).toBe(true);
  });
});

test('the parts of a rank sum to it', () => {
  const query = ask('When did Ines sell the canoe?');
  const said = [{ text: 'Ines sold the canoe last week' }, { text: 'Really?', role: 'assistant' as const }];
  for (const { rank: place, parts } of rankCandidates(query, candidatesOf(query, said), [])) {
    expect(parts.reduce((sum, [, part]) => sum + part, 0)).toBeCloseTo(place);
  }
});

test('hundreds of long candidates are ranked in time that grows with their number', () => {
  const query = ask('What did Ines decide about the mooring of the old canoe at the mill?');
  const text = 'We talked about the mill, and a canoe, and then of many other things as well. '.repeat(12);
  const candidates = candidatesOf(
    query,
    Array.from({ length: 400 }, (_, turn) => ({ text, turn })),
  );
  const lexical = lexicalOf(candidates);
  rankCandidates(query, candidates, lexical);
  const times = Array.from({ length: 9 }, () => {
    const began = performance.now();
    rankCandidates(query, candidates, lexical);
    return performance.now() - began;
  });
  expect(Math.min(...times)).toBeLessThan(200); // 8 alone; quadratic, it would be seconds
});
