import { status } from '@grpc/grpc-js';
import { createClient } from 'graphql-ws';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { parseInstanceId } from '../../../src/domain/ids.ts';
import type { Access, KeyPrincipal } from '../../../src/domain/tenancy/access.ts';
import { RateLimits } from '../../../src/domain/tenancy/rate-limits.ts';
import type { Rate } from '../../../src/domain/tenancy/rate.ts';
import { openDoors } from '../../support/open-doors.ts';
import { removeExpiredTokens } from '../../../src/domain/tenancy/browser-token-store.ts';
import { begun, openClient, says, start } from '../grpc/open-client.ts';

const doors = openDoors();
const { world } = doors;

/** A key of a new instance; one call comes back each second unless the rate says otherwise. */
async function limitedKey(rate: Rate = { perMinute: 60, burst: 3 }): Promise<{ key: string; access: Access }> {
  const { id } = await world.instance();
  const admin = await world.app.accessAsAdmin(world.admin, parseInstanceId(id));
  const { key } = await world.app.createKey(admin, { label: null, rate });
  const caller = await world.app.authenticate(`Bearer ${key}`);
  if (caller.kind !== 'instance') throw new Error('a key opens an instance');
  return { key, access: caller.access };
}
const get = (key: string, path: string) => fetch(doors.baseUrl + path, { headers: { authorization: `Bearer ${key}` } });
/** Limits that these tests do not reach. */
const others = { browser: { perMinute: 120, burst: 30 }, streams: 1_000 };
const memories = '{ memories { nodes { id } } }';

describe('over HTTP', () => {
  test('a key that has called too often is told when to come back, in the headers and in the body', async () => {
    const { key } = await limitedKey();
    const answers = [];
    for (let n = 0; n < 4; n++) answers.push(await get(key, '/v1/memories'));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429]);
    const refused = answers.at(-1)!;
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429, retry_after: 1 });
  });

  test('every answer tells the rate and what is left of it', async () => {
    const { key } = await limitedKey({ perMinute: 60, burst: 20 });
    const first = await get(key, '/v1/memories');
    expect(first.headers.get('ratelimit-policy')).toBe('"burst";q=20;w=20, "minute";q=60;w=60');
    expect(first.headers.get('ratelimit')).toBe('"burst";r=19;t=1');
    const missing = await get(key, '/v1/memories/mem_01jgqx3v5pe0wvk2v1k2y9p6t3');
    expect([missing.status, missing.headers.get('ratelimit')]).toEqual([404, expect.stringMatching(/^"burst";r=18;/)]);
    const { key: usual } = await world.instance();
    const policy = (await get(usual, '/v1/memories')).headers.get('ratelimit-policy');
    expect(policy).toBe('"burst";q=300;w=15, "minute";q=1200;w=60');
  });

  test('polls of a status take nothing, and health asks for no key at all', async () => {
    const { key } = await limitedKey({ perMinute: 1, burst: 1 });
    const submitted = await doors.send(key, 'POST', '/v1/memories', {
      document: 'I live in Leeds.',
      document_type: 'note',
      user_id: 'ada',
    });
    expect(submitted.status).toBe(202);
    const path = `/v1/memories/${submitted.json().ingestion_id}/status`;
    for (let n = 0; n < 5; n++) {
      const answer = await get(key, path);
      expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, expect.stringMatching(/^"burst";r=0;/)]);
    }
    expect((await get(key, '/v1/memories')).status).toBe(429);
    expect((await fetch(`${doors.baseUrl}/health`)).status).toBe(200);
  });

  test('a batch is one call', async () => {
    const { key } = await limitedKey({ perMinute: 1, burst: 1 });
    const documents = ['one', 'two', 'three'].map((document) => ({ document, document_type: 'note', user_id: 'ada' }));
    expect((await doors.send(key, 'POST', '/v1/memories/batch', { documents })).json().succeeded).toBe(3);
  });

  test('GraphQL takes from the same rate, and is refused alike', async () => {
    const { key } = await limitedKey({ perMinute: 60, burst: 2 });
    expect((await doors.ask(key, memories)).status).toBe(200);
    expect((await get(key, '/v1/memories')).status).toBe(200);
    const refused = await doors.ask(key, memories);
    expect(refused.status).toBe(429);
    expect(refused.json().errors[0].extensions).toMatchObject({ code: 'rate_limited', retryAfter: 1 });
  });

  test('a subscription is a call', async () => {
    const { key } = await limitedKey({ perMinute: 1, burst: 1 });
    const client = createClient({
      url: `${doors.baseUrl.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${key}` },
    });
    const query = 'subscription { ingestionProgress(id: "ing_01jgqx3v5pe0wvk2v1k2y9p6t3") { status } }';
    const codes = [];
    for (let n = 0; n < 2; n++) {
      try {
        for await (const { errors } of client.iterate({ query })) codes.push(errors?.[0]?.extensions?.['code']);
      } catch (error) {
        codes.push((error as { extensions: { code: string } }[])[0]?.extensions.code);
      }
    }
    await client.dispose();
    expect(codes).toEqual(['not_found', 'rate_limited']);
  });

  test('more than 200 requests of one key at the same time are refused, and others are served', async () => {
    const { access } = await limitedKey();
    const under = Array.from({ length: 200 }, () => world.app.begin(access));
    expect(() => world.app.begin(access)).toThrow(/200 requests under way/);
    const { access: other } = await limitedKey();
    world.app.begin(other)();
    under.pop()!();
    under.push(world.app.begin(access));
    for (const leave of under) leave();
  });
});

