import { expect, test } from 'vitest';
import { splitSentences } from '../../../src/domain/language/sentences.ts';

test.each([
  {
    case: 'marks end sentences',
    text: 'It rained. We stayed in! Did you?',
    expected: ['It rained.', 'We stayed in!', 'Did you?'],
  },
  {
    case: 'a title does not',
    text: 'Dr. Abara called. So did Mrs. Lind.',
    expected: ['Dr. Abara called.', 'So did Mrs. Lind.'],
  },
  {
    case: 'nor does a decimal point',
    text: 'It costs 3.50 euros. Cheap.',
    expected: ['It costs 3.50 euros.', 'Cheap.'],
  },
  { case: 'nor an initial', text: 'I read J. Baldwin. Twice.', expected: ['I read J. Baldwin.', 'Twice.'] },
  {
    case: 'a wrapped line is one sentence',
    text: 'I went to the\nmarket today.',
    expected: ['I went to the\nmarket today.'],
  },
  {
    case: 'list items are sentences without their marks',
    text: '- Buy milk\n- Call Ines',
    expected: ['Buy milk', 'Call Ines'],
  },
  { case: 'marks alone are none', text: '...\n!!', expected: [] },
])('$case', ({ text, expected }) => {
  const sentences = splitSentences(text);
  expect(sentences.map((sentence) => sentence.text)).toEqual(expected);
  for (const { text: said, start } of sentences) expect(text.slice(start, start + said.length)).toBe(said);
});
