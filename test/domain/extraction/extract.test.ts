import { expect, test } from 'vitest';
import { splitIntoPassages } from '../../../src/domain/extraction/passages.ts';
import { extractFrom, typedIn } from './said.ts';

const sentence = (n: number) => `On walk number ${n} we passed the old mill and counted ${n} herons on the bank.`;
const paragraphs = Array.from({ length: 12 }, (_, n) => [0, 1, 2, 3].map((m) => sentence(n * 4 + m)).join(' '));

test('every turn that says something is kept verbatim, whoever said it', async () => {
  const { candidates } = await extractFrom(['Where did I park?', ['assistant', 'Behind the theatre.']]);
  expect(candidates.map(({ type, content, turns, confidence }) => ({ type, content, turns, confidence }))).toEqual([
    { type: 'episodes', content: 'Where did I park?', turns: [0], confidence: 1 },
    { type: 'episodes', content: 'Behind the theatre.', turns: [1], confidence: 1 },
  ]);
});

test('a long text is cut at paragraphs and sentences, and nothing is lost', async () => {
  const text = paragraphs.join('\n\n');
  const { candidates } = await extractFrom([text], { documentType: 'document' });
  const passages = candidates.filter(({ type }) => type === 'episodes');
  expect(
    passages.every(({ content, turns }) => content.length <= 1_000 && text.includes(content) && turns[0] === 0),
  ).toBe(true);
  expect(
    passages
      .map(({ content }) => content)
      .join(' ')
      .replace(/\s+/gu, ' '),
  ).toBe(text.replace(/\s+/gu, ' '));
});

test.each([
  {
    case: 'a code block stays whole',
    text: `${paragraphs[0]}\n\n\`\`\`\n${'run();\n'.repeat(180)}\`\`\`\n\n${paragraphs[1]}`,
    holds: '```\nrun();',
  },
  {
    case: 'a heading stays with its text',
    text: `${paragraphs.slice(0, 3).join('\n\n')}\n\n## Herons\n\n${paragraphs[4]}`,
    holds: `## Herons\n\n${paragraphs[4]}`,
  },
])('$case', ({ text, holds }) =>
  expect(splitIntoPassages(text, { whole: 1_000, target: 900 }).some(({ content }) => content.startsWith(holds))).toBe(
    true,
  ),
);

test('a sentence is cut only when it alone is too long, never inside a character', () => {
  const passages = splitIntoPassages('🦩'.repeat(1_500), { whole: 1_000, target: 900 }).map(({ content }) => content);
  expect(passages.join('')).toBe('🦩'.repeat(1_500));
  expect(passages.every((passage) => passage.isWellFormed?.() ?? true)).toBe(true);
});

test('what is less sure than the threshold is left out and counted', async () => {
  const sure = await extractFrom(['My cousin Jorun runs a bakery in Graz.']);
  const unsure = await extractFrom(['My cousin Jorun runs a bakery in Graz.'], { threshold: 0.99 });
  expect([sure.candidates.length, unsure.candidates.length]).toEqual([2, 1]);
  expect(unsure.discarded).toEqual([{ turn: 0, reason: 'below-threshold' }]);
});

test('a turn that repeats another is cited with it', async () => {
  const { candidates } = await extractFrom(['I am allergic to walnuts.', 'I am really allergic to walnuts!']);
  expect(candidates.map(({ type, turns }) => [type, turns])).toEqual([
    ['episodes', [0, 1]],
    ['facts', [0, 1]],
  ]);
});

test('over the whole document, a short reply is kept with its question', async () => {
  const { candidates } = await extractFrom([['assistant', 'Do you still row?'], 'Yes, in Lucerne.'], {
    mode: 'long-range',
  });
  expect(candidates.findLast(({ type }) => type === 'episodes')).toMatchObject({
    content: 'Do you still row?\nYes, in Lucerne.',
    quote: 'Yes, in Lucerne.',
    turns: [0, 1],
  });
});

test.each([
  ['We have a flat in Bristol. It has two bedrooms.', 'We have a flat in Bristol. It has two bedrooms.'],
  ["I swim at the Lido. It's hard for me to get up early.", "It's hard for me to get up early."],
])('what refers to the sentence before is kept with it: %s', async (said, kept) => {
  const { candidates } = await extractFrom([said], { threshold: 0.3 });
  expect(candidates.filter(({ type }) => type !== 'episodes').map(({ content }) => content)).toContain(kept);
});

test('an assistant names only whom people brought up', async () => {
  const { candidates } = await extractFrom([
    'My cousin Jorun paints.',
    ['assistant', 'Great Artists like Picasso inspire Jorun.'],
  ]);
  expect(candidates.at(-1)?.entities).toEqual([{ name: 'Jorun', kind: 'person' }]);
});

test.each([
  ['Ich bin letzten Sommer nach Portugal gereist.', 'temporal_events'],
  ['Doch nicht 12.000, wir können bis 14.000 Euro gehen.', 'facts'],
  ['Benutze keine Emojis.', 'preferences'],
])('of German also what the model knows better in English words is kept: "%s"', async (text, type) => {
  expect((await typedIn(text)).map(({ content, type: found }) => [content, found])).toEqual([[text, type]]);
});

test.each(['Die Hauptstadt von Frankreich ist Paris.', 'Nenn mir drei Städte.', 'Ich verstehe die Aufgabe nicht.'])(
  'and nothing more of what is not: "%s"',
  async (text) => expect(await typedIn(text)).toEqual([]),
);
