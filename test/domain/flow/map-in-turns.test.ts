import { expect, test } from 'vitest';
import { mapYielding } from '../../../src/domain/flow/map-yielding.ts';

test('whoever waits for the thread has it before long work is done, and nothing is out of order', async () => {
  let turnsOfOthers = 0;
  const others = setInterval(() => (turnsOfOthers += 1), 1);
  const work = (item: number) => {
    for (const until = performance.now() + 4; performance.now() < until;);
    return item * 2;
  };
  const items = Array.from({ length: 20 }, (_, n) => n);
  expect(await mapYielding(items, work)).toEqual(items.map((n) => n * 2));
  expect(turnsOfOthers).toBeGreaterThan(3);
  clearInterval(others);
});
