import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openOnnxEmbedder } from '../../src/adapters/onnx-embedder/onnx-embedder.ts';
import { remoteEmbedder } from '../../src/adapters/openai-compatible/remote-embedder.ts';
import type { Embedder } from '../../src/domain/vectors/embedder.ts';
import { embedding, openProvider, wordVectors, type Provider, type Reply } from '../support/provider.ts';
import { embedderContract } from './embedder.ts';
import { timed } from '../support/timed.ts';

const key = 'sk-not-to-be-told';
let provider: Provider & AsyncDisposable;
beforeAll(async () => void (provider = await openProvider()));
afterAll(() => provider[Symbol.asyncDispose]());

const open = (settings: { timeoutMs?: number } = {}) =>
  remoteEmbedder({ baseUrl: provider.baseUrl, apiKey: key, model: 'words', ...settings }).open();

describe('behind an endpoint, the shipped model', () => {
  let shipped: Embedder;
  beforeAll(async () => {
    shipped = await openOnnxEmbedder();
    provider.embeddings = async ({ body }) =>
      embedding((await shipped.embed(body.input as string[])).map((vector) => [...vector]));
  });
  afterAll(() => shipped.close());
  embedderContract(open);
});

describe('an endpoint', () => {
  const many = Array.from({ length: 200 }, (_, n) => `Sentence ${n} about the harbour.`);
  const one = ['Ada rows on Sundays.'];
  beforeEach(() => {
    provider.embeddings = wordVectors(64);
    provider.asked.length = 0;
  });

  test('is asked in batches, once a text, with its key, and tells what it charges', async () => {
    const embedder = await open();
    let tokens = 0;
    const used = (more: number) => void (tokens += more);
    await Promise.all([embedder.embed(many, { used }), embedder.embed(many.slice(0, 50), { used })]);
    const inputs = provider.asked.slice(1).map(({ body }) => (body.input as string[]).length);
    expect({ inputs: inputs.toSorted((a, b) => a - b), tokens, dimensions: embedder.dimensions }).toEqual({
      inputs: [8, 64, 64, 64],
      tokens: 200,
      dimensions: 64,
    });
    expect(new Set(provider.asked.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${key}`]));
  });

  test('may answer in any order: each vector goes to its text', async () => {
    const embedder = await open();
    const ordered = await embedder.embed(many.slice(0, 10));
    provider.embeddings = (asked) => {
      const reply = wordVectors(64)(asked) as { body: { data: unknown[] } };
      return { body: { ...reply.body, data: reply.body.data.toReversed() } };
    };
    expect(await (await open()).embed(many.slice(0, 10))).toEqual(ordered);
  });

  test.each<{ case: string; reply: Reply }>([
    { case: 'too few vectors', reply: embedding([[1, 2]]) },
    {
      case: 'vectors of another length',
      reply: wordVectors(32)({ path: '', authorization: '', body: { input: many } }),
    },
    { case: 'numbers that are none', reply: { body: '{"data":[{"index":0,"embedding":[1e999]}]}' } },
    { case: 'something else', reply: { body: { memories: [] } } },
    { case: 'no JSON', reply: { body: '<html>' } },
    { case: 'an error that quotes the key', reply: { status: 401, body: `Incorrect API key: ${key}` } },
    { case: 'a refusal that quotes the text', reply: { status: 400, body: 'cannot embed: the harbour' } },
    { case: 'a broken connection', reply: 'breaks' },
  ])('that answers with $case is unavailable, and neither key nor text is told', async ({ reply }) => {
    const embedder = await open();
    provider.embeddings = () => reply;
    const error: Error & { code?: string } = await embedder.embed(many).then(
      () => expect.unreachable(),
      (e) => e,
    );
    expect(error.code).toBe('unavailable');
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toMatch(/sk-not|the harbour/);
    provider.embeddings = wordVectors(64);
    // What was under way in other batches fails for whoever joins it.
    await expect.poll(() => embedder.embed(many).catch(() => []), { timeout: 20_000 }).toHaveLength(200);
  });

  test.each([
    { case: 'asks to wait', first: { status: 429, headers: { 'retry-after': '1' }, body: {} }, leastMs: 900 },
    { case: 'fails once', first: { status: 503, body: {} }, leastMs: 100 },
  ])('that $case is asked again', async ({ first, leastMs }) => {
    const embedder = await open();
    let calls = 0;
    provider.embeddings = (asked) => (calls++ ? wordVectors(64)(asked) : first);
    const began = performance.now();
    expect(await embedder.embed(many.slice(0, 20))).toHaveLength(20);
    expect(performance.now() - began).toBeGreaterThan(leastMs);
  });

  test('that asks to wait for longer than there is time is not waited for', timed, async () => {
    const embedder = await open({ timeoutMs: 3_000 });
    provider.embeddings = () => ({ status: 429, headers: { 'retry-after': '60' }, body: {} });
    const began = performance.now();
    await expect(embedder.embed(many)).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test(
    'that hangs keeps a search waiting for two seconds, once, and background work until its limit',
    timed,
    async () => {
      const embedder = await open({ timeoutMs: 3_000 });
      provider.embeddings = () => 'hangs';
      const timeOf = async (texts: string[], isUrgent = true) => {
        const began = performance.now();
        await expect(embedder.embed(texts, { isUrgent })).rejects.toMatchObject({ code: 'unavailable' });
        return performance.now() - began;
      };
      expect(await timeOf(many.slice(0, 64), false)).toBeGreaterThan(2_500);
      const times = await Promise.all(Array.from({ length: 20 }, (_, n) => timeOf([`question ${n}`])));
      expect(Math.max(...times)).toBeLessThan(4_000);
      expect(await timeOf(one)).toBeLessThan(500);
    },
  );

  test(
    'that is slow keeps a search waiting no longer when background work asked for the same text first',
    timed,
    async () => {
      const embedder = await open();
      const answer = wordVectors(64);
      provider.embeddings = async (asked) => {
        await new Promise((resolve) => setTimeout(resolve, 3_500));
        return answer(asked);
      };
      const background = embedder.embed(one);
      const began = performance.now();
      await expect(embedder.embed(one, { isUrgent: true })).rejects.toMatchObject({ code: 'unavailable' });
      expect(performance.now() - began).toBeLessThan(3_000);
      expect(await background).toHaveLength(1); // it goes on, and is known then
      expect(await embedder.embed(one, { isUrgent: true })).toEqual(await background);
    },
  );

  test('that answers background work again is asked by searches at once, however often it failed just before', async () => {
    const embedder = await open();
    provider.embeddings = ({ body }) =>
      body.input.length > 1
        ? { status: 503, headers: { 'retry-after': '1' }, body: {} }
        : { status: 500, body: 'down' };
    const background = embedder.embed(many.slice(0, 20));
    for (const question of ['one?', 'two?', 'three?']) {
      await expect(embedder.embed([question], { isUrgent: true })).rejects.toMatchObject({ code: 'unavailable' });
    }
    provider.embeddings = wordVectors(64);
    await background;
    expect(await embedder.embed(one, { isUrgent: true })).toHaveLength(1);
  });

  test('that nobody listens at is unavailable, and is tried again when it is there', async () => {
    const source = remoteEmbedder({ baseUrl: provider.baseUrl, model: 'words' });
    await provider.stop();
    await expect(source.open()).rejects.toMatchObject({ code: 'unavailable' });
    await provider.listen();
    await expect
      .poll(
        () =>
          source.open().then(
            ({ dimensions }) => dimensions,
            () => 0,
          ),
        { timeout: 20_000 },
      )
      .toBe(64);
  });
});
