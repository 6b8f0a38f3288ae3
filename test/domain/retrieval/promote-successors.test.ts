import { expect, test } from 'vitest';
import { promoteSuccessors } from '../../../src/domain/retrieval/order-hits.ts';

const judged = (id: string, score: number) => ({ id, score, parts: { need: score } });
const byVector = (id: string, score: number) => ({ id, score, parts: { similarity: score } });
const successors = new Map([['passage', ['holds']]]);

test.each([
  {
    case: 'what was not found',
    hits: [judged('passage', 3), judged('other', 2)],
    order: ['holds', 'passage', 'other'],
  },
  {
    case: 'what says little to the query alone',
    hits: [judged('passage', 3), judged('other', 2.5), judged('holds', -2)],
    order: ['holds', 'passage', 'other'],
  },
  {
    case: 'what no model judged',
    hits: [byVector('passage', 3), byVector('holds', 0)],
    order: ['holds', 'passage'],
  },
])('$case goes before the passage that tells what it replaced', ({ hits, order }) => {
  const promoted = promoteSuccessors(hits, successors);
  expect(promoted.map(({ id }) => id)).toEqual(order);
  expect(promoted.flatMap(({ id, outdatedBy }) => (outdatedBy ? [[id, outdatedBy]] : []))).toEqual([
    ['passage', 'holds'],
  ]);
});
