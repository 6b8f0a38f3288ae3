import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type Client as SocketClient } from 'graphql-ws';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openGraphql, type Client } from './open-graphql.ts';
import { timed } from '../../support/timed.ts';

const graphql = openGraphql();

const releases: (() => void)[] = [];
const letGo = () => {
  for (const release of releases.splice(0)) release();
};

/** Makes watching wait after the first state that is seen, until it is let go or nobody watches any more. */
function holdWatching() {
  const { app } = graphql.world;
  const { watchIngestion } = app;
  const release = new AbortController();
  releases.push(() => {
    app.watchIngestion = watchIngestion;
    release.abort();
  });
  const watchers: AbortSignal[] = [];
  app.watchIngestion = async function* held(access, id, signal) {
    watchers.push(signal);
    let isFirst = true;
    for await (const ingestion of watchIngestion(access, id, signal)) {
      yield ingestion;
      if (isFirst) await Promise.race([aborted(release.signal), aborted(signal)]);
      isFirst = false;
    }
  };
  return watchers;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

const query = 'subscription ($id: ID!) { ingestionProgress(id: $id) { status memoryIds } }';
interface Seen {
  readonly events: { data?: { ingestionProgress: { status: string } }; errors?: { extensions: { code: string } }[] }[];
  /** How it ended: `completed`, or the error. */
  readonly end: Promise<unknown>;
}

const clients: SocketClient[] = [];
afterEach(async () => {
  letGo();
  for (const client of clients.splice(0)) await client.dispose();
});

function socketOf({ credential }: Pick<Client, 'credential'>): SocketClient {
  const client = createClient({
    url: `${graphql.baseUrl.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${credential}` },
    retryAttempts: 0,
    lazyCloseTimeout: 5_000,
  });
  clients.push(client);
  return client;
}

function subscribe(client: SocketClient, variables: Record<string, unknown>, text = query): Seen & { stop(): void } {
  const events: Seen['events'] = [];
  let stop!: () => void;
  const end = new Promise((resolve) => {
    stop = client.subscribe(
      { query: text, variables },
      {
        next: (event) => void events.push(event as unknown as Seen['events'][number]),
        error: resolve,
        complete: () => resolve('completed'),
      },
    );
  });
  return { events, end, stop };
}

async function submit(agent: Client): Promise<string> {
  const { data } = await agent.ask<{ submitDocument: { id: string } }>(
    `mutation { submitDocument(input: { document: { text: "I met Grace in Leeds." }, documentType: NOTE, userId: "ada" }) {
      ... on Ingestion { id } } }`,
  );
  return data.submitDocument.id;
}

const statuses = ({ events }: Pick<Seen, 'events'>) => events.map(({ data }) => data?.ingestionProgress.status);

test('over WebSocket an ingestion is followed to its end', async () => {
  const ada = await graphql.agent();
  const seen = subscribe(socketOf(ada), { id: await submit(ada) });
  expect(await seen.end).toBe('completed');
  expect(statuses(seen).at(-1)).toBe('COMPLETED');
});

