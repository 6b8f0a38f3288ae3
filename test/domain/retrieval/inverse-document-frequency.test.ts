import { expect, test } from 'vitest';
import { inverseDocumentFrequency } from '../../../src/domain/retrieval/retrieve.ts';

test('a rarer word weighs more, and none weighs less than nothing', () => {
  const [unknown, rare, common, everywhere] = [0, 1, 500, 1_000].map((df) => inverseDocumentFrequency(df, 1_000));
  expect([unknown, rare, common, everywhere].toSorted((a, b) => b! - a!)).toEqual([unknown, rare, common, everywhere]);
  expect(everywhere).toBeGreaterThan(0);
});
