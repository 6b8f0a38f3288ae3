import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { makeServer } from 'graphql-ws';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { attachSocket } from '../../../src/transports/graphql/attach-socket.ts';
import { createSchema } from '../../../src/transports/graphql/schema.ts';

test('who asks and does not read the answers is not read either, and has them all in the end', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const protocol = makeServer<Record<string, never>, Record<string, never>>({ schema: createSchema() });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, 'graphql-transport-ws');
  const [opened] = (await once(server, 'connection')) as [WebSocket];
  let mostWaiting = 0;
  attachSocket(protocol, opened, {}, () => undefined);
  opened.on('message', () => (mostWaiting = Math.max(mostWaiting, opened.bufferedAmount)));
  await once(client, 'open');
  client.send(JSON.stringify({ type: 'connection_init' }));
  await once(client, 'message');

  const pings = 500;
  let pongs = 0;
  const answered = new Promise<void>((resolve) => {
    client.on('message', () => (pongs += 1) === pings && resolve());
  });
  client.pause();
  const ping = JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(60_000) } });
  for (let n = 0; n < pings; n += 1) client.send(ping);
  await expect.poll(() => opened.isPaused, { timeout: 10_000 }).toBe(true);
  client.resume();
  await answered;
  expect(mostWaiting).toBeLessThan(4 << 20);
  client.close();
  await once(client, 'close');
  server.close();
});
