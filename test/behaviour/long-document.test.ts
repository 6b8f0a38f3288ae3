import { expect, test } from 'vitest';
import { extractAside } from '../../src/adapters/extraction-thread/extract-aside.ts';
import { extract } from '../../src/domain/extraction/extract.ts';

const options = { mode: 'fast', documentType: 'document', threshold: 0.7 } as const;
const walks = Array.from({ length: 4_000 }, (_, n) => `On walk ${n} I met Odile ${n} times by the old mill in Graz.`);
const turns = [{ index: 0, role: 'user', content: walks.join(' '), at: new Date('2026-03-11T15:00:00Z') }];

test('reading a long document keeps nobody waiting, and finds the same', async () => {
  const gaps: number[] = [];
  let last = performance.now();
  const beating = setInterval(() => {
    gaps.push(performance.now() - last);
    last = performance.now();
  }, 5);
  const aside = await extractAside(turns, options);
  clearInterval(beating);
  const began = performance.now();
  const here = extract(turns, options);
  const took = performance.now() - began;
  expect(aside).toEqual(here);
  // Generous for a loaded machine: what counts is that the event loop did not stand still for the whole reading.
  expect(Math.max(...gaps)).toBeLessThan(Math.max(200, took / 2));
});
