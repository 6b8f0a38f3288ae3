import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { openOnnxEmbedder } from '../../src/adapters/onnx-embedder/onnx-embedder.ts';
import type { Embedder } from '../../src/domain/vectors/embedder.ts';
import { embedderContract } from './embedder.ts';

const models = new URL('../../models/all-minilm-l6-v2/', import.meta.url);
/** Other files make other vectors: whoever changes the model or a lexicon changes the name and this sum of their sums. */
const named = {
  model: 'all-minilm-l6-v2-int8-2',
  sha256: '147e72c061cf06f50adcbfe841bf730e6f1ac2a6766d99447281a9972964aae0',
};

describe('the packaged embedder', () => {
  embedderContract(() => openOnnxEmbedder());
});

describe('the model', () => {
  test('every file has its checksum', async () => {
    const sumsIn = async (folder: URL) =>
      (await readFile(new URL('SHA256SUMS', folder), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => ({ folder, sum: line.split('  ')[0]!, name: line.split('  ')[1]! }));
    const folders = ['.', '../lexicons/', '../request-projection/'].map((path) => new URL(path, models));
    const sums = (await Promise.all(folders.map(sumsIn))).flat();
    const names = ['model.int8.onnx', 'tokenizer.json', 'de.txt', 'es.txt', 'fr.txt', 'weights.f32'];
    expect(sums.map(({ name }) => name)).toEqual(names);
    for (const { folder, sum, name } of sums) {
      const bytes = await readFile(new URL(name, folder));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sum);
    }
    const ofVectors = sums.flatMap(({ sum, name }) => (name === 'weights.f32' ? [] : sum));
    expect(createHash('sha256').update(ofVectors.join()).digest('hex')).toBe(named.sha256);
  });

  test('is where the published model is, within the 8-bit error', async () => {
    const embedder = await openOnnxEmbedder();
    expect(embedder.model).toBe(named.model);
    const [a, b, c] = await embedder.embed([
      'That is a happy person',
      'That is a very happy person',
      'Today is a sunny day',
    ]);
    await embedder.close();
    // Published: 0.943 and 0.257; measured here: 0.904 and 0.265. A wrong token or pooling is off by far more.
    expect(Math.abs(dot(a!, b!) - 0.9429)).toBeLessThan(0.06);
    expect(Math.abs(dot(a!, c!) - 0.2569)).toBeLessThan(0.06);
  });

  test('moves a request to what it needs, which it does not resemble', async () => {
    const embedder = await openOnnxEmbedder();
    const [request, needed, resembling] = await embedder.embed([
      'Suggest a dinner for tonight',
      'My daughter is allergic to shellfish',
      'We had dinner with the neighbours tonight',
    ]);
    await embedder.close();
    const moved = embedder.toAnswer!(request!);
    expect(Math.hypot(...moved)).toBeCloseTo(1, 5);
    expect(dot(request!, needed!)).toBeLessThan(dot(request!, resembling!));
    expect(dot(moved, needed!)).toBeGreaterThan(dot(request!, needed!) + 0.1);
    expect(dot(moved, resembling!)).toBeLessThan(dot(request!, resembling!));
  });

  test('one that is not there is named in the error', async () => {
    await expect(openOnnxEmbedder({ modelFolder: '/nowhere' })).rejects.toThrow(/model in \/nowhere cannot be used/);
  });
});

describe('the thread', () => {
  let embedder: Embedder;
  afterEach(() => embedder.close());

  test('when it dies, waiting calls fail and the next one starts another', async () => {
    const opened = nextWorker();
    embedder = await openOnnxEmbedder();
    const [before] = await embedder.embed(['a text from before']);
    const calls = Promise.allSettled([embedder.embed(manyTexts()), embedder.embed(['a query'])]);
    crash(await opened);
    const reason = { code: 'unavailable', message: expect.stringMatching(/stopped/) };
    expect(await calls).toMatchObject([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    const restarted = nextWorker();
    expect(await embedder.embed(manyTexts())).toHaveLength(120);
    expect(await restarted).not.toBe(await opened);
    expect((await embedder.embed(['a text from before']))[0]).toEqual(before);
  });

  test('when it dies idle, nobody notices', async () => {
    const opened = nextWorker();
    embedder = await openOnnxEmbedder();
    const worker = await opened;
    crash(worker);
    await new Promise((resolve) => worker.once('exit', resolve));
    expect(await embedder.embed(['hello'])).toHaveLength(1);
  });

  test('what is urgent overtakes a large batch, however many texts it has; what is not waits, however few', async () => {
    embedder = await openOnnxEmbedder();
    const done: string[] = [];
    const batch = embedder.embed(manyTexts()).then(() => done.push('batch'));
    const note = embedder.embed(['a note']).then(() => done.push('note'));
    const queries = Array.from({ length: 5 }, (_, n) => `query ${n}`);
    const urgent = embedder.embed(queries, { isUrgent: true }).then(() => done.push('queries'));
    await Promise.all([batch, note, urgent]);
    expect(done).toEqual(['queries', 'batch', 'note']);
  });
});

test('a process that exits in the midst of a text keeps its exit code', async () => {
  const compiled = new URL('../../dist/adapters/onnx-embedder/onnx-embedder.js', import.meta.url);
  const script = `
    const { openOnnxEmbedder } = await import('${compiled.href}');
    const embedder = await openOnnxEmbedder();
    void embedder.embed(Array.from({ length: 50 }, (_, i) => i + ' many words'.repeat(100)));
    setTimeout(() => process.exit(3), 60);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  expect(await once(child, 'exit')).toEqual([3, null]);
});

const manyTexts = (): string[] => Array.from({ length: 120 }, (_, i) => `${i} ${'sheep in the meadow '.repeat(6)}`);
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

function nextWorker(): Promise<Worker> {
  return new Promise((resolve) => {
    process.once('worker', resolve);
  });
}

/** No message is null, so the worker fails outside of any answer. */
function crash(worker: Worker): void {
  worker.postMessage(null, []);
}
