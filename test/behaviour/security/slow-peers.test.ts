import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIdempotency } from '../../../src/domain/tenancy/idempotency.ts';
import { createTelemetry } from '../../../src/telemetry.ts';
import { createGrpcServer, type GrpcServer } from '../../../src/transports/grpc/server.ts';
import { createHttpServer } from '../../../src/transports/http/server.ts';
import { mountRest } from '../../../src/transports/rest/mount-rest.ts';
import { openWorld } from '../../support/world.ts';

/** What is said of timeouts here holds of the usual one too, which is only longer. */
const timeouts = { head: 300, request: 800, look: 50, close: 500 };

const world = openWorld();
let http: FastifyInstance;
let grpc: GrpcServer;
beforeAll(async () => {
  const telemetry = createTelemetry({ level: 'silent', process: 'test' });
  const { app, deps } = world;
  const parts = { app, telemetry, idempotency: createIdempotency(deps.db), mount: [mountRest(app, telemetry)] };
  http = createHttpServer({ ...parts, timeouts });
  await http.listen({ host: '127.0.0.1', port: 0 });
  const silence = { silentMs: 300, answerMs: 200 };
  grpc = await createGrpcServer({ app, telemetry, address: '127.0.0.1:0', timeouts: silence });
});
afterAll(async () => {
  await http.close();
  await grpc.close(0);
});

const open = async (port = (http.server.address() as AddressInfo).port): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

/** All that comes until the connection ends; a byte is sent every 50 ms meanwhile. */
async function drip(socket: Socket, byte: string): Promise<string> {
  const dripping = setInterval(() => socket.writable && socket.write(byte), 50);
  socket.on('error', () => undefined);
  let told = '';
  socket.on('data', (bytes: Buffer) => (told += bytes.toString()));
  await once(socket, 'close');
  clearInterval(dripping);
  return told;
}

describe('a peer that takes its time', () => {
  test('over the head of its request is told 408 and left', async () => {
    const socket = await open();
    socket.write('GET /v1/memories HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    const told = await drip(socket, 'a');
    expect(told).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.parse(told.split('\r\n\r\n')[1]!)).toMatchObject({ status: 408, code: 'invalid_input' });
  });

  test('over the body is left too', async () => {
    const { key } = await world.instance();
    const socket = await open();
    const head = ['POST /v1/memories HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`];
    socket.write(`${[...head, 'Content-Type: application/json', 'Content-Length: 10000'].join('\r\n')}\r\n\r\n{`);
    expect(await drip(socket, ' ')).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('before it says anything is left', async () => {
    const socket = await open();
    const closed = once(socket.resume(), 'close');
    await closed;
    expect(socket.destroyed).toBe(true);
  });

  test('keeps nobody else waiting', async () => {
    const { key } = await world.instance();
    const slow = await Promise.all(Array.from({ length: 100 }, () => open()));
    for (const socket of slow) socket.on('error', () => undefined).write('POST /v1/memories HTTP/1.1\r\nHost: ');
    const { port } = http.server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/v1/memories`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    for (const socket of slow) socket.destroy();
  });
});

test.each([
  { case: 'says nothing', first: '' },
  { case: 'begins to speak HTTP/2 and stops', first: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { case: 'speaks something else', first: 'GET / HTTP/1.1\r\n\r\n' },
])('on the gRPC port a peer that $case is left', async ({ first }) => {
  const socket = await open(grpc.port);
  socket.on('error', () => undefined).resume();
  if (first) socket.write(first);
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

describe('a server that stops', () => {
  /** Of its own, patient with everybody until it stops. */
  async function start() {
    const { app, deps } = world;
    const telemetry = createTelemetry({ level: 'silent', process: 'test' });
    const parts = { app, telemetry, idempotency: createIdempotency(deps.db), mount: [mountRest(app, telemetry)] };
    const server = createHttpServer({ ...parts, timeouts: { close: timeouts.close } });
    await server.listen({ host: '127.0.0.1', port: 0 });
    return { server, port: (server.server.address() as AddressInfo).port };
  }

  test('does not wait for who connected and says nothing', async () => {
    const { server, port } = await start();
    const socket = (await open(port)).on('error', () => undefined).resume();
    await server.close();
    await expect.poll(() => socket.destroyed).toBe(true);
  });

  test('answers what is under way, but waits for no body that does not come', async () => {
    const { key } = await world.instance();
    const { server, port } = await start();
    let requests = 0;
    server.server.on('request', () => (requests += 1));
    const slow = await open(port);
    const head = ['POST /v1/memories HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`];
    slow.write(`${[...head, 'Content-Type: application/json', 'Content-Length: 10000'].join('\r\n')}\r\n\r\n{`);
    const ended = drip(slow, ' ').catch(() => 'reset'); // it is cut off while it still speaks
    const underWay = fetch(`http://127.0.0.1:${port}/v1/memories?user_id=ada`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await expect.poll(() => requests).toBe(2);
    const closed = server.close();
    expect((await underWay).status).toBe(200);
    await closed;
    expect(await ended).not.toMatch(/^HTTP\/1\.1 2/);
  });
});
