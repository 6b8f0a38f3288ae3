import { expect, test } from 'vitest';
import { findNames, namesWithin } from '../../../src/domain/language/names.ts';

const shown = (text: string) => findNames(text).map(({ name, kind }) => `${name}: ${kind}`);

test.each([
  { case: 'kin are people', text: 'My cousin Jorun lives in Tromsø.', expected: ['Jorun: person', 'Tromsø: place'] },
  { case: 'a title belongs to the name', text: 'I saw Dr Abara at noon.', expected: ['Dr Abara: person'] },
  {
    case: 'a firm is an organization',
    text: 'I work at Larkfield Motors.',
    expected: ['Larkfield Motors: organization'],
  },
  { case: 'where one works is an organization', text: 'She works for Quillon.', expected: ['Quillon: organization'] },
  { case: 'a project is called one', text: 'The Paper Lantern project is late.', expected: ['Paper Lantern: project'] },
  { case: 'an animal is named after its kind', text: 'Our cat is called Mango.', expected: ['Mango: animal'] },
  { case: 'a product has an article', text: 'I bought a Fairphone.', expected: ['Fairphone: product'] },
  { case: 'a possessive ends a name', text: "We met at Nadja's Harbour Café.", expected: ['Nadja', 'Harbour Café'] },
  {
    case: 'who acts at the head of a sentence is a person',
    text: 'Odile reviewed the draft.',
    expected: ['Odile: person'],
  },
  {
    case: 'a university keeps its "of"',
    text: 'I studied at the University of Graz.',
    expected: ['University of Graz: organization'],
  },
  {
    case: 'a first name stands for the full one',
    text: 'I met Odile Brandt. Odile paints.',
    expected: ['Odile Brandt: person'],
  },
])('$case', ({ text, expected }) => {
  const found = expected[0]?.includes(':') ? shown(text) : findNames(text).map(({ name }) => name);
  expect(found).toEqual(expected);
});

test.each([
  {
    case: 'the head of a sentence is not a name',
    text: 'Coffee is nice. Counted seven. Sadly it broke. Seeing it helps.',
  },
  { case: 'weekdays, months and languages are none', text: 'On Monday in April I speak Dutch.' },
  { case: 'an acronym alone is none', text: 'Our API needs TLS and two GPUs.' },
  { case: 'headings and code name nothing', text: '# Final Project Notes\n\n```\nconst Foo = Bar;\n```' },
])('$case', ({ text }) => expect(shown(text)).toEqual([]));

test('names are looked up as whole words, people also by their first name', () => {
  const known = [
    { name: 'Odile Brandt', kind: 'person' as const },
    { name: 'Rom', kind: 'place' as const },
  ];
  expect(namesWithin('Odile likes Romania.', known).map(({ name }) => name)).toEqual(['Odile Brandt']);
});
