import { expect, test } from 'vitest';
import { askInFirstPerson } from '../../../src/domain/retrieval/first-person.ts';

test.each([
  ['Where does the user live?', 'Where do I live?'],
  ["What is this user's job?", 'What is my job?'],
  ["user's home city", 'my home city'],
  ['what the user likes to read', 'what I likes to read'],
  ['Is the user allergic to nuts?', 'am I allergic to nuts?'],
  ['foods the user has to avoid', 'foods I have to avoid'],
  ['a gift for the user', 'a gift for me'],
  ['What do you know about this user?', 'What do you know about me?'],
])('"%s" is asked as "%s"', (query, asked) => expect(askInFirstPerson(query)).toBe(asked));

test.each([
  'Where do I live?',
  'the columns of the user table',
  'what the user sees after a failed login',
  'user interface of the settings page',
  'for the user-facing errors',
  'our users',
])('"%s" stays', (query) => expect(askInFirstPerson(query)).toBe(query));
