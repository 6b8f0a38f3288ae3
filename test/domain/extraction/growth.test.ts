import { expect, test } from 'vitest';
import { EarlierStatements, isEcho } from '../../../src/domain/extraction/echoes.ts';
import { withCorrection } from '../../../src/domain/extraction/self-corrections.ts';
import { splitIntoPassages } from '../../../src/domain/extraction/passages.ts';
import { draftTurns } from '../../../src/domain/ingestion/read-document.ts';
import { findGermanNames } from '../../../src/domain/language/german-names.ts';
import { dateOrderOf } from '../../../src/domain/dates/slash-dates.ts';
import { hostileDocuments } from '../../faults/hostile/documents.ts';

/** In characters, of the shorter text; the longer one is four times as long. */
const length = 8_000;
/** For each doubling: in proportion, and something for caches that no longer hold all of it. */
const growth = 2.3;
/** What a pause of the machine or of the garbage collector may add, in milliseconds. */
const slackMs = 120;

test.each(hostileDocuments)('reading $name takes time in proportion to its length', { timeout: 60_000 }, (document) => {
  const { text, documentType: type = 'document' } = document;
  expectGrowth(length, (characters) => {
    const body = text(characters);
    return () => draftTurns({ body, createdAt: new Date(0), type, mode: 'long-range', threshold: 0.7 });
  });
});

/** They take so little of a reading that only a long text shows how they grow. */
const partsOfReading = {
  'cutting a text without spaces into passages': {
    shorter: 1_000_000,
    text: (characters: number) => 'A'.repeat(characters),
    read: (text: string) => splitIntoPassages(text, { whole: 1_200, target: 900 }),
  },
  'telling a corrected value from a reason behind it that is one long word': {
    shorter: 80,
    text: (characters: number) => `Sorry no, 5, ${'a'.repeat(characters)}#`,
    read: (text: string) => withCorrection('We pay 4.', text),
  },
  'telling a recap on one line from what is new': {
    shorter: 125_000,
    text: (characters: number) => `You told me: ${'Thanks! '.repeat(characters / 8)}`,
    read: (text: string) => isEcho(text, new EarlierStatements()),
  },
  'telling the order of day and month where each line has numbers with a slash': {
    shorter: 60_000,
    text: (characters: number) => '25/6 ok\n'.repeat(characters / 8),
    read: (text: string) => dateOrderOf([text]),
  },
  'finding German names in one long word with hyphens': {
    shorter: 25_000,
    text: (characters: number) => 'Ab-'.repeat(characters / 3),
    read: findGermanNames,
  },
  'finding German names in one long word that repeats a verb': {
    shorter: 50_000,
    text: (characters: number) => 'arbeite'.repeat(characters / 7),
    read: findGermanNames,
  },
  'finding German names where a sentence has many': {
    shorter: 25_000,
    text: (characters: number) => Array.from({ length: characters / 10 }, (_, n) => `Frau ${nthName(n)}`).join(' '),
    read: findGermanNames,
  },
  'finding German names behind many titles': {
    shorter: 25_000,
    text: (characters: number) => 'Dr. '.repeat(characters / 4),
    read: findGermanNames,
  },
  'finding what German names are of': {
    shorter: 25_000,
    text: (characters: number) => 'heißt Ylva '.repeat(characters / 11),
    read: findGermanNames,
  },
};

/** "Baaaa", "Baaab", "Baaac": a name for each number. */
const nthName = (n: number): string => {
  const letters = [17_576, 676, 26, 1].map((worth) => String.fromCodePoint(97 + (Math.floor(n / worth) % 26)));
  return `B${letters.join('')}`;
};

test.each(Object.entries(partsOfReading))('%s takes time in proportion to the length', (_, { shorter, text, read }) => {
  expectGrowth(shorter, (characters) => {
    const long = text(characters);
    return () => read(long);
  });
});

function expectGrowth(shorter: number, reading: (characters: number) => () => unknown): void {
  const [short, long] = [fastest(reading(shorter)), fastest(reading(shorter * 4))];
  expect(long).toBeLessThan(short * growth ** 2 + slackMs);
}

/** Of a few runs, in milliseconds of the processor, which others cannot take: the first run compiles. */
function fastest(read: () => void): number {
  const times = [1, 2, 3].map(() => {
    const began = process.cpuUsage();
    read();
    return process.cpuUsage(began).user / 1_000;
  });
  return Math.min(...times);
}
