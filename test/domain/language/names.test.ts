import { expect, test } from 'vitest';
import { findNames, nameFinder } from '../../../src/domain/language/names.ts';

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
  ['Nächste Woche habe ich um 15 Uhr einen Termin bei Frau Schmidt.', ['Frau Schmidt: person']],
  ['Im Dezember nehme ich den Flug nach Cádiz.', ['Cádiz: place']],
  ['Kleine Korrektur: Mein Kater heißt Moritz.', ['Moritz: animal']],
  ['Meine Mutter ist Diabetikerin und mein Vater Diabetiker.', []],
  [
    'Ich sammle Rezepte und arbeite beim Atelier Roux im Tagdienst, nicht bei der Post.',
    ['Atelier Roux: organization'],
  ],
  ['Meine Chefin Petra Lang kommt aus Lübeck.', ['Petra Lang: person', 'Lübeck: place']],
  ['Am Freitag hat meine Mutter Geburtstag.', []],
  ['Ich gehe in Rente und ziehe nach Hause.', []],
  ['Eine Tasse Kaffee und ein Stück Kuchen, bitte.', []],
  ['Meine Tochter Lena ist krank. Seit gestern hat Lena Fieber.', ['Lena: person']],
  ['Karim mag keinen Kaffee, und niemand mag Regen.', ['Karim: person']],
  ['Ich arbeite bei Siemens.', ['Siemens: organization']],
])('in German, where each noun has a capital, "%s" names %s', (text, expected) =>
  expect(shown(text)).toEqual(expected),
);

test.each([
  { case: 'one flies to a place', text: 'We are flying to Lisbon in May.', expected: ['Lisbon: place'] },
  {
    case: 'and moves from one to another',
    text: 'I moved to Bristol from Cardiff.',
    expected: ['Bristol: place', 'Cardiff: place'],
  },
  { case: 'also with the family', text: 'We drove with the kids to Faro.', expected: ['Faro: place'] },
  { case: 'one is back from a place', text: 'I am back from Oslo.', expected: ['Oslo: place'] },
  { case: 'one comes from a place', text: 'She is from Tartu.', expected: ['Tartu: place'] },
  { case: 'one visits a place', text: 'I visited Porto in May.', expected: ['Porto: place'] },
  { case: 'or somebody in a place', text: 'I visited Odile in Graz.', expected: ['Odile: person', 'Graz: place'] },
  {
    case: 'a list is of one kind',
    text: 'We toured Georgia and Jordan in June.',
    expected: ['Georgia: place', 'Jordan: place'],
  },
  { case: 'also of people', text: 'I had lunch with Jorun and Odile.', expected: ['Jorun: person', 'Odile: person'] },
  { case: 'a name among kin is a person', text: 'My cousin Jordan called.', expected: ['Jordan: person'] },
  { case: 'one joins a firm', text: 'I joined Quillon as a designer.', expected: ['Quillon: organization'] },
  { case: 'but somebody for lunch', text: 'I joined Jorun for lunch.', expected: ['Jorun: other'] },
  { case: 'one starts at a firm', text: 'I am starting at Quillon as a nurse.', expected: ['Quillon: organization'] },
  { case: 'what stands before the name has it', text: 'An app called Quillon helps.', expected: ['Quillon: product'] },
  { case: 'one builds with tools', text: 'I build web apps with Svelte.', expected: ['Svelte: product'] },
  { case: 'and talks with people', text: 'I had a debate with Jorun.', expected: ['Jorun: person'] },
  { case: 'a shop or a person', text: 'I bought a lamp from Quillon.', expected: ['Quillon: other'] },
  { case: 'at somebody’s is no place of that name', text: 'We ate at Brando’s.', expected: ['Brando: other'] },
  {
    case: 'one works with people of a firm',
    text: 'I work with Katherine Miller at Globex.',
    expected: ['Katherine Miller: person', 'Globex: organization'],
  },
  {
    case: 'and meets them',
    text: 'I met Jon Smith of Globex.',
    expected: ['Jon Smith: person', 'Globex: organization'],
  },
  {
    case: 'what follows the firm is done by its people',
    text: 'Katherine Miller of Globex called me.',
    expected: ['Katherine Miller: person', 'Globex: organization'],
  },
  { case: 'or they are from a place', text: 'I met Jon from Berlin.', expected: ['Jon: person', 'Berlin: place'] },
  {
    case: 'also from one that few know',
    text: 'I met Jon from Kettering.',
    expected: ['Jon: person', 'Kettering: other'],
  },
  {
    case: 'who call from there',
    text: 'My friend Maria from Braunschweig called.',
    expected: ['Maria: person', 'Braunschweig: other'],
  },
  { case: 'or met in one', text: 'I met Lena at Quillon.', expected: ['Lena: person', 'Quillon: other'] },
  {
    case: 'two people are none’s firm',
    text: 'A letter to Ann Lee from Tom Berg came.',
    expected: ['Ann Lee: person', 'Tom Berg: person'],
  },
  { case: 'with whom one works tells nothing', text: 'I work with Quillon.', expected: ['Quillon: other'] },
  { case: 'a belief leads nowhere', text: 'I invest in Quillon.', expected: ['Quillon: other'] },
  {
    case: 'a month among friends is a person',
    text: 'My friend April lives in Paris.',
    expected: ['April: person', 'Paris: place'],
  },
])('kind: $case', ({ text, expected }) => expect(shown(text)).toEqual(expected));

test.each([
  {
    case: 'the head of a sentence is not a name',
    text: 'Coffee is nice. Counted seven. Sadly it broke. Seeing it helps.',
  },
  { case: 'weekdays, months and languages are none', text: 'On Monday in April I speak Dutch.' },
  { case: 'also beside a role', text: 'I told my boss, April 3 is fine, May too.' },
  { case: 'an acronym alone is none', text: 'Our API needs TLS and two GPUs.' },
  { case: 'code between tildes names nothing', text: '~~~\nconst Foo = Bar;\n~~~' },
  { case: 'headings and code name nothing', text: '# Final Project Notes\n\n```\nconst Foo = Bar;\n```' },
])('$case', ({ text }) => expect(shown(text)).toEqual([]));

test('names are looked up as whole words, people also by their first name', () => {
  const known = [
    { name: 'Odile Brandt', kind: 'person' as const },
    { name: 'Rom', kind: 'place' as const },
  ];
  expect(nameFinder(known)('Odile likes Romania.').map(({ name }) => name)).toEqual(['Odile Brandt']);
});