const stream = (
  { credential }: Pick<Client, 'credential'>,
  body: object,
  { signal, path = '/graphql/stream' }: { signal?: AbortSignal; path?: string } = {},
) =>
  fetch(`${graphql.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
      ...(credential ? { Authorization: `Bearer ${credential}` } : {}),
    },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

test('as server-sent events too', async () => {
  const ada = await graphql.agent();
  const response = await stream(ada, { query, variables: { id: await submit(ada) } });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const text = await response.text();
  expect(text).toContain('"status":"COMPLETED"');
  expect(text.trimEnd()).toMatch(/event: complete\ndata:?$/);
});

test('a subscription that is sent with the queries is told where to go, whatever it accepts', async () => {
  const ada = await graphql.agent();
  const response = await stream(ada, { query, variables: { id: 'ing_nothing' } }, { path: '/graphql' });
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect((await response.json()).errors[0].message).toMatch(/graphql-transport-ws.*\/graphql\/stream/);
});

test('a revoked key ends its subscriptions, also while nothing happens', timed, async () => {
  const { access, key } = await graphql.world.instance();
  const ada = graphql.clientWith(key);
  holdWatching();
  const id = await submit(ada);
  const socket = subscribe(socketOf(ada), { id });
  const events = await stream(ada, { query, variables: { id } });
  await expect.poll(() => socket.events.length).toBe(1);
  const [record] = (await graphql.world.app.keys(graphql.world.asAdmin(access), { limit: 100 })).data;
  const before = performance.now();
  await graphql.world.app.revokeKey(graphql.world.asAdmin(access), record!.id);
  expect(await socket.end).toMatchObject([{ extensions: { code: 'unauthenticated' } }]);
  expect(await events.text()).toContain('"code":"unauthenticated"');
  expect(performance.now() - before).toBeLessThan(2_000);
});

test('a subscriber who leaves is not served on', async () => {
  const ada = await graphql.agent();
  const watchers = holdWatching();
  const served = () => watchers.filter((signal) => !signal.aborted).length;
  const id = await submit(ada);
  const client = socketOf(ada);
  const [stopped, cut] = [subscribe(client, { id }), subscribe(client, { id })];
  const left = new AbortController();
  const events = await stream(ada, { query, variables: { id } }, { signal: left.signal });
  await expect.poll(() => [stopped.events.length, cut.events.length, served()]).toEqual([1, 1, 3]);
  stopped.stop();
  await expect.poll(served).toBe(2);
  left.abort();
  await expect(events.text()).rejects.toThrow(/abort/);
  await expect.poll(served).toBe(1);
  client.terminate();
  await expect.poll(served).toBe(0);
});

test.each([
  { case: 'of no such ingestion', variables: { id: 'ing_nothing' }, text: query, code: 'not_found' },
  {
    case: 'of another instance',
    variables: { id: 'x', i: 'inst_0000000000000000' },
    text: query.replace('$id: ID!', '$id: ID!, $i: ID').replace('id: $id', 'id: $id, instanceId: $i'),
    code: 'forbidden',
  },
  { case: 'that is a query', variables: {}, text: '{ instance { id } }', code: 'invalid_input' },
  { case: 'that is not valid', variables: {}, text: 'subscription { nothing }', code: 'invalid_input' },
])('a subscription $case ends with $code', async ({ variables, text, code }) => {
  const ada = await graphql.agent();
  const socket = subscribe(socketOf(ada), variables, text);
  const end = await socket.end;
  expect(JSON.stringify([end, socket.events])).toContain(`"code":"${code}"`);
  expect(await (await stream(ada, { query: text, variables })).text()).toContain(`"code":"${code}"`);
});

test('without a credential there is no connection', async () => {
  const seen = subscribe(socketOf({ credential: 'nonsense' }), { id: 'x' });
  expect(await seen.end).toMatchObject({ code: 4401, reason: 'Unauthorized' });
  const answer = await stream({ credential: '' }, { query });
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="presage"']);
});

test('a connection holds at most twenty subscriptions', async () => {
  const ada = await graphql.agent();
  holdWatching();
  const id = await submit(ada);
  const client = socketOf(ada);
  const seen = Array.from({ length: 21 }, () => subscribe(client, { id }));
  expect(await Promise.race(seen.map(({ end }) => end))).toMatchObject([{ extensions: { code: 'rate_limited' } }]);
  letGo();
  const ends = await Promise.all(seen.map(({ end }) => end));
  expect(ends.filter((end) => end === 'completed')).toHaveLength(20);
});

test('a request that offers another protocol is answered in this one', async () => {
  const { credential } = await graphql.agent();
  const body = JSON.stringify({ query: '{ instance { state } }' });
  const head = [
    'POST /graphql HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c', // as Java's client does on each request
    'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    'Content-Type: application/json',
    `Authorization: Bearer ${credential}`,
    `Content-Length: ${body.length}`,
  ];
  const { hostname, port } = new URL(graphql.baseUrl);
  const socket = connect(Number(port), hostname);
  let answered = '';
  socket.on('data', (chunk: Buffer) => {
    answered += chunk.toString();
  });
  const warnings: string[] = [];
  const warned = ({ name }: Error) => warnings.push(name);
  process.on('warning', warned);
  for (let times = 1; times <= 12; times += 1) {
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`);
    if (times < 3) await wait(20);
    socket.write(body.slice(10));
    await expect.poll(() => answered.split('{"data":{"instance":{"state":"ACTIVE"}}}').length - 1).toBe(times);
  }
  socket.end();
  process.off('warning', warned);
  expect(warnings).toEqual([]); // such as of listeners that pile up
});
