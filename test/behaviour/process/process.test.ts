import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openClient, says, start } from '../grpc/open-client.ts';
import { wordsFound } from '../../support/at-rest.ts';
import { recalledWord, sayEverywhere, saidEverywhere } from '../../support/say-everywhere.ts';
import { isOnPostgres } from '../../support/place-database.ts';
import {
  migratedPlace,
  newPlace,
  startInVain,
  startService,
  type Place,
  type ServiceProcess,
} from '../../support/service-process.ts';

/** Words that no program or dictionary holds. */
const distinctive = ['Zwetschgenknoedel', 'Quivermarsh', 'Brumblewick'];

let folder: string;
let place: Place;
let service: ServiceProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presage-process-'));
  place = await newPlace(folder);
  service = await startService({ ...place, byNpm: true });
});
afterAll(async () => {
  await (service as ServiceProcess | undefined)?.stop().catch(() => undefined); // undefined when it did not start
  rmSync(folder, { recursive: true, force: true });
});

const post = async (path: string, body: unknown) => {
  const answer = await fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, any> };
};
const get = async (path: string) => {
  const answer = await fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${service.key}` } });
  return (await answer.json()) as Record<string, any>;
};
const submit = (document: string, more: object = {}) =>
  post('/v1/memories', { document, document_type: 'note', user_id: 'ada', ...more });

async function completed(ingestionId: string): Promise<Record<string, any>> {
  for (;;) {
    const ingestion = await get(`/v1/memories/${ingestionId}/status`);
    if (ingestion['status'] === 'completed' || ingestion['status'] === 'failed') return ingestion;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a newcomer’s first minutes', () => {
  test('npm start prints what to do, with a key', async () => {
    await expect.poll(() => service.output()).toContain(service.key);
    for (const word of ['/docs', '/graphql', 'gRPC', '/v1/memories', '/status', '/v1/context/fetch', 'npm run demo']) {
      expect(service.output()).toContain(word);
    }
  });

  test('REST: what is submitted is remembered and recalled', async () => {
    const { status, body } = await submit(`My ${distinctive[0]} recipe comes from Aunt Hedwig in ${distinctive[1]}.`);
    expect(status).toBe(202);
    expect((await completed(body['ingestion_id'])).status).toBe('completed');
    const { body: context } = await post('/v1/context/fetch', { search_queries: ['whose recipe?'], user_id: 'ada' });
    expect(context['memories'][0].content).toContain(distinctive[0]);
  });

  test('GraphQL: a subscription tells each stage to the end', async () => {
    const { body } = await submit('The regatta on the lagoon begins at noon.');
    const client = createClient({
      url: `${service.baseUrl.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${service.key}` },
    });
    const query = `subscription { ingestionProgress(id: "${body['ingestion_id']}") { status memories { content } } }`;
    const seen: any[] = [];
    for await (const { data } of client.iterate({ query })) seen.push((data as any).ingestionProgress);
    await client.dispose();
    expect(seen.at(-1)).toMatchObject({ status: 'COMPLETED' });
    expect(seen.at(-1).memories[0].content).toContain('regatta');
  });

  test('gRPC: a message on the stream brings back the memories it calls for', async () => {
    const client = openClient(service.grpcAddress);
    const stream = client.anticipate({ key: service.key });
    stream.send(start('ada'), says('When does the regatta begin?'));
    const update = await stream.next();
    expect(update?.bundle?.memories.some((memory) => memory.content.includes('noon'))).toBe(true);
    stream.hangUp();
    expect((await stream.ended).code).toBe(0);
    client.client.close();
  });

  test.skipIf(isOnPostgres())(
    'a second process on the same folder is refused, and told which one holds it',
    async () => {
      const { code, said } = await startInVain({ ...place, port: 0, grpcPort: 0 });
      expect(code).not.toBe(0);
      expect(said).toMatch(/is in use by process \d+/);
    },
  );
});

test('in production the welcome prints no key that was given, and names only what is served', async () => {
  const apiKey = `presage_${'w'.repeat(43)}`;
  const variables = {
    PRESAGE_ENV: 'production',
    TLS_TERMINATED_UPSTREAM: 'true',
    MASTER_KEY: randomBytes(32).toString('base64'),
    PRESAGE_API_KEY: apiKey,
  };
  const there = { ...(await migratedPlace(mkdtempSync(join(folder, 'production-')))), variables };
  for (const isFirst of [true, false]) {
    const started = await startService(there);
    await expect.poll(() => started.output(), { message: `first: ${isFirst}` }).toContain('Stop with Ctrl-C');
    expect(started.output()).toContain('$PRESAGE_API_KEY');
    expect(started.output()).not.toContain(apiKey);
    expect(started.output()).not.toContain('explorer');
    await started.stop();
  }
});

test('killed in the middle of ingesting: every accepted document completes, and nothing twice', async () => {
  const texts = Array.from(
    { length: 60 },
    (_, n) => `Crate ${n} of the ${distinctive[2]} harvest went to cellar ${n * 7}.`,
  );
  const accepted: string[] = [];
  const submitting = texts.map(async (text) => {
    const answer = await submit(text, { user_id: 'harvest' }).catch(() => undefined);
    if (answer?.status === 202) accepted.push(answer.body['ingestion_id']);
  });
  // Some are done, some under way, some waiting, some not yet accepted.
  while (accepted.length < 30) await new Promise((resolve) => setTimeout(resolve, 5));
  await service.kill();
  await Promise.all(submitting);

  service = await startService(place);
  const ended = await Promise.all(accepted.map(completed));
  expect(ended.filter((ingestion) => ingestion['status'] !== 'completed')).toEqual([]);
  const { data } = await get('/v1/memories?user_id=harvest&type=episodes&limit=100');
  const contents = (data as { content: string }[]).map((memory) => memory.content);
  expect(new Set(contents).size).toBe(contents.length);
  expect(contents.length).toBeGreaterThanOrEqual(accepted.length);
  for (const content of contents) expect(texts).toContain(content);
});

test('what is said at every door, kept in every way and refused in every way', async () => {
  expect(await sayEverywhere(service)).toContain(recalledWord);
});

test.skipIf(isOnPostgres())('nothing that was said stands in the data folder or in what was printed', async () => {
  const words = [...distinctive, ...saidEverywhere];
  const found = () => {
    writeFileSync(join(folder, 'data', 'printed.log'), service.output());
    return wordsFound([join(folder, 'data')], words);
  };
  expect(found()).toEqual([]);
  for (const user of ['eve', 'ada', 'harvest']) {
    const remaining = { rows: 0, vectors: 0, terms: 0 };
    expect(await service.call('DELETE', `/v1/users/${user}`)).toMatchObject({ receipt: { remaining } });
  }
  await service.stop();
  expect(found()).toEqual([]);
  // The search finds what is there: an id is the caller's own reference, and stands in clear.
  expect(wordsFound([join(folder, 'data')], ['harvest'])).not.toEqual([]);
});
