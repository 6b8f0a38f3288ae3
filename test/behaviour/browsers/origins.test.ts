import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdempotency } from '../../../src/domain/tenancy/idempotency.ts';
import { createTelemetry } from '../../../src/telemetry.ts';
import { createHttpServer } from '../../../src/transports/http/server.ts';
import { mountRest } from '../../../src/transports/rest/mount-rest.ts';
import { watch } from '../../support/server-sent-events.ts';
import { openWorld } from '../../support/world.ts';

/** What a browser on a page of another origin meets, and what of it is written to the log. */
const world = openWorld();
const page = 'https://app.example.com';
const lines: string[] = [];
let http: FastifyInstance;
let baseUrl: string;
let token: string;

beforeAll(async () => {
  const silent = createTelemetry({ level: 'silent', process: 'test' });
  const telemetry = { ...silent, log: pino({ level: 'trace' }, { write: (line) => void lines.push(line) }) };
  const { app, deps } = world;
  const idempotency = createIdempotency(deps.db);
  http = createHttpServer({ app, telemetry, idempotency, mount: [mountRest(app, telemetry)], origins: [page] });
  await http.listen({ host: '127.0.0.1', port: 0 });
  baseUrl = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  const { access } = await world.instance();
  ({ token } = await app.createBrowserToken(access, { userId: 'ada', conversationId: 'kitchen', ttlSeconds: 60 }));
});
afterAll(() => http.close());

const preflight = (origin: string) =>
  fetch(`${baseUrl}/v1/context/fetch`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type',
    },
  });

test('a page of an allowed origin may ask, and read the answer, also a refusal', async () => {
  const asked = await preflight(page);
  expect(asked.status).toBe(204);
  expect(asked.headers.get('access-control-allow-origin')).toBe(page);
  expect(asked.headers.get('access-control-allow-headers')).toContain('authorization');
  expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
  const refused = await fetch(`${baseUrl}/v1/context/fetch`, { method: 'POST', headers: { origin: page } });
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, page]);
});

test('no other page is allowed to', async () => {
  const other = 'https://app.example.com.evil.example';
  expect((await preflight(other)).headers.get('access-control-allow-origin')).toBeNull();
});

test('a token in a URL is in no line of the log, whatever becomes of the request', async () => {
  const url = `${baseUrl}/v1/conversations/kitchen/anticipated?access_token=${token}`;
  const watcher = await watch(url, { origin: page });
  expect([watcher.status, watcher.headers.get('access-control-allow-origin')]).toEqual([200, page]);
  watcher.leave();
  for (const wrong of ['&token_budget=none', '&colour=green']) expect((await fetch(url + wrong)).status).toBe(400);
  expect((await fetch(`${baseUrl}/v1/nowhere?access_token=${token}`)).status).toBe(404);
  await expect.poll(() => lines.filter((line) => line.includes('/anticipated')).length).toBeGreaterThanOrEqual(3);
  expect(lines.join()).not.toContain(token);
});
