import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { once } from 'node:events';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { migratedPlace, launchService, newPlace, startService } from '../../support/service-process.ts';
import type { Ending, Place, ServiceProcess } from '../../support/service-process.ts';
import { watch } from '../../support/server-sent-events.ts';
import { emptyFolder } from '../../support/world.ts';
import { lengthOf } from '../../faults/length.ts';
import { begun, openClient } from '../grpc/open-client.ts';
import { timed } from '../../support/timed.ts';

/** Docker kills a process that has not ended so long after it was asked to. */
const limitMs = 10_000;

let folder: string;
let place: Place;
beforeAll(async () => {
  folder = emptyFolder();
  place = await migratedPlace(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How it ended after the signal, and after how long. */
async function stopped(service: { pid: number; ended: Promise<Ending> }, asked: NodeJS.Signals) {
  const began = performance.now();
  process.kill(service.pid, asked);
  const ending = await service.ended;
  return { ...ending, ms: performance.now() - began };
}

const note = (document: string) => ({ document, document_type: 'note', user_id: 'ada' });
const page = 'On Monday Ada met Grace in Leeds, and they talked about the harbour and the price of tea. '.repeat(
  10_000,
);
const conversation = '/v1/conversations/kitchen';

/** Leaves something to be shown to whoever watches the conversation. */
async function speak(service: ServiceProcess): Promise<void> {
  const { ingestion_id: id } = await service.call('POST', '/v1/memories', note('Always answer me in French.'));
  const ingestion = await service.call('GET', `/v1/memories/${id}/status?wait=10`);
  expect(ingestion).toMatchObject({ status: 'completed' });
  const messages = [{ role: 'user', content: 'Good morning.' }];
  await service.call('POST', `${conversation}/messages`, { user_id: 'ada', messages });
}

/** What is under way when the signal comes; resolves when it is. */
const moments: Record<string, (service: ServiceProcess) => Promise<unknown>> = {
  'nothing is under way': async () => undefined,
  'many documents are being ingested': (service) =>
    Promise.all(
      Array.from({ length: 60 }, (_, n) => service.call('POST', '/v1/memories', note(`Crate ${n} is in cellar ${n}.`))),
    ),
  'a large document is being ingested': (service) => service.call('POST', '/v1/memories', note(page.slice(0, 900_000))),
  'memories are being fetched': async (service) => {
    const fetching = () =>
      service.call('POST', '/v1/context/fetch', { search_queries: ['who?'], user_id: 'ada', mode: 'accurate' });
    await fetching();
    void Promise.allSettled(Array.from({ length: 50 }, fetching));
  },
  'gRPC streams are open': async ({ grpcAddress, key }) => {
    const { anticipate } = openClient(grpcAddress);
    await Promise.all(Array.from({ length: 20 }, () => begun(anticipate({ key }))));
  },
  'server-sent events are read': async (service) => {
    await speak(service);
    const watcher = await watch(`${service.baseUrl}${conversation}/anticipated`, {
      authorization: `Bearer ${service.key}`,
    });
    expect(JSON.stringify(await watcher.next('bundle'))).toContain('Always answer me in French.');
  },
  'subscriptions over WebSocket are open': async (service) => {
    await speak(service);
    const client = createClient({
      url: `${service.baseUrl.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${service.key}` },
    });
    const query = 'subscription { anticipated(conversationId: "kitchen") { __typename } }';
    const updates = client.iterate({ query });
    expect((await updates.next()).value).toMatchObject({ data: { anticipated: { __typename: 'Bundle' } } });
    updates.next().catch(() => undefined); // the connection ends with the process
  },
  'peers have stopped in the middle of a request': async ({ baseUrl, grpcAddress, key }) => {
    const { port } = new URL(baseUrl);
    const head = `POST /v1/memories HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n`;
    for (const [to, words] of [
      [Number(port), `${head}Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n{`],
      [Number(port), ''],
      [Number(grpcAddress.split(':')[1]), 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ] as const) {
      const socket = connect(to, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      if (words) socket.write(words);
    }
  },
};

/** All of them together, or each in a process of its own: each costs a start. */
const underWay = lengthOf(
  Object.entries(moments).map(([moment, begin]) => ({ moment, begin: [begin] })),
  [{ moment: 'all of that is under way', begin: Object.values(moments) }],
);

describe('a process that is asked to stop ends in time', () => {
  test.each(underWay)('while $moment', async ({ begin }) => {
    const service = await startService(await migratedPlace(emptyFolder(folder)));
    try {
      for (const each of begin) await each(service);
    } catch (error) {
      await service.kill();
      throw error;
    }
    const { code, signal, ms } = await stopped(service, 'SIGTERM');
    expect({ code, signal, said: service.output().match(/^presage: .*/m)?.[0] }).toEqual({ code: 0, signal: null });
    expect(ms).toBeLessThan(limitMs);
  });

  test('at once after a second signal', timed, async () => {
    const service = await startService(place);
    await moments['peers have stopped in the middle of a request']!(service);
    process.kill(service.pid, 'SIGINT');
    const accepts = () => fetch(`${service.baseUrl}/health`).then(Boolean, () => false);
    await expect.poll(accepts, { interval: 10 }).toBe(false);
    const { code, ms } = await stopped(service, 'SIGINT');
    expect(code).toBe(130);
    expect(ms).toBeLessThan(2_000);
  });
});

/** Each is made in a folder of its own; a first start is long, so that the short test interrupts one twice. */
const interruptions: readonly { readonly signal: NodeJS.Signals; readonly ms: number }[][] = lengthOf(
  [
    ...[0, 300, 1_000, 2_500].map((ms) => [{ signal: 'SIGTERM' as const, ms }]),
    ...[200, 600, 1_200, 2_000, 3_000].map((ms) => [{ signal: 'SIGKILL' as const, ms }]),
  ],
  [
    [
      { signal: 'SIGTERM', ms: 300 },
      { signal: 'SIGKILL', ms: 2_000 },
    ],
  ],
);
test.each(interruptions.map((each) => ({ told: each.map(({ signal, ms }) => `${signal} ${ms} ms`).join(', '), each })))(
  'a first start is interrupted in time by $told after it began, and the next one succeeds',
  { timeout: 120_000 },
  async ({ each }) => {
    const first = await newPlace(emptyFolder(folder));
    for (const { signal, ms } of each) {
      const { child, ended } = await launchService(first);
      await once(child.stdout!, 'data'); // it handles signals from then on
      await pause(ms);
      const ending = await stopped({ pid: child.pid!, ended }, signal);
      expect(ending.signal).toBe(signal === 'SIGKILL' ? signal : null);
      expect(ending.ms).toBeLessThan(limitMs);
    }
    const service = await startService(first);
    expect(await service.call('GET', '/v1/memories')).toMatchObject({ data: [] });
    await service.stop();
  },
);
