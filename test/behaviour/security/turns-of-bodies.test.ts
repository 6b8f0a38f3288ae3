import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdempotency } from '../../../src/domain/tenancy/idempotency.ts';
import { createTelemetry } from '../../../src/telemetry.ts';
import { createHttpServer } from '../../../src/transports/http/server.ts';
import { mountRest } from '../../../src/transports/rest/mount-rest.ts';
import { openWorld } from '../../support/world.ts';

/** One large body of a sender at a time, two of all; one of a sender waits, for as long as a test may. */
const largeBodies = { ofSender: 1, atOnce: 2, waiting: 1, waitMs: 1_500 };
const world = openWorld();
let http: FastifyInstance;
beforeAll(async () => {
  const telemetry = createTelemetry({ level: 'silent', process: 'test' });
  const { app, deps } = world;
  const mount = [mountRest(app, telemetry)];
  http = createHttpServer({ app, telemetry, idempotency: createIdempotency(deps.db), mount, largeBodies });
  await http.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => http.close());

const newKey = async () => (await world.instance()).key;
const small = JSON.stringify({ document: 'I own a kayak.', document_type: 'note', user_id: 'ada' });
const mib = 1 << 20;
/** The first half of a body of 3 MiB, which makes it a large one; and the rest, which makes it valid. */
const [begun, rest] = [`{"metadata":${' '.repeat(2 * mib)}`, `{},${' '.repeat(mib)}${small.slice(1)}`];

interface Upload {
  readonly sent: ClientRequest;
  readonly answer: Promise<{ status: number | undefined; retryAfter: string | undefined; body: string }>;
}

function upload(key: string): Upload {
  const { port } = http.server.address() as AddressInfo;
  const sent = request({ port, path: '/v1/memories', method: 'POST', agent: false });
  sent.setHeader('authorization', `Bearer ${key}`);
  sent.setHeader('content-type', 'application/json');
  sent.on('error', () => undefined);
  sent.flushHeaders();
  return { sent, answer: answerTo(sent) };
}

async function answerTo(sent: ClientRequest) {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], body: await text(answer) };
}

/** An upload of which the server has read as much as came: it holds a place. */
async function halfway(key: string): Promise<Upload> {
  const half = upload(key);
  const [connection] = (await once(http.server, 'connection')) as [Socket];
  half.sent.write(begun);
  await expect.poll(() => connection.bytesRead).toBeGreaterThan(begun.length);
  return half;
}

test('a second large body of a sender waits until the first is answered', async () => {
  const key = await newKey();
  const first = await halfway(key);
  const second = upload(key);
  second.sent.end(begun + rest);
  first.sent.end(rest);
  expect([(await first.answer).status, (await second.answer).status]).toEqual([202, 202]);
});

test('one that waits too long, or is one too many, is told when to come back', async () => {
  const key = await newKey();
  const first = await halfway(key);
  const others = [upload(key), upload(key)];
  for (const { sent } of others) sent.end(begun + rest);
  for (const { answer } of others) {
    const { status, retryAfter, body } = await answer;
    expect([status, JSON.parse(body).code, retryAfter]).toEqual([429, 'rate_limited', '5']);
  }
  first.sent.end(rest);
  expect((await first.answer).status).toBe(202);
});

test('a sender’s large bodies keep neither their small ones waiting nor another’s large ones', async () => {
  const key = await newKey();
  const first = await halfway(key);
  const [little, large] = [upload(key), upload(await newKey())];
  little.sent.end(small);
  large.sent.end(begun + rest);
  expect([(await little.answer).status, (await large.answer).status]).toEqual([202, 202]);
  first.sent.end(rest);
  await first.answer;
});

test('while others hold all places, a large body is told to come back', async () => {
  const keys = [await newKey(), await newKey()];
  const held = [await halfway(keys[0]!), await halfway(keys[1]!)];
  const third = upload(await newKey());
  third.sent.end(begun + rest);
  const { status, retryAfter, body } = await third.answer;
  expect([status, JSON.parse(body).code, retryAfter]).toEqual([503, 'unavailable', '5']);
  for (const { sent } of held) sent.end(rest);
  for (const { answer } of held) expect((await answer).status).toBe(202);
});

test('who hangs up leaves the place to the next', async () => {
  const key = await newKey();
  const first = await halfway(key);
  first.answer.catch(() => undefined);
  first.sent.destroy();
  const second = upload(key);
  second.sent.end(begun + rest);
  expect((await second.answer).status).toBe(202);
});
