import { expect, test } from 'vitest';
import { draftTurns } from '../../../src/domain/ingestion/read-document.ts';
import { hostileDocuments, type HostileDocument } from '../../faults/hostile/documents.ts';

/** In characters, of the shorter text; the longer one is four times as long. */
const length = 8_000;
/** For each doubling: in proportion, and something for caches that no longer hold all of it. */
const growth = 2.3;
/** What a pause of the machine or of the garbage collector may add, in milliseconds. */
const slackMs = 120;

test.each(hostileDocuments)('reading $name takes time in proportion to its length', { timeout: 60_000 }, (document) => {
  const [short, long] = [fastest(document, length), fastest(document, length * 4)];
  expect(long).toBeLessThan(short * growth ** 2 + slackMs);
});

/** Of a few runs, in milliseconds of the processor, which others cannot take: the first run compiles. */
function fastest({ text, documentType: type = 'document' }: HostileDocument, characters: number): number {
  const body = text(characters);
  const times = [1, 2, 3].map(() => {
    const began = process.cpuUsage();
    draftTurns({ body, createdAt: new Date(0), type, mode: 'long-range', threshold: 0.7 });
    return process.cpuUsage(began).user / 1_000;
  });
  return Math.min(...times);
}
