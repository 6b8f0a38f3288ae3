import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProvider, wordVectors } from '../../support/provider.ts';
import { migratedPlace, startInVain, startService, type ServiceProcess } from '../../support/service-process.ts';

const key = 'sk-not-to-be-told';
const question = 'Who repaired the harmonium?';
const answer = 'Rosalind repaired the harmonium in the chapel.';

test('a service that is started with another embedding model, killed and started again: it re-embeds and answers on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'presage-model-'));
  await using provider = await openProvider();
  const place = await migratedPlace(folder);
  const variables = {
    EMBEDDING_BASE_URL: provider.baseUrl,
    EMBEDDING_API_KEY: key,
    EMBEDDING_MODEL: 'words',
  };
  let service: ServiceProcess | undefined;
  try {
    service = await startService(place);
    await service.call('POST', '/v1/memories', { document: answer, document_type: 'note', user_id: 'ada' });
    const crates = Array.from({ length: 120 }, (_, n) => ({
      role: 'user',
      content: `Crate ${n} went to cellar ${n * 7}.`,
    }));
    await service.call('POST', '/v1/memories', {
      document: crates,
      document_type: 'ai-chat-conversation',
      mode: 'fast',
      user_id: 'ada',
    });
    const memories = () => service!.call('GET', '/v1/memories?user_id=ada&limit=100').then(({ data }) => data.length);
    await expect.poll(memories, { timeout: 30_000 }).toBe(100);
    await service.stop();

    let texts = 0;
    const never = new Promise<never>(() => {});
    provider.embeddings = (asked) => ((texts += asked.body.input.length) > 60 ? never : wordVectors(32)(asked));
    service = await startService({ ...place, variables });
    const embedding = () => service!.call('GET', '/v1/instance').then((instance) => instance.embedding);
    await expect.poll(async () => (await embedding()).reembedding?.model, { timeout: 30_000 }).toBe('words');
    const recalls = async () => {
      const body = { search_queries: [question], user_id: 'ada', max_results: 5 };
      const { memories: found, warnings } = await service!.call('POST', '/v1/context/fetch', body);
      return { found: found.map(({ content }: { content: string }) => content).includes(answer), warnings };
    };
    expect(await recalls()).toEqual({ found: true, warnings: [] });
    await service.kill();

    provider.embeddings = wordVectors(32);
    service = await startService({ ...place, variables });
    expect(await recalls()).toEqual({ found: true, warnings: [] });
    await expect.poll(embedding, { timeout: 40_000 }).toEqual({ model: 'words', reembedding: null });
    expect(await recalls()).toEqual({ found: true, warnings: [] });
    expect(provider.asked.every(({ authorization }) => authorization === `Bearer ${key}`)).toBe(true);
    expect(service.output()).not.toContain(key);
    await service.stop();
    service = undefined;

    const { said } = await startInVain({ ...place, variables: { ...variables, EMBEDDING_MODEL: '' } });
    expect(said).toContain('EMBEDDING_BASE_URL and EMBEDDING_MODEL go together');
    expect(said).not.toContain(key);
  } finally {
    await service?.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);
