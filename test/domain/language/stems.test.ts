import { expect, test } from 'vitest';
import { countStems, stemsOf } from '../../../src/domain/language/stems.ts';

test.each([
  { case: 'forms of a word meet in one stem', text: 'paddled paddling paddles', stems: ['paddl', 'paddl', 'paddl'] },
  { case: 'words that only build the sentence are left out', text: 'What did you do at the lake?', stems: ['lake'] },
  { case: 'numbers and short words stay as they are', text: 'gate B7 at 14', stems: ['gate', 'b7', '14'] },
  { case: 'other scripts are not stemmed', text: '東京', stems: ['東', '京', '東京'] },
])('$case', ({ text, stems }) => expect(stemsOf(text)).toEqual(stems));

test('stems are counted', () => {
  expect(countStems(stemsOf('a canoe beside two canoes'))).toEqual(
    new Map([
      ['cano', 2],
      ['besid', 1],
      ['two', 1],
    ]),
  );
});
