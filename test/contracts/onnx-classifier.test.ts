import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import { bestScoringSpan } from '../../src/adapters/onnx-classifier/best-scoring-span.ts';
import { OnnxClassifier } from '../../src/adapters/onnx-classifier/onnx-classifier.ts';

const folder = new URL('../../models/memory-classifier/', import.meta.url);
const classifier = new OnnxClassifier();
afterAll(() => classifier.close());

const notice = { text: 'three months', before: "What's your notice period?" };
const allergy = { text: 'I am allergic to peanuts.', before: '' };

test('the model has its checksum', async () => {
  const [sum, name] = (await readFile(new URL('SHA256SUMS', folder), 'utf8')).trim().split('  ');
  const bytes = await readFile(new URL(name!, folder));
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sum);
});

describe('an utterance', () => {
  test('is judged by itself, whatever is asked with it', async () => {
    const alone = await classifier.classify([allergy]);
    const other = new OnnxClassifier();
    const [, among] = await other.classify([notice, allergy, { text: 'Thanks!', before: '' }]);
    await other.close();
    expect(among).toEqual(alone[0]);
  });

  test('is worth keeping, or is not', async () => {
    const texts = [
      'I am allergic to peanuts.',
      'My sister Ada lives in York.',
      'Can you repeat step 2?',
      'Thanks, bye!',
    ];
    const found = await classifier.classify(texts.map((text) => ({ text, before: '' })));
    expect(found.map((each) => each!.worth > 0.5)).toEqual([true, true, false, false]);
  });

  test('needs its question, where it is nothing without', async () => {
    const [answer, statement] = await classifier.classify([notice, allergy]);
    expect([answer!.dependent > 0.5, statement!.dependent > 0.5]).toEqual([true, false]);
  });

  test('may be of any length, empty, or without a space', async () => {
    const texts = ['', ' ', 'x'.repeat(5_000), 'y '.repeat(5_000), '🦩'.repeat(500)];
    const found = await classifier.classify(texts.map((text) => ({ text, before: text })));
    expect(found.every((each) => each && Number.isFinite(each.worth))).toBe(true);
  });

  test('is not judged any more when time is over', async () => {
    const texts = Array.from({ length: 40 }, (_, n) => ({ text: `I own ${n} boats.`, before: '' }));
    let asked = 0;
    const found = await classifier.classify(texts, { isLate: () => ++asked > 1 });
    expect([found[0], found.at(-1)]).toEqual([expect.anything(), undefined]);
  });
});

test('a pair is compared by what the later statement says of the memory, and by how they lie', async () => {
  const moved = { memory: 'I live in Leeds.', statement: 'We moved to York in May.', before: 'Where do you live now?' };
  const sister = { memory: 'I live in Leeds.', statement: 'My sister Ada plays the cello.', before: '' };
  const [ahead, behind, unrelated] = await classifier.compare([
    { ...moved, cosine: 0.5, lead: 0.2 },
    { ...moved, cosine: 0.5, lead: -0.2 },
    { ...sister, cosine: 0.3, lead: 0.2 },
  ]);
  expect(ahead!.update).toBeGreaterThan(behind!.update);
  expect(ahead!.update).toBeGreaterThan(5 * unrelated!.update);
  expect([ahead, behind, unrelated].every((each) => each!.update > 0 && each!.update < 1)).toBe(true);
});

test('what changes a part of a memory is told from what leaves nothing of it', async () => {
  const later = { statement: 'the launch moved to March 23', before: '', cosine: 0.6, lead: 0.3 };
  const [inPart, wholly] = await classifier.compare([
    { ...later, memory: 'Our launch is on March 2 with a press event in Berlin' },
    { ...later, memory: 'The launch is on March 2' },
  ]);
  expect([inPart, wholly].every((each) => each!.update > 0.5)).toBe(true);
  expect(inPart!.whole).toBeLessThan(0.4);
  expect(wholly!.whole).toBeGreaterThan(0.6);
});

test('when its thread dies, the next call starts another', async () => {
  const started = new Promise<Worker>((resolve) => process.once('worker', resolve));
  const own = new OnnxClassifier();
  const before = await own.classify([allergy]);
  const worker = await started;
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage(null, []); // no message is null, so the worker fails outside of any answer
  await exited;
  const pair = { memory: 'a', statement: 'b', before: '', cosine: 0, lead: 0 };
  expect(await own.compare([pair, pair])).toHaveLength(2); // of each thread
  expect(await own.classify([allergy])).toEqual(before);
  await own.close();
});

test('a model that is not there is named in the error', async () => {
  const nowhere = new OnnxClassifier({
    model: '/nowhere/model.onnx',
    tokenizer: '/nowhere/tokenizer.json',
    confidence: '/nowhere/confidence.json',
    updateConfidence: '/nowhere/update-confidence.json',
  });
  await expect(nowhere.load()).rejects.toThrow(/nowhere\/model\.onnx cannot be used/);
  await nowhere.close();
});

test.each([
  { case: 'a lead-in is left out', scores: [-2, -1, 1, 1], words: [0, 1, 2, 3], count: 4, span: [2, 4] },
  { case: 'one doubtful word within is kept', scores: [2, -0.5, 2], words: [0, 1, 2], count: 3, span: [0, 3] },
  { case: 'a word counts as the mean of its tokens', scores: [1, -3, 1], words: [0, 1, 1], count: 2, span: [0, 1] },
  { case: 'what no token shows goes with the last', scores: [1, 1], words: [0, 1], count: 9, span: [0, 9] },
  { case: 'nothing shown is kept whole', scores: [], words: [], count: 3, span: [0, 3] },
])('$case', ({ scores, words, count, span }) => {
  expect(bestScoringSpan(Float32Array.from(scores), words, count)).toEqual(span);
});
