import { status as grpcStatus } from '@grpc/grpc-js';
import { createClient } from 'graphql-ws';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { parseInstanceId } from '../../../src/domain/ids.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { openDoors } from '../../support/open-doors.ts';
import { day } from '../../support/person.ts';
import { watch } from '../../support/server-sent-events.ts';
import { openClient } from '../grpc/open-client.ts';

const doors = openDoors();
const { world } = doors;

let access: Access;
let key: string;
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

beforeAll(async () => {
  ({ access, key } = await world.instance());
  const ada = await world.user('ada', { access, customer: 'acme' });
  await ada.says('Always answer me in French. I live in Leeds.', day(1), { conversationId: 'kitchen' });
  const bob = await world.user('bob', { access, customer: 'acme' });
  await bob.says('My locker code is Tangerine.', day(2), { conversationId: 'locker-room' });
});

const ofAda = { user_id: 'ada', customer_id: 'acme' };
const ask = (credential: string, named: object) =>
  doors.send(credential, 'POST', '/v1/context/fetch', {
    search_queries: ['Where is the locker?'],
    min_relevance: 0,
    ...named,
  });
const make = (credential: string, body: object) => doors.send(credential, 'POST', '/v1/tokens', body);
const tokenOf = async (named: object, by = key): Promise<string> => (await make(by, named)).json().token;

async function watching(token: string, conversation = 'kitchen') {
  const url = `${doors.baseUrl}/v1/conversations/${conversation}/anticipated?access_token=${token}`;
  const watcher = await watch(url);
  open.push(() => watcher.leave());
  return watcher;
}

describe('a token', () => {
  test('is made by a key, for those who are named or whose conversation is', async () => {
    const made = await make(key, { conversation_id: 'kitchen', ttl_seconds: 60 });
    expect(made.status).toBe(201);
    expect(made.json()).toMatchObject({
      ...ofAda,
      conversation_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/),
      external_id: 'kitchen',
      token_id: expect.stringMatching(/^tok_/),
    });
    const leftMs = Date.parse(made.json().expires_at) - Date.now();
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(60_000);
    const told = await doors.ask(
      key,
      `mutation { createBrowserToken(input: { userId: "ada", customerId: "acme" }) {
         ... on BrowserTokenCreated { secret userId conversationId } ... on InvalidInput { fields { field } } } }`,
    );
    const { secret, ...shown } = told.json().data.createBrowserToken;
    expect(shown).toEqual({ userId: 'ada', conversationId: null });
    expect((await ask(secret, {})).status).toBe(200);
  });

  test.each([
    { case: 'for nobody', body: {}, status: 400, field: 'user_id' },
    { case: 'for too long', body: { ...ofAda, ttl_seconds: 3_601 }, status: 400, field: 'ttl_seconds' },
    {
      case: 'for one user and another’s conversation',
      body: { ...ofAda, conversation_id: 'locker-room' },
      status: 400,
      field: 'user_id',
    },
    { case: 'for a conversation that never was', body: { conversation_id: 'attic' }, status: 404, field: undefined },
  ])('is not made $case', async ({ body, status, field }) => {
    const refused = await make(key, body);
    expect({ status: refused.status, field: refused.json().errors[0]?.field }).toEqual({ status, field });
  });

  test('reads what those may read whom it is bound to, and needs not name them', async () => {
    const token = await tokenOf(ofAda);
    const fetched = await ask(token, {});
    expect(fetched.text).toContain('French');
    expect(fetched.text).not.toContain('Tangerine');
    expect((await ask(token, { ...ofAda, conversation_id: 'kitchen' })).status).toBe(200);
    const query = `{ context(query: { searchQueries: ["home"] }) { memories { memory { content entities { name } } } } }`;
    const told = await doors.ask(token, query);
    expect(told.json().errors).toBeUndefined();
    expect(told.text).toContain('Leeds');
  });

  test.each([
    { case: 'another user', named: { user_id: 'bob' }, status: 403, field: 'user_id' },
    { case: 'another customer', named: { customer_id: 'zeta' }, status: 403, field: 'customer_id' },
    { case: 'another’s conversation', named: { conversation_id: 'locker-room' }, status: 404, field: undefined },
    { case: 'a conversation that never was', named: { conversation_id: 'attic' }, status: 404, field: undefined },
  ])('never widens: $case', async ({ named, status, field }) => {
    const refused = await ask(await tokenOf(ofAda), named);
    expect({ status: refused.status, field: refused.json().errors[0]?.field }).toEqual({ status, field });
    expect(
      await world.deps.db.conversation.count({ where: { instanceNumber: access.instanceNumber, externalId: 'attic' } }),
    ).toBe(0);
  });

  test('of one conversation names no other of the same user', async () => {
    await (
      await world.user('ada', { access, customer: 'acme' })
    ).says('I own a kayak.', day(3), { conversationId: 'hall' });
    const token = await tokenOf({ conversation_id: 'kitchen' });
    const refused = await ask(token, { conversation_id: 'hall' });
    expect([refused.status, refused.json().errors[0].field]).toEqual([403, 'conversation_id']);
    expect((await watching(token, 'hall')).status).toBe(403);
  });

  test('is told once: a repeated request is answered without it', async () => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': 'browser-of-ada',
    };
    const send = () =>
      fetch(`${doors.baseUrl}/v1/tokens`, { method: 'POST', headers, body: JSON.stringify(ofAda) }).then((each) =>
        each.json(),
      );
    const first = await send();
    expect(await send()).toEqual({ ...first, token: null });
  });
});

