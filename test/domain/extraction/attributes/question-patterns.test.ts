import { expect, test } from 'vitest';
import { askedAttributes } from '../../../../src/domain/extraction/attributes/question-patterns.ts';
import { statedAttributeOf } from '../../../../src/domain/extraction/attributes/stated-attributes.ts';
import { clausesOf } from '../../../../src/domain/extraction/clauses.ts';

const at = new Date('2026-11-20T12:00:00Z');

test.each([
  ['Where do I live?', 'I live in Leeds.'],
  ["What's my name?", 'My name is Marta.'],
  ['where does the user live now', 'I moved to York.'],
  ["What's my address?", 'My address is 12 Elm Street, Leeds.'],
  ['Which city do we live in?', 'We live in Bath.'],
  ['Where am I working these days?', 'I work at Airbus.'],
  ['Who do I work for?', 'My employer is Boeing.'],
  ["What is the user's work phone number?", 'My work number is 0113 496 0000.'],
  ["What's my e-mail?", 'My email is ada@example.org.'],
  ["Who's my landlord?", 'My landlord is Mr Fenn.'],
  ["What's my favorite colour?", 'My favourite colour is teal.'],
  ['How old am I?', 'I am 34.'],
  ['What kind of car do I drive?', 'I drive a Golf.'],
  ['When is my book club?', 'My book club is on Tuesdays.'],
])('%s asks for what "%s" tells', (question, statement) => {
  const [clause] = clausesOf(statement);
  const told = statedAttributeOf(clause!, 'user', { at });
  expect(told).toBeDefined();
  expect(askedAttributes(question)).toEqual([{ subject: 'user', name: told!.name }]);
});

test('of somebody who is named, theirs', () => {
  expect(askedAttributes('Where does Caroline live?')).toEqual([{ subject: 'caroline', name: 'residence' }]);
  expect(askedAttributes("Who is Tom's manager?")).toEqual([{ subject: 'tom', name: 'manager' }]);
  expect(askedAttributes('Where does Tom work?')).toEqual([
    { subject: 'tom', name: 'employer' },
    { subject: 'user', name: 'employer of tom' }, // as the user tells it
  ]);
});

test.each([
  'Where do I live best?',
  'Where did I live in 1998?',
  'Where do I want to live?',
  'Where do I live and work?',
  'Why do I live in Leeds?',
  'What is my favourite thing to do on Sundays with the children?',
  'I live in Leeds.',
  'Do you know where I live and what I like?',
  '',
])('"%s" asks for more, for less or for something else', (question) => {
  expect(askedAttributes(question)).toEqual([]);
});
