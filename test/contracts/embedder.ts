import { afterEach, expect, test } from 'vitest';
import type { Embedder } from '../../src/domain/vectors/embedder.ts';

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** What every embedder must do; `open` is called once a test. */
export function embedderContract(open: () => Promise<Embedder>): void {
  let embedder: Embedder | undefined;
  const opened = async (): Promise<Embedder> => (embedder = await open());
  afterEach(async () => {
    await embedder?.close();
    embedder = undefined;
  });

  test.each([
    { case: 'an ordinary sentence', text: 'Ada moved to York in May.' },
    { case: 'nothing', text: '' },
    { case: 'blanks only', text: ' \n\t ' },
    { case: 'a text beyond the window', text: 'The meeting about the budget went on and on. '.repeat(5_000) },
    { case: 'one endless word', text: 'a'.repeat(100_000) },
    { case: 'half a surrogate pair', text: 'broken \ud83d emoji' },
    { case: 'another script', text: '東京に行きました。😀' },
    { case: 'the marks of the model itself', text: '[CLS] [SEP] [MASK] [PAD]' },
  ])('$case becomes a unit vector', async ({ text }) => {
    const { embed, dimensions } = bound(await opened());
    const [vector] = await embed([text]);
    expect(vector).toHaveLength(dimensions);
    expect(cosine(vector!, vector!)).toBeCloseTo(1, 4);
  });

  test('no texts, no vectors', async () => {
    expect(await (await opened()).embed([])).toEqual([]);
  });

  test('a text has the same vector in another embedder, whatever comes with it', async () => {
    const company = Array.from({ length: 20 }, (_, i) => `Note ${i}: ${'something else entirely, '.repeat(i)}`);
    const first = await opened();
    const [alone] = await first.embed(['Ada likes tea.']);
    await first.close();
    const among = await (await opened()).embed([...company, 'Ada likes tea.']);
    expect(among.at(-1)).toEqual(alone);
  });

  test('the order of the texts is kept, repetitions too', async () => {
    const { embed } = bound(await opened());
    const texts = Array.from({ length: 30 }, (_, i) => `Entry ${i % 25} ${'about the garden '.repeat(i % 5)}`);
    const together = await embed(texts);
    for (const [i, text] of texts.entries()) expect(together[i]).toEqual((await embed([text]))[0]);
  });

  test.each([
    ['Where does Ada live?', "Ada's home is in York.", 'The invoice is still unpaid.'],
    ['He is allergic to peanuts.', 'Nuts make him ill.', 'The train leaves at nine.'],
    ['Remind me to call my mother.', 'I need to phone mum.', 'The bridge was painted green.'],
  ])('«%s» is nearer to its paraphrase than to something unrelated', async (text, paraphrase, unrelated) => {
    const [a, b, c] = await (await opened()).embed([text, paraphrase, unrelated]);
    expect(cosine(a!, b!)).toBeGreaterThan(cosine(a!, c!) + 0.15);
  });

  test('concurrent calls each get their own answers', async () => {
    const { embed } = bound(await opened());
    const calls = Array.from({ length: 12 }, (_, i) =>
      Array.from({ length: i + 1 }, (_each, j) => `Fact ${(i * j) % 17}`),
    );
    const answers = await Promise.all(calls.map((texts) => embed(texts)));
    for (const [i, texts] of calls.entries()) expect(answers[i]).toEqual(await embed(texts));
  });

  test('what a caller does to its vector reaches nobody else', async () => {
    const { embed } = bound(await opened());
    const [mine, twin] = await embed(['Ada likes tea.', 'Ada likes tea.']);
    mine!.fill(0);
    expect((await embed(['Ada likes tea.']))[0]).toEqual(twin);
  });

  test('an aborted call rejects with its reason, and others go on', async () => {
    const { embed } = bound(await opened());
    const abort = new AbortController();
    const reason = new Error('no longer needed');
    const bulk = Array.from({ length: 200 }, (_, i) => `Sentence ${i} of a long document.`);
    const given = embed(bulk, { signal: abort.signal });
    const other = embed([bulk[199]!]);
    abort.abort(reason);
    await expect(given).rejects.toBe(reason);
    expect(await other).toHaveLength(1);
    await expect(embed(['too late'], { signal: abort.signal })).rejects.toBe(reason);
    expect(await embed(bulk)).toHaveLength(200);
  });

  test('a closed embedder refuses, also what was waiting, and may be closed again', async () => {
    const { embed, close } = bound(await opened());
    const bulk = Array.from({ length: 100 }, (_, i) => `Sentence ${i} of a long document.`);
    const [waiting] = await Promise.all([Promise.allSettled([embed(bulk)]), close()]);
    expect(waiting).toMatchObject([{ status: 'rejected', reason: { message: expect.stringMatching(/closed/) } }]);
    await expect(embed(['again'])).rejects.toThrow(/closed/);
    await close();
  });
}

function bound(embedder: Embedder): Pick<Embedder, 'embed' | 'close' | 'dimensions'> {
  return {
    dimensions: embedder.dimensions,
    embed: (...input) => embedder.embed(...input),
    close: () => embedder.close(),
  };
}
