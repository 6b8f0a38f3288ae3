import { describe, expect, test } from 'vitest';
import { analyseQuery, inverseDocumentFrequency, type QueryTraits } from '../../../src/domain/retrieval/query.ts';

const traits = (text: string) => {
  const found = analyseQuery(text, { total: 10, documentFrequency: new Map() }).traits;
  return (Object.keys(found) as (keyof QueryTraits)[]).filter((name) => found[name]);
};

test.each<{ text: string; asks: (keyof QueryTraits)[] }>([
  { text: 'When did Ines sell the canoe?', asks: ['asksWhen'] },
  { text: 'What year was the mill built?', asks: ['asksWhen'] },
  { text: 'How many boats are moored there?', asks: ['asksHowMany'] },
  { text: 'How many days passed before the launch?', asks: ['asksWhen', 'asksHowMany'] },
  { text: 'Give me an overview of the repairs', asks: ['asksSummary'] },
  { text: 'Have I ever repaired a sail?', asks: ['asksWhether', 'recalls'] },
  { text: 'How should I store the paddles?', asks: ['wantsAdvice'] },
  { text: 'What did you say about the varnish?', asks: ['asksAssistant', 'recalls'] },
  { text: 'In which order did I visit the locks?', asks: ['recalls'] },
  { text: 'Name of the mill', asks: [] },
])('"$text" asks for: $asks', ({ text, asks }) => expect(traits(text)).toEqual(asks));

describe('the time a question names', () => {
  const then = new Date('2025-05-20T12:00:00Z');
  test.each([
    { text: 'What happened in May?', said: 1 },
    { text: 'What happened on May 3, 2025?', said: 1 },
    { text: 'What happened in May 2024?', said: 0 },
    { text: 'What happened in June?', said: 0 },
    { text: 'What may happen?', said: 0 },
  ])('"$text" means 20 May 2025: $said', ({ text, said }) => {
    expect(analyseQuery(text, { total: 0, documentFrequency: new Map() }).saidThen(then)).toBe(said);
  });
});

test('a rarer word weighs more, and none weighs less than nothing', () => {
  const [unknown, rare, common, everywhere] = [0, 1, 500, 1_000].map((df) => inverseDocumentFrequency(df, 1_000));
  expect([unknown, rare, common, everywhere].toSorted((a, b) => b! - a!)).toEqual([unknown, rare, common, everywhere]);
  expect(everywhere).toBeGreaterThan(0);
});
