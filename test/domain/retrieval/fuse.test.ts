import { expect, test } from 'vitest';
import { interleaveResults } from '../../../src/domain/retrieval/order-hits.ts';

const answer = (ids: string) => ids.split('').map((id) => ({ id, score: 0 }));

test.each([
  { case: 'one query keeps its order', answers: ['abc'], limit: 10, fused: 'abc' },
  { case: 'queries take turns', answers: ['abc', 'xyz'], limit: 10, fused: 'axbycz' },
  { case: 'what several found stands where it was first due', answers: ['abc', 'ca'], limit: 10, fused: 'acb' },
  { case: 'each query is answered within a small limit', answers: ['abc', 'x', 'y'], limit: 3, fused: 'axy' },
  { case: 'an empty answer takes no turn', answers: ['', 'ab'], limit: 10, fused: 'ab' },
  { case: 'no queries, no answer', answers: [], limit: 10, fused: '' },
])('$case', ({ answers, limit, fused }) => {
  expect(
    interleaveResults(answers.map(answer), limit)
      .map(({ id }) => id)
      .join(''),
  ).toBe(fused);
});

test('what several queries found has its best score', () => {
  const found = interleaveResults([[{ id: 'a', score: -4 }], [{ id: 'a', score: -1 }], [{ id: 'a', score: -3 }]], 10);
  expect(found).toEqual([{ id: 'a', score: -1 }]);
});
