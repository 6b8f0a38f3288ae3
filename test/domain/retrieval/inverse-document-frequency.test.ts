import { expect, test } from 'vitest';
import { idfByStem } from '../../../src/domain/retrieval/retrieve.ts';

test('a rarer word weighs more, and none weighs less than nothing', () => {
  const documentFrequency = new Map(Object.entries({ unknown: 0, rare: 1, common: 500, everywhere: 1_000 }));
  const weights = idfByStem(documentFrequency, { total: 1_000, documentFrequency });
  const rarestFirst = [...weights].toSorted(([, one], [, other]) => other - one).map(([stem]) => stem);
  expect(rarestFirst).toEqual([...documentFrequency.keys()]);
  expect(weights.get('everywhere')).toBeGreaterThan(0);
});