test('on a stream, each message is a call: the one too many ends it with RESOURCE_EXHAUSTED', async () => {
  const { key } = await limitedKey({ perMinute: 60, burst: 3 });
  using client = openClient(doors.grpcAddress);
  const stream = client.anticipate({ key });
  stream.send(start('ada'), { ping: {} }, { ping: {} }, says('one'), says('two'), says('three'));
  const end = await stream.ended;
  expect(end.code).toBe(status.RESOURCE_EXHAUSTED);
  expect(end.metadata.get('presage-error-code')).toEqual(['rate_limited']);
  expect(end.metadata.get('retry-after')).toEqual(['1']);
});

/** Lets an administrator give the key, which has this burst, another rate. */
async function relimit(access: Access, burst: number, rate: Rate): Promise<void> {
  const admin = await world.app.accessAsAdmin(world.admin, access.instance);
  const record = (await world.app.keys(admin, { limit: 100 })).data.find((key) => key.burst === burst);
  await world.app.setKeyRateLimit(admin, { id: record!.id, rate });
}

test('a key holds a thousand streams at most, over all its connections', async () => {
  const { key, access } = await limitedKey({ perMinute: 600_000, burst: 100_000 });
  using client = openClient(doors.grpcAddress);
  const held = Array.from({ length: 999 }, () => world.app.beginStream(access));
  const last = await begun(client.anticipate({ key }));
  const end = await client.anticipate({ key }).ended;
  expect(end.code).toBe(status.RESOURCE_EXHAUSTED);
  expect(end.metadata.get('presage-error-code')).toEqual(['rate_limited']);
  last.hangUp();
  await last.ended;
  await begun(client.anticipate({ key })); // in the place of the one that ended
  for (const leave of held) leave();
});

