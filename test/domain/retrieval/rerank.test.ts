import { describe, expect, test } from 'vitest';
import { rank } from '../../../src/domain/retrieval/rerank.ts';
import { ask, candidatesOf, ranked } from './candidates.ts';

const day = (date: string): Date => new Date(`${date}T09:00:00Z`);

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
        { text: 'The bus was late', cosine: 0.1, turn: 9 },
        { text: 'A grey cat has moved in', cosine: 0.6, turn: 1 },
      ],
      first: 'A grey cat has moved in',
    },
    {
      case: 'what was said in the month asked about comes before the same of another month',
      question: 'What did she paint in June 2025?',
      said: [
        { text: 'She had to paint a fence', at: day('2025-02-10') },
        { text: 'She had to paint a gate', at: day('2025-06-10'), documentId: 'document-2' },
      ],
      first: 'She had to paint a gate',
    },
    {
      case: 'what a person said comes before the same of an assistant',
      question: 'How large is my garden pond?',
      said: [
        { text: 'Your garden pond is large', role: 'assistant', turn: 1 },
        { text: 'My garden pond is large', role: 'user', turn: 4 },
      ],
      first: 'My garden pond is large',
    },
    {
      case: 'a standing instruction has no say in what happened',
      question: 'Which tools did I use to repair the canoe?',
      said: [
        { text: 'Always list the tools when I ask about a canoe.', type: 'preferences' as const, turn: 9, cosine: 0.5 },
        { text: 'I had to repair the canoe with a spokeshave', turn: 1, cosine: 0.5 },
      ],
      first: 'I had to repair the canoe with a spokeshave',
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
    {
      case: 'a statement comes before a question of the same words',
      question: 'What colour is the shed of Ines?',
      said: [
        { text: 'Ines, what colour is the shed?', turn: 30 },
        { text: 'Ines, the shed has a green colour.', turn: 1 },
      ],
      first: 'Ines, the shed has a green colour.',
    },
  ])('$case', ({ question, said, first }) => expect(ranked(question, said)[0]).toBe(first));

  test('prefers the speaker whom the question names', () => {
    const query = ask('What instrument does Ines play?');
    const said = [
      { text: 'I play the cello', speaker: 'Bruno', turn: 9 },
      { text: 'I play the cello', speaker: 'Ines', turn: 1 },
    ];
    const [first] = rank(query, candidatesOf(query, said), []);
    expect(first?.candidate.speaker).toBe('Ines');
  });

  test('needs no meaning vectors', () => {
    const said = ['The bus was late', 'The canoe leaks'].map((text, turn) => ({ text, turn: turn * 9, cosine: 0 }));
    expect(ranked('What is wrong with the canoe?', said)[0]).toBe('The canoe leaks');
  });

  test('of nothing is nothing', () => expect(rank(ask('anything'), [], [])).toEqual([]));

  test.each(['', '???', '東京はどこ', 'a'.repeat(20_000)])('bears any query: %.12s', (text) => {
    const query = ask(text);
    const scores = rank(query, candidatesOf(query, [{ text: '東京' }, { text: '' }]), []).map(({ score }) => score);
    expect(scores.every(Number.isFinite)).toBe(true);
  });
});

test('the parts of a score sum to it', () => {
  const query = ask('When did Ines sell the canoe?');
  const said = [{ text: 'Ines sold the canoe last week' }, { text: 'Really?', role: 'assistant' }];
  for (const { score, parts } of rank(query, candidatesOf(query, said), [])) {
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score);
  }
});

test('hundreds of long candidates are ranked in time that grows with their number', () => {
  const query = ask('What did Ines decide about the mooring of the old canoe at the mill?');
  const text = 'We talked about the mill, and a canoe, and then of many other things as well. '.repeat(12);
  const candidates = candidatesOf(
    query,
    Array.from({ length: 400 }, (_, turn) => ({ text, turn })),
  );
  rank(query, candidates, candidates);
  const times = Array.from({ length: 9 }, () => {
    const began = performance.now();
    rank(query, candidates, candidates);
    return performance.now() - began;
  });
  expect(Math.min(...times)).toBeLessThan(200); // 8 alone; quadratic, it would be seconds
});
