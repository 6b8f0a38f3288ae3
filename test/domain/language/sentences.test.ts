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

test.each([
  ['Der Geburtstermin ist der 12. Dezember. Wir freuen uns.', 2],
  ['Ich fange am 15. November bei einer Schreinerei an.', 1],
  ['Zwischenprüfung is am 26. Danach habe ich Urlaub.', 2],
  ['Der Termin wurde auf den 14. verschoben.', 1],
  ['Am 3.12. um 10:30 Uhr habe ich Physio.', 1],
  ['Vom 3. bis 5. Mai sind wir weg.', 1],
  ['Wir wohnen im 3. Stock. Ich mag es.', 2],
  ['Ich mag z. B. Nüsse, d. h. alle. Und Obst bzw. Beeren.', 2],
  ['Zimmer Nr. 5 in St. Gallen ist frei.', 1],
  ['La Sra. López vive en el núm. 4. Es mi vecina.', 2],
  ['El Sr. García es mi jefe.', 1],
  ['M. Dupont habite av. Foch. Il est médecin.', 2],
  ['I was born in 1990. March was cold.', 2],
  ['I am 26. My dog is 3. August is hot.', 3],
  ['He is John Smith Sr. He lives here.', 2],
  ['i have 2. my sister has 3. we fight.', 3],
])('"%s" is of %i sentences', (text, count) => expect(splitSentences(text)).toHaveLength(count));

test('a date at the beginning of a line is no mark of a list', () => {
  expect(splitSentences('26. Dezember: Oma kommt').map(({ text }) => text)).toEqual(['26. Dezember: Oma kommt']);
});

test(
  'a long run of stops that ends no sentence is read in a time that grows with its length',
  { timeout: 1_000 },
  () => {
    expect(splitSentences(`Well${'.'.repeat(20_000)}x`)).toHaveLength(1);
  },
);
