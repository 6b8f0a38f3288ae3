import { status } from '@grpc/grpc-js';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSecret } from '../../../src/domain/tenancy/credentials.ts';
import { createGrpcServer, type GrpcServer } from '../../../src/transports/grpc/server.ts';
import { day } from '../../support/person.ts';
import { openWorld } from '../../support/world.ts';
import { begun, end, openClient, ping, says, start } from './open-client.ts';
import { timed } from '../../support/timed.ts';

const world = openWorld();
let server: GrpcServer;
let client: ReturnType<typeof openClient>;

beforeAll(async () => {
  const telemetry = { log: pino({ level: 'silent' }), registry: new Registry() };
  server = await createGrpcServer({ app: world.app, telemetry, address: '127.0.0.1:0' });
  client = openClient(`127.0.0.1:${server.port}`);
});
afterAll(async () => {
  client[Symbol.dispose]();
  await server.close(1_000);
});

test('a message brings back what is known, with the words it was taken from', async () => {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('I am allergic to peanuts.', day(1), { documentId: 'chat-1' });
  const bundle = await bundleFor(key, 'ada', 'Is there a food I should avoid?');
  const memory = bundle?.memories.find(({ type }) => type === 'MEMORY_TYPE_FACTS');
  expect(memory).toMatchObject({
    scope: 'SCOPE_USER',
    content: expect.stringContaining('peanuts'),
    evidence: [{ documentId: 'chat-1', turns: [0], quote: expect.stringContaining('allergic to peanuts') }],
  });
  expect(bundle).toMatchObject({ sequence: 1, bundleId: expect.stringMatching(/^bun_/) });
  expect(bundle?.totalTokens).toBeGreaterThan(0);
});

test('a corrected fact is not sent any more', async () => {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('I live in Leeds.', day(1));
  await ada.says('I moved to York.', day(9));
  const facts = (await bundleFor(key, 'ada', 'Where do I live?'))?.memories.filter(
    ({ type }) => type === 'MEMORY_TYPE_FACTS',
  );
  expect(facts?.map(({ content }) => content)).toEqual([expect.stringContaining('York')]);
});

test("nobody is sent what is another user's, or another instance's", async () => {
  const { access, key } = await world.instance();
  await (await world.user('ada', { access })).says('I am allergic to peanuts.');
  await (await world.user('ada')).says('I am allergic to walnuts.'); // of an instance of her own
  expect((await bundleFor(key, 'bob', 'What may I not eat?'))?.memories).toEqual([]);
  expect((await bundleFor(key, undefined, 'What may I not eat?'))?.memories).toEqual([]);
  const told = JSON.stringify(await bundleFor(key, 'ada', 'What may I not eat?'));
  expect(told).toContain('peanuts');
  expect(told).not.toContain('walnuts');
});

test('a bundle keeps to the budget of its session', async () => {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  for (const pet of ['a cat', 'a dog', 'two goats']) await ada.says(`I have ${pet} called Biscuit at home.`);
  const stream = client.anticipate({ key });
  stream.send({ sessionStart: { userId: 'ada', tokenBudget: 20 } }, says('What pets do I have?'), end);
  const bundle = (await stream.next())?.bundle;
  expect(bundle?.memories.length).toBeGreaterThan(0);
  expect(bundle?.totalTokens).toBeLessThanOrEqual(20);
});

test("revoking a key ends its open streams within a second, and nobody else's", timed, async () => {
  const { access, key } = await world.instance();
  const { key: other } = await world.app.createKey(world.asAdmin(access), { label: 'other' });
  const [stream, stays] = await Promise.all([
    begun(client.anticipate({ key })),
    begun(client.anticipate({ key: other })),
  ]);
  const record = (await world.app.keys(world.asAdmin(access), { limit: 100 })).data.find(({ label }) => label === null);
  const startedAt = performance.now();
  await world.app.revokeKey(world.asAdmin(access), record?.id ?? '');
  const ended = await stream.ended;
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect(ended.code).toBe(status.UNAUTHENTICATED);
  stays.send(ping);
  expect(await stays.next()).toMatchObject({ kind: 'pong' });
  stays.send(end);
  expect((await stays.ended).code).toBe(status.OK);
});

test.each([
  { case: 'no key', key: () => undefined },
  { case: 'a key that never was', key: () => newSecret('presage') },
  { case: 'a malformed one', key: () => 'presage' },
])('$case opens no stream', async ({ key }) => {
  const secret = key();
  const stream = client.anticipate(secret === undefined ? {} : { key: secret });
  stream.send(start(), says('hi'));
  expect((await stream.ended).code).toBe(status.UNAUTHENTICATED);
});

test('a conversation brings its user with it, and contradicts another', async () => {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('I am allergic to peanuts.', day(1), { conversationId: 'kitchen' });
  const stream = client.anticipate({ key });
  stream.send({ sessionStart: { conversationId: 'kitchen' } }, says('What may I not eat?'), end);
  expect(JSON.stringify(await stream.next())).toContain('peanuts');

  const contradicting = client.anticipate({ key });
  contradicting.send({ sessionStart: { conversationId: 'kitchen', userId: 'bob' } }, says('What may I not eat?'));
  expect((await contradicting.ended).code).toBe(status.INVALID_ARGUMENT);

  const unknown = client.anticipate({ key });
  unknown.send({ sessionStart: { conversationId: 'attic' } }, says('What may I not eat?'));
  expect((await unknown.ended).code).toBe(status.NOT_FOUND);
});

async function bundleFor(key: string, user: string | undefined, content: string) {
  const stream = client.anticipate({ key });
  stream.send({ sessionStart: user === undefined ? {} : { userId: user } }, says(content), end);
  return (await stream.next())?.bundle;
}

test('what no Unicode text can hold is replaced in a message that is kept', async () => {
  const { access, key } = await world.instance();
  const stream = client.anticipate({ key });
  const session = { userId: 'ada', conversationId: 'c-1', remember: true };
  stream.send({ sessionStart: session }, says('I like \0 jam.'), { sessionEnd: {} });
  await stream.ended;
  const { recentMessages } = await world.app.conversation(access, { conversationId: 'c-1', last: 1 });
  expect(recentMessages.map(({ content }) => content)).toEqual(['I like \uFFFD jam.']);
});
