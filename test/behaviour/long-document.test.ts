import { expect, test } from 'vitest';
import { openReadingThreads } from '../../src/adapters/reading-threads/reading-threads.ts';
import { readDocument } from '../../src/domain/ingestion/read-document.ts';

const walks = Array.from({ length: 4_000 }, (_, n) => `On walk ${n} I met Odile ${n} times by the old mill in Graz.`);
const document = {
  body: walks.join(' '),
  createdAt: new Date('2026-03-11T15:00:00Z'),
  type: 'document',
  mode: 'fast',
  threshold: 0.7,
} as const;

test('reading a long document keeps nobody waiting, and finds the same', async () => {
  const threads = openReadingThreads();
  try {
    const gaps: number[] = [];
    let last = performance.now();
    const beating = setInterval(() => {
      gaps.push(performance.now() - last);
      last = performance.now();
    }, 5);
    const aside = await threads.read(document);
    clearInterval(beating);
    const began = performance.now();
    const here = readDocument(document);
    const took = performance.now() - began;
    expect(aside).toEqual(here);
    // Generous for a loaded machine: what counts is that the event loop did not stand still for the whole reading.
    expect(Math.max(...gaps)).toBeLessThan(Math.max(200, took / 2));
  } finally {
    await threads.close();
  }
});

test('reading that is late goes on with passages alone, and says so', () => {
  let asked = 0;
  const liked = Array.from({ length: 400 }, (_, n) => `I love walk ${n} by the old mill in Graz.`);
  const talk = { ...document, body: liked.join(' '), type: 'ai-chat-conversation' } as const;
  const late = readDocument(talk, () => ++asked > 100);
  const whole = readDocument(talk);
  const passages = (of: typeof late) =>
    of.candidates.filter(({ type }) => type === 'episodes').map(({ quote }) => quote);
  expect(passages(late)).toEqual(passages(whole));
  expect(late.candidates.length).toBeLessThan(whole.candidates.length);
  expect(late.warnings).toEqual([expect.stringContaining('kept as passages only')]);
  expect(whole.warnings).toEqual([]);
});