describe('a browser token', () => {
  const token = async (key: string): Promise<string> =>
    (await doors.send(key, 'POST', '/v1/tokens', { user_id: 'ada' })).json().token;
  const ask = (credential: string) =>
    fetch(`${doors.baseUrl}/v1/context/fetch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ search_queries: ['kayak'], user_id: 'ada' }),
    });

  test('has a rate of its own, and takes nothing of its key’s', async () => {
    const { key } = await limitedKey({ perMinute: 60, burst: 3 });
    const [page, other] = [await token(key), await token(key)];
    const first = await ask(page);
    expect(first.headers.get('ratelimit-policy')).toBe('"burst";q=30;w=15, "minute";q=120;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"burst";r=29;/);
    let refused = first;
    for (let n = 0; refused.status === 200 && n < 100; n += 1) refused = await ask(page);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('this token') });
    expect([(await ask(other)).status, (await ask(key)).status]).toEqual([200, 200]);
  });

  test('leaves nothing of its rate behind a day after it expired', async () => {
    const { key, access } = await limitedKey({ perMinute: 600, burst: 10 });
    const made = await doors.send(key, 'POST', '/v1/tokens', { user_id: 'ada', ttl_seconds: 60 });
    await ask(made.json().token);
    await world.deps.rateLimits.settle();
    const rows = () => world.deps.db.rateLimit.findMany({ where: { instanceNumber: access.instanceNumber } });
    expect(await rows()).toHaveLength(2);
    const expiredAt = Date.now() + 61_000;
    await removeExpiredTokens(world.deps.db, new Date(expiredAt));
    expect(await rows()).toHaveLength(2); // who comes with it is told that it has expired
    await removeExpiredTokens(world.deps.db, new Date(expiredAt + 24 * 60 * 60_000));
    expect(await rows()).toHaveLength(1);
  });
});

test.each(['bearer', 'BEARER', 'Bearer'])('%s: the scheme of a credential is written in any case', async (scheme) => {
  const { key } = await world.instance();
  const authorization = `${scheme} ${key}`;
  expect((await fetch(`${doors.baseUrl}/v1/memories`, { headers: { authorization } })).status).toBe(200);
  const asked = await fetch(`${doors.baseUrl}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query: memories }),
  });
  expect(asked.status).toBe(200);
  const socket = createClient({
    url: `${doors.baseUrl.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    lazy: false,
    connectionParams: { authorization },
  });
  await new Promise<void>((resolve, reject) => {
    socket.on('connected', () => resolve());
    socket.on('closed', reject);
  });
  await socket.dispose();
  using client = openClient(doors.grpcAddress);
  await begun(client.anticipate({ authorization }));
});

test('an administrator gives a key another rate, which holds from its next call on', async () => {
  const { key, access } = await limitedKey({ perMinute: 1, burst: 1 });
  expect((await get(key, '/v1/memories')).status).toBe(200);
  expect((await get(key, '/v1/memories')).status).toBe(429);
  await relimit(access, 1, { perMinute: 600, burst: 10 });
  const { headers } = await get(key, '/v1/memories');
  expect(headers.get('ratelimit-policy')).toBe('"burst";q=10;w=1, "minute";q=600;w=60');
  await expect.poll(async () => (await get(key, '/v1/memories')).status).toBe(200); // a tenth of a second later
  await expect(relimit(access, 10, { perMinute: 0, burst: 10 })).rejects.toMatchObject({
    code: 'invalid_input',
    fields: [{ field: 'requests_per_minute' }],
  });
});

test('a stream that was opened before is kept to the new rate too', async () => {
  const { key, access } = await limitedKey({ perMinute: 1, burst: 3 });
  using client = openClient(doors.grpcAddress);
  const stream = client.anticipate({ key });
  stream.send(start('ada'), { ping: {} });
  await stream.next();
  await relimit(access, 3, { perMinute: 600_000, burst: 1_000 });
  stream.send(says('the first under the new rate'));
  while (!(await stream.next())!.bundle);
  await new Promise((resolve) => setTimeout(resolve, 50)); // hundreds come back
  stream.send(...Array.from({ length: 20 }, (_, n) => says(`message ${n}`)), { sessionEnd: {} });
  expect((await stream.ended).code).toBe(status.OK);
});

test('of two rates of one key, taken in turn, neither is more than the key has', async () => {
  const { access } = await limitedKey({ perMinute: 1, burst: 10 });
  const limits = new RateLimits({
    db: world.deps.db,
    defaultRate: { perMinute: 1, burst: 1 },
    ...others,
    warn: () => undefined,
    clock: () => 0,
  });
  const before: Access = {
    ...access,
    principal: { ...access.principal, rate: { perMinute: 1, burst: 5 } } as KeyPrincipal,
  };
  let taken = 0;
  for (let n = 0; n < 50; n++) {
    try {
      limits.spend(n % 2 ? before : access);
      taken += 1;
    } catch {}
  }
  expect(taken).toBeLessThanOrEqual(10);
  await limits.close();
});

describe('two processes', () => {
  const processes = () =>
    [0, 1].map(
      () =>
        new RateLimits({
          db: world.deps.db,
          defaultRate: { perMinute: 1_200, burst: 300 },
          ...others,
          warn: (_, error) => {
            throw error;
          },
          clock: () => 0, // nothing comes back in them: what does, comes from the database
        }),
    );
  const taken = (limits: RateLimits | undefined, access: Access): number => {
    for (let n = 0; ; n++) {
      try {
        limits!.spend(access);
      } catch {
        return n;
      }
    }
  };

  test('share a key’s rate: what one took is gone for the other once it is told', async () => {
    const { access } = await limitedKey({ perMinute: 1, burst: 10 });
    const [one, other] = processes();
    for (let n = 0; n < 7; n++) one!.spend(access);
    await one!.settle();
    other!.spend(access);
    await other!.settle();
    expect(taken(other, access)).toBe(2);
    await Promise.all([one!.close(), other!.close()]);
  });

  test('overshoot by no more than a burst each, and wait for it afterwards', async () => {
    const { access } = await limitedKey({ perMinute: 1, burst: 10 });
    const [one, other] = processes();
    expect(taken(one, access) + taken(other, access)).toBe(20);
    await one!.settle();
    await other!.settle(); // and learns of both
    expect([taken(one, access), taken(other, access)]).toEqual([0, 0]);
    expect(other!.quota(access)!.nextInSeconds).toBeGreaterThan(10 * 60); // what was taken too much is owed
    await Promise.all([one!.close(), other!.close()]);
  });

  test('go on by themselves while the database is away, and tell it later', async () => {
    const { access } = await limitedKey({ perMinute: 1, burst: 10 });
    const warnings: string[] = [];
    let isAway = true;
    const db = new Proxy(world.deps.db, {
      get(target, name) {
        if (isAway && name === '$queryRaw') return () => Promise.reject(new Error('away'));
        return Reflect.get(target, name);
      },
    });
    const limits = new RateLimits({
      db,
      defaultRate: { perMinute: 1, burst: 1 },
      ...others,
      warn: (message) => warnings.push(message),
      clock: () => 0,
    });
    limits.spend(access);
    await limits.settle();
    expect(warnings).toEqual(['rate limits are not shared at the moment']);
    isAway = false;
    await limits.close();
    const [row] = await world.deps.db.rateLimit.findMany({ where: { instanceNumber: access.instanceNumber } });
    expect(Math.floor(row!.tokens)).toBe(9);
  });
});
