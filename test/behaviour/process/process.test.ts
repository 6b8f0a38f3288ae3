import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openClient, says, start } from '../grpc/open-client.ts';
import { wordsFound } from '../../support/at-rest.ts';
import { isOnPostgres } from '../../support/place-database.ts';
import { newPlace, startInVain, startService, type Place, type ServiceProcess } from '../../support/service-process.ts';

/** Words that no program or dictionary holds. */
const distinctive = ['Zwetschgenknoedel', 'Quivermarsh', 'Brumblewick'];
/** The same, each said to another door or kept in another place. */
const elsewhere = {
  metadata: 'Flibberquartz',
  speaker: 'Wobblethorne',
  person: 'Snorkelbrook',
  place: 'Grumbleford',
  repeated: 'Thistlewhomp',
  idempotencyKey: 'Pimpleshanks',
  question: 'Mugwumpery',
  variable: 'Crinklebottom',
  streamed: 'Dabblemere',
  message: 'Bumblewhisk',
  speaking: 'Crumpetfield',
  conversation: 'Puddlefinch',
  label: 'Fizzlewick',
  refused: 'Jabberknoll',
  malformed: 'Noddlecombe',
  reason: 'Gobbledyke',
};

let folder: string;
let place: Place;
let service: ServiceProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presage-process-'));
  place = await newPlace(folder);
  service = await startService(place);
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
/** As it is, with these headers beside the usual ones. */
const send = async (method: string, path: string, body: string, headers: Record<string, string>) => {
  const usual = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
  const answer = await fetch(service.baseUrl + path, { method, body, headers: { ...usual, ...headers } });
  return { status: answer.status, text: await answer.text() };
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
  test('npm start is ready within 15 seconds and prints what to do, with a key', () => {
    expect(service.output()).toContain(service.key);
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
  const turns = [
    { role: 'user', name: elsewhere.speaker, content: `Ina ${elsewhere.person} lives in ${elsewhere.place}.` },
    { role: 'user', name: elsewhere.speaker, content: `I. ${elsewhere.person} moved to Bath.` },
  ];
  const metadata = { source: elsewhere.metadata };
  const { body } = await post('/v1/memories', { document: turns, document_type: 'note', user_id: 'eve', metadata });
  await completed(body['ingestion_id']);
  const note = { document: `The ${elsewhere.repeated} is ripe.`, document_type: 'note', user_id: 'eve' };
  const keyed = { 'idempotency-key': elsewhere.idempotencyKey };
  const first = await send('POST', '/v1/memories', JSON.stringify(note), keyed);
  expect(await send('POST', '/v1/memories', JSON.stringify(note), keyed)).toEqual(first);
  await completed(JSON.parse(first.text).ingestion_id);
  const { data: entities } = await get('/v1/entities?user_id=eve');
  const [one, other] = entities.filter(({ name }: { name: string }) => name.includes(elsewhere.person));
  const merging = { source_entity_id: one?.entity_id, target_entity_id: (other ?? entities.at(-1))?.entity_id };
  await post('/v1/entities/merge', { ...merging, user_id: 'eve' });
  await post('/v1/context/fetch', { search_queries: [`what of ${elsewhere.question}?`], user_id: 'eve' });
  await post('/v1/memories', { document: elsewhere.refused, document_type: elsewhere.refused, [elsewhere.refused]: 1 });
  await send('POST', '/v1/memories', `{"document": "${elsewhere.malformed}`, {});
  await post('/graphql', {
    query: 'query ($q: String!) { memories(filter: { userId: "eve", q: $q }) { nodes { content } } }',
    variables: { q: elsewhere.variable },
  });
  await post('/v1/conversations', {
    conversation_id: 'call',
    user_id: 'eve',
    metadata: { source: elsewhere.conversation },
  });
  await post('/v1/conversations/call/messages', {
    role: 'user',
    name: elsewhere.speaking,
    content: `The ${elsewhere.message} is mine.`,
  });
  const ended = await post('/v1/conversations/call/end?user_id=eve', {});
  for (const ingestion of ended.body['ingestion_ids'] as string[]) await completed(ingestion);
  expect(JSON.stringify(await get('/v1/conversations/call'))).toContain(elsewhere.message);
  const asAdmin = { authorization: `Bearer ${service.adminToken}` };
  const askAdmin = (query: string) => send('POST', '/graphql', JSON.stringify({ query }), asAdmin);
  const { data } = JSON.parse((await askAdmin('{ instances { nodes { id } } }')).text);
  const input = `{ instanceId: "${data.instances.nodes[0].id}", label: "${elsewhere.label}" }`;
  const made = await askAdmin(`mutation { createKey(input: ${input}) { ... on KeyCreated { key { label } } } }`);
  expect(made.text).toContain(elsewhere.label);
  await askAdmin(`{ ${elsewhere.reason} }`);
  const client = openClient(service.grpcAddress);
  const stream = client.anticipate({ key: service.key });
  stream.send(start('eve'), says(`Is ${elsewhere.streamed} far?`));
  await stream.next();
  stream.hangUp();
  await stream.ended;
  client.client.close();
  const recalled = await post('/v1/context/fetch', { search_queries: ['where does Ina live?'], user_id: 'eve' });
  expect(JSON.stringify(recalled.body)).toContain(elsewhere.place);
});

test.skipIf(isOnPostgres())('nothing that was said stands in the data folder or in what was printed', async () => {
  const printed = service.output();
  await service.stop();
  const words = [...distinctive, ...Object.values(elsewhere)];
  writeFileSync(join(folder, 'data', 'printed.log'), printed);
  expect(wordsFound([join(folder, 'data')], words)).toEqual([]);
  // The search finds what is there: an id is the caller's own reference, and stands in clear.
  expect(wordsFound([join(folder, 'data')], ['harvest'])).not.toEqual([]);
  service = await startService(place);
});
