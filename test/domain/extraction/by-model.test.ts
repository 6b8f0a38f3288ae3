import { expect, test } from 'vitest';
import { addModelMemories } from '../../../src/domain/extraction/add-model-memories.ts';
import { ModelAnswer, type ModelMemory } from '../../../src/domain/extraction/model-answer.ts';
import { parseAnswer } from '../../../src/domain/extraction/structured-answer.ts';
import { extractFrom, turnsOf } from './said.ts';

const said = [
  'Hi there!',
  'My sister Ottoline moved to Turku in May, and she keeps bees on her roof.',
  ['assistant', 'Beekeeping in Turku sounds cold. You should visit Ottoline in June.'],
  'I live in Ghent.',
  'She said: “the hives are\nfull”.',
] as const;

const told = (memory: Partial<ModelMemory>): ModelMemory => ({
  type: 'facts',
  category: 'relations',
  content: "The user's sister Ottoline keeps bees in Turku.",
  confidence: 0.9,
  turns: [1],
  quote: 'she keeps bees on her roof',
  entities: [],
  event_start: null,
  event_end: null,
  due_at: null,
  ...memory,
});

const typed = async (memories: ModelMemory[]) => {
  const ruled = await extractFrom(said, { mode: 'long-range' });
  const { candidates, discarded } = addModelMemories(ruled, memories, turnsOf(said), 0.7);
  const before = new Set(ruled.candidates.map(({ content }) => content));
  const added = candidates.filter(({ content }) => !before.has(content));
  return { ruled, candidates, added, discarded: discarded - ruled.discarded.length };
};

test('what a model finds is kept beside the verbatim passages, with the turn and the words it rests on', async () => {
  const { added, candidates, ruled } = await typed([told({ event_start: '2026-05', turns: [1, 4] })]);
  expect(added).toMatchObject([
    {
      type: 'facts',
      content: "The user's sister Ottoline keeps bees in Turku.",
      turns: [1, 4],
      quote: 'she keeps bees on her roof',
      event: { start: new Date('2026-05-01T00:00:00Z'), precision: 'month' },
    },
  ]);
  const episodes = (all: typeof candidates) => all.filter(({ type }) => type === 'episodes');
  expect(episodes(candidates)).toEqual(episodes(ruled.candidates));
});

test('a quote counts in the words of the turn, whatever became of its quotation marks and line breaks', async () => {
  expect((await typed([told({ quote: '"the hives are full"', turns: [4] })])).added).toMatchObject([
    { quote: '“the hives are\nfull”', turns: [4] },
  ]);
});

test.each([
  { case: 'words that nobody said', memory: { quote: 'she sold her bees' } },
  { case: 'words of a turn that it does not cite', memory: { turns: [3] } },
  { case: 'a turn that is not there', memory: { turns: [99] } },
  { case: 'what only the assistant said', memory: { quote: 'You should visit Ottoline in June.', turns: [2] } },
  { case: 'a greeting', memory: { quote: 'Hi there!', turns: [0] } },
  { case: 'what it is not sure of', memory: { confidence: 0.5 } },
])('$case is not kept', async ({ memory }) => {
  expect(await typed([told(memory)])).toMatchObject({ added: [], discarded: 1 });
});

test('of the names only those are kept that are in the turns it cites', async () => {
  const entities = [
    { name: 'Ottoline', kind: 'person' as const },
    { name: 'Brunhilde', kind: 'person' as const },
  ];
  expect((await typed([told({ entities })])).added[0]!.entities.map(({ name }) => name)).not.toContain('Brunhilde');
});

test('a statement that the rules found too is one memory, and still replaces what it replaced', async () => {
  const { added, candidates } = await typed([
    told({ category: 'places', content: 'The user lives in Ghent.', turns: [3], quote: 'I live in Ghent' }),
  ]);
  expect(added).toMatchObject([{ attribute: { subject: 'user', name: 'residence', value: 'ghent' } }]);
  expect(candidates.filter(({ attribute }) => attribute)).toHaveLength(1);
});

test('no model is surer than it can be', async () => {
  expect((await typed([told({ type: 'emotions', confidence: 1 })])).added[0]!.confidence).toBe(0.95);
});

test.each([
  {
    case: 'in prose and a fence',
    text: `Sure!\n\`\`\`json\n${JSON.stringify({ memories: [told({})] })}\n\`\`\``,
    good: 1,
  },
  { case: 'nothing', text: '', good: null },
  { case: 'cut off', text: '{"memories": [{"type": "facts", "categ', good: null },
  { case: 'a type that is none', text: JSON.stringify({ memories: [{ ...told({}), type: 'episodes' }] }), good: null },
  { case: 'a date that is none', text: JSON.stringify({ memories: [told({ due_at: 'soon' })] }), good: null },
  { case: 'a field that is missing', text: JSON.stringify({ memories: [{ type: 'facts' }] }), good: null },
])('an answer: $case', ({ text, good }) => {
  const read = parseAnswer(ModelAnswer, text);
  if (good === null) expect(read).toEqual({ wrong: expect.any(String) });
  else expect(read).toMatchObject({ answer: { memories: [{ type: 'facts' }] } });
});
