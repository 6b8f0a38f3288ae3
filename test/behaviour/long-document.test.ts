import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openReadingThreads } from '../../src/adapters/reading-threads/reading-threads.ts';
import { OnnxClassifier } from '../../src/adapters/onnx-classifier/onnx-classifier.ts';
import {
  classifyDraftedDocument,
  draftTurns,
  toDocumentReading,
  documentWarningsOf,
  type DocumentReadResult,
  type DocumentToRead,
} from '../../src/domain/ingestion/read-document.ts';
import { scoreNamePairs, type NameComparison } from '../../src/domain/entities/match.ts';
import { timed } from '../support/timed.ts';

const walks = Array.from({ length: 200 }, (_, n) => `On walk ${n} I met Odile ${n} times by the old mill in Graz.`);
const document = {
  body: walks.join(' '),
  createdAt: new Date('2026-03-11T15:00:00Z'),
  type: 'document',
  mode: 'fast',
  threshold: 0.7,
} as const;

const classifier = new OnnxClassifier();

async function readHere(of: DocumentToRead, isLate?: () => boolean): Promise<DocumentReadResult> {
  const drafted = draftTurns(of, isLate);
  const { classifications, warnings } = await classifyDraftedDocument(drafted.draft, classifier, () => false);
  return { ...toDocumentReading(drafted, classifications, of), warnings: documentWarningsOf(drafted.draft, warnings) };
}

test('reading a long document keeps nobody waiting, and finds the same', timed, async () => {
  const threads = openReadingThreads(classifier);
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
    draftTurns(document);
    const took = performance.now() - began;
    expect(aside).toEqual(await readHere(document));
    // Generous for a loaded machine: what counts is that the event loop did not stand still for the whole reading.
    expect(Math.max(...gaps)).toBeLessThan(Math.max(200, took / 2));
  } finally {
    await threads.close();
  }
});

test('what is large is read in turn to the same end, and keeps nothing short waiting', timed, async () => {
  const threads = openReadingThreads(classifier);
  const ended: string[] = [];
  const ending = async <T>(name: string, work: Promise<T>): Promise<T> => {
    const result = await work;
    ended.push(name);
    return result;
  };
  const [family, town] = [namesakes(60), namesakes(1_000)];
  const book = { ...document, body: `${walks.slice(0, 20).join(' ')} ${'and '.repeat(20_000)}` };
  try {
    const large = [1, 2, 3, 4].map((n) => ending(`large ${n}`, threads.compare(town)));
    expect(await ending('short', threads.compare(family))).toEqual(scoreNamePairs(family));
    expect(await threads.read(document)).toEqual(await readHere(document));
    expect(await Promise.all(large)).toEqual(large.map(() => scoreNamePairs(town)));
    expect(await threads.read(book)).toEqual(await readHere(book));
    expect(ended.indexOf('short')).toBeLessThan(2);
    expect(ended.filter((name) => name !== 'short')).toEqual(['large 1', 'large 2', 'large 3', 'large 4']);
  } finally {
    await threads.close();
  }
});

/** People whose names are alike: each is compared with many others. */
function namesakes(count: number): NameComparison {
  const nodes = Array.from({ length: count }, (_, n) => ({
    id: `person ${n}`,
    rootId: `person ${n}`,
    normal: `anna b${n.toString(26).replaceAll(/\d/gu, (digit) => 'qrstuvwxyz'.charAt(Number(digit)))} smith`,
    isRole: false,
    kind: 'person',
    isMentioned: true,
    isParticipant: false,
    isInCircle: true,
    memoryIds: [`memory ${n}`],
    ownerNos: [1],
  }));
  return { nodes, stated: [], thresholds: { merge: 0.9, review: 0.6 } };
}

test('reading that is late goes on with passages alone, and says so', async () => {
  let asked = 0;
  const liked = Array.from({ length: 150 }, (_, n) => `I love walk ${n} by the old mill in Graz.`);
  const talk = { ...document, body: liked.join(' '), type: 'ai-chat-conversation' } as const;
  const late = await readHere(talk, () => ++asked > 100);
  const whole = await readHere(talk);
  const passages = (of: typeof late) =>
    of.candidates.filter(({ type }) => type === 'episodes').map(({ quote }) => quote);
  expect(passages(late)).toEqual(passages(whole));
  expect(late.candidates.length).toBeLessThan(whole.candidates.length);
  expect(late.warnings).toEqual([expect.stringContaining('kept as passages only')]);
  expect(whole.warnings).toEqual([]);
});

/** How much a thread of this process lets others go first, from 0 for not at all to 19. */
function nicenessOf(thread: number | string): number {
  const [, fields = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(/\) (?=[A-Z] )/);
  return Number(fields.split(' ')[16]);
}

test.runIf(process.platform === 'linux')('threads that read long texts let those that answer go first', async () => {
  const threads = openReadingThreads(classifier);
  try {
    await threads.read(document);
    expect(readdirSync('/proc/self/task').map(nicenessOf)).toContain(15);
    expect(nicenessOf(process.pid)).toBe(0); // the main thread, whose number need not be the lowest
  } finally {
    await threads.close();
  }
});