test('pages that watch keep nobody else from asking: a token has twenty requests at once of its own', async () => {
  const token = await tokenOf(ofAda);
  const caller = await world.app.authenticate(`Bearer ${token}`);
  if (caller.kind !== 'browser') throw new Error('a token opens a browser’s access');
  const under = Array.from({ length: 20 }, () => world.app.begin(caller.access));
  expect((await ask(token, {})).status).toBe(429);
  expect((await ask(await tokenOf(ofAda), {})).status).toBe(200);
  for (const leave of under) leave();
  expect((await ask(token, {})).status).toBe(200);
});

test('twenty subscriptions at once, over however many sockets, are all that a token holds open', async () => {
  const token = await tokenOf(ofAda);
  const query = 'subscription { anticipated(conversationId: "kitchen") { ... on Bundle { sequence } } }';
  const connect = () => {
    const client = createClient({
      url: `${doors.baseUrl.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
    open.push(() => client.dispose());
    return client;
  };
  const sockets = [connect(), connect()];
  const subscribed = Array.from({ length: 20 }, (_, n) => sockets[n % 2]!.iterate({ query }));
  await Promise.all(subscribed.map((each) => each.next()));
  await expect(connect().iterate({ query }).next()).rejects.toMatchObject([{ extensions: { code: 'rate_limited' } }]);
  expect((await ask(token, {})).status).toBe(429);
  await subscribed[0]!.return!();
  await expect.poll(async () => (await ask(token, {})).status).toBe(200);
  await sockets[1]!.dispose(); // and with it ten more
  const last = connect();
  const opened = () =>
    last
      .iterate({ query })
      .next()
      .then(
        () => true,
        () => false,
      );
  for (let n = 0; n < 10; n += 1) await expect.poll(opened).toBe(true);
});

describe('ends', () => {
  /** What was opened by a token of a new instance, all that a browser may hold. */
  async function hold() {
    const { access: own, key: by, id } = await world.instance();
    await (
      await world.user('ada', { access: own })
    ).says('Always answer me in French.', day(1), { conversationId: 'kitchen' });
    const token = await tokenOf({ user_id: 'ada' }, by);
    const events = await watching(token);
    await events.next('bundle');
    const client = createClient({
      url: `${doors.baseUrl.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
    open.push(() => client.dispose());
    const query = 'subscription { anticipated(conversationId: "kitchen") { ... on Bundle { sequence } } }';
    const subscription = client.iterate({ query }) as AsyncIterableIterator<any>;
    const first = (await subscription.next()).value;
    expect(first.data.anticipated.sequence).toBe(1);
    return { own, id, token, events, subscription };
  }
  type Held = Awaited<ReturnType<typeof hold>>;

  /** How the streams end, and what a new request is told. */
  async function endOf({ token, events, subscription }: Held) {
    const [problem, subscribed] = await Promise.all([
      events.next('problem'),
      subscription.next().then(
        ({ value }) => value?.errors?.[0]?.extensions?.code,
        (error: any) => error[0]?.extensions?.code ?? error.code,
      ),
    ]);
    expect(await events.next('bundle')).toBeUndefined();
    return { problem: problem?.data.code, subscribed, status: (await ask(token, {})).status };
  }
  const unauthenticated = { problem: 'unauthenticated', subscribed: expect.toSatisfy(isUnauthorized), status: 401 };

  test('with the key that made it', async () => {
    const held = await hold();
    await world.app.revokeKey(
      world.asAdmin(held.own),
      (await world.app.keys(world.asAdmin(held.own), { limit: 100 })).data[0]!.id,
    );
    expect(await endOf(held)).toEqual(unauthenticated);
  });

  test('with its time, to the second, and is tidied away', async () => {
    const token = await tokenOf({ ...ofAda, ttl_seconds: 4 });
    const events = await watching(token);
    expect(events.status).toBe(200);
    expect((await events.next('problem'))!.data).toMatchObject({ code: 'token_expired', status: 401 });
    expect((await ask(token, {})).status).toBe(401);
    await endedAgo(25 * 60 * 60_000);
    await tokenOf(ofAda);
    expect(await world.deps.db.browserToken.count({ where: { expiresAt: { lt: new Date() } } })).toBe(0);
    expect((await ask(token, {})).json()).toMatchObject({ code: 'unauthenticated' });
  });

  test('and every door says that its time is over', async () => {
    const token = await tokenOf(ofAda);
    await endedAgo(1);
    const fetched = await ask(token, {});
    expect([fetched.status, fetched.json().code]).toEqual([401, 'token_expired']);
    const asked = await doors.ask(token, '{ context(query: { searchQueries: ["tea"] }) { source } }');
    expect([asked.status, asked.json().errors[0].extensions.code]).toEqual([401, 'token_expired']);
    using client = openClient(doors.grpcAddress);
    const { code, metadata } = await client.anticipate({ key: token }).ended;
    expect([code, metadata.get('presage-error-code')]).toEqual([grpcStatus.UNAUTHENTICATED, ['token_expired']]);
    const events = await watching(token);
    expect(events.status).toBe(401);
    const socket = subscribing(token);
    expect(await socket).toBe(4401);
  });

  test('with those it is bound to', async () => {
    const held = await hold();
    await world.app.forgetOwner(held.own, { userId: 'ada' });
    expect(await endOf(held)).toEqual(unauthenticated);
  });

  test('while the instance is suspended', async () => {
    const held = await hold();
    await world.app.administration.changeInstanceState(world.admin, { id: parseInstanceId(held.id), event: 'suspend' });
    expect(await endOf(held)).toEqual({ problem: 'forbidden', subscribed: 'forbidden', status: 403 });
  });
});

/** Every token there is has expired so long ago. */
const endedAgo = (ms: number) =>
  world.deps.db.browserToken.updateMany({ data: { expiresAt: new Date(Date.now() - ms) } });

/** The code that a socket with this token is closed with. */
async function subscribing(token: string): Promise<unknown> {
  const client = createClient({
    url: `${doors.baseUrl.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
  });
  const updates = client.iterate({ query: 'subscription { anticipated(conversationId: "kitchen") { __typename } }' });
  return updates.next().then(
    () => undefined,
    (error: { code?: number }) => error.code,
  );
}

/** By the error of the subscription, or by the code that the socket is closed with. */
function isUnauthorized(code: unknown) {
  return code === 'unauthenticated' || code === 4401;
}
