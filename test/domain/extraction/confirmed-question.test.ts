import { expect, test } from 'vitest';
import { confirmedStatement } from '../../../src/domain/extraction/confirmed-question.ts';

test.each([
  ['So you are allergic to latex?', 'yes', 'I am allergic to latex'],
  ["You're vegetarian, right?", "Yeah, that's right.", 'I am vegetarian'],
  ['Do you take sugar?', 'no', 'I do not take sugar'],
  ['Do you take sugar?', 'Yes please', 'I take sugar'],
  ['Can you eat nuts?', 'Sure.', 'I can eat nuts'],
  ['Have you got a car?', 'Nope', 'I have not got a car'],
  ['You have a car, right?', 'no, I don’t', 'I do not have a car'],
  ['Can you eat nuts?', 'No', 'I cannot eat nuts'],
  ['And do you work with your sister?', 'I do.', 'I work with my sister'],
  ['Are you still at the hospital?', 'no, not at all', 'I am no longer at the hospital'],
  ['Do you still smoke?', 'no', 'I no longer smoke'],
  ['Shall I remind you the evening before?', 'yes please', 'Remind me the evening before'],
  ['Would you like me to answer in French from now on?', 'yes', 'Answer in French from now on'],
])('"%s" - "%s" says: %s', (question, answer, statement) => {
  expect(confirmedStatement(question, answer)).toBe(statement);
});

test.each([
  ['an answer of its own', 'Do you take sugar?', 'yes, two lumps'],
  ['a question of two things', 'Do you take tea or coffee?', 'yes'],
  ['a question of somebody else', 'Is your sister coming?', 'yes'],
  ['a question for more', 'Where do you live?', 'yes'],
  ['what is turned down', 'Shall I remind you the evening before?', 'no thanks'],
  ['no question', 'You are allergic to latex.', 'yes'],
])('%s is no confirmed statement', (_case, question, answer) => {
  expect(confirmedStatement(question, answer)).toBeUndefined();
});
