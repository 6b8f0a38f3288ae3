import { expect, test } from 'vitest';
import { findRoles } from '../../../src/domain/language/roles.ts';

const shown = (text: string) =>
  findRoles(text).map(({ role, of, name }) => `${of === 'addressee' ? 'your ' : ''}${role}${name ? `: ${name}` : ''}`);

test.each([
  { case: 'whatever she is called', text: 'My mom called, and Mum sent a cake.', expected: ['mother'] },
  { case: 'a name behind the role', text: 'I went with my sister Dana to Graz.', expected: ['sister: Dana'] },
  {
    case: 'a name after a comma',
    text: 'I asked my manager, Odile Brandt, for a day off.',
    expected: ['manager: Odile Brandt'],
  },
  { case: 'called so', text: 'My brother is called Jorun.', expected: ['brother: Jorun'] },
  { case: 'a name before the role', text: 'Dana, my sister, lives in Graz.', expected: ['sister: Dana'] },
  {
    case: 'what tells one from another',
    text: 'My older sister and my ex-husband met.',
    expected: ['older sister', 'former husband'],
  },
  { case: 'the speaker’s own parent', text: 'Dad fixed the fence.', expected: ['father'] },
  { case: 'the other’s', text: 'How is your boss?', expected: ['your manager'] },
  { case: 'one who leads the speaker', text: 'My boss and my line manager are one.', expected: ['manager'] },
  { case: 'a word that ends in an accent', text: 'My fiancé Tom sings.', expected: ['fiancé: Tom'] },
  { case: 'relatives by marriage', text: 'My mother-in-law cooks.', expected: ['mother-in-law'] },
  { case: 'somebody else’s parent', text: 'Her mom and the dad of Jorun came.', expected: [] },
  { case: 'several at once are nobody', text: 'My sisters sing.', expected: [] },
  { case: 'no name but the head of a sentence', text: 'I called my mother. She was out.', expected: ['mother'] },
])('$case', ({ text, expected }) => expect(shown(text)).toEqual(expected));
