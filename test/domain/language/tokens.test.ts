import { expect, test } from 'vitest';
import { tokensOf } from '../../../src/domain/language/stems.ts';

test.each([
  { case: 'words are compared in lower case', text: 'Ferry to Ghent', tokens: ['ferry', 'to', 'ghent'] },
  { case: 'accents do not matter', text: 'Zoë’s café', tokens: ['zoe', 'cafe'] },
  { case: 'a possessive is the name itself', text: "Tomas's kayak", tokens: ['tomas', 'kayak'] },
  { case: 'a contraction is one word', text: "didn't we", tokens: ['didnt', 'we'] },
  { case: 'a thousands separator is no gap', text: '12,500 at 3.5%', tokens: ['12500', 'at', '3.5'] },
  { case: 'punctuation and snake case separate', text: 'retry_count=3; done', tokens: ['retry', 'count', '3', 'done'] },
  { case: 'full-width letters are letters', text: 'ＡＢＣ', tokens: ['abc'] },
  { case: 'other alphabets are words too', text: 'Привет, мир', tokens: ['привет', 'мир'] },
  { case: 'unspaced scripts give characters and pairs', text: '東京都', tokens: ['東', '京', '都', '東京', '京都'] },
  {
    case: 'Latin inside an unspaced script stays whole',
    text: '私のiPhoneは',
    tokens: ['iphone', '私', 'の', '私の', 'は'],
  },
  { case: 'nothing said, nothing found', text: ' …! ', tokens: [] },
])('$case', ({ text, tokens }) => expect(tokensOf(text)).toEqual(tokens));

test('a run without end is cut, so that a pasted key cannot fill the index', () => {
  expect(tokensOf('k'.repeat(5_000)).map((token) => token.length)).toEqual([64]);
});
