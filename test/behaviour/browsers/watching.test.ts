import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createSocketClient } from 'graphql-ws';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { conversationUuid } from '../../../src/domain/ids.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { openDoors } from '../../support/open-doors.ts';
import { day } from '../../support/person.ts';
import { watch, type Watcher } from '../../support/server-sent-events.ts';
import { openClient, says, type Stream } from '../grpc/open-client.ts';

/** A dashboard watches what an agent's conversation calls for. */
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
  const ada = await world.user('ada', { access });
  await ada.says('Always answer me in French.', day(1));
  await ada.says('My allergy to peanuts is severe. I live in Leeds.', day(2), { conversationId: 'kitchen' });
  const bob = await world.user('bob', { access });
  await bob.says('My locker code is Tangerine.', day(2), { conversationId: 'locker-room' });
});

/** The agent's own stream, in the conversation. */
async function talk(conversationId = 'kitchen', credential = key): Promise<Stream> {
  const client = openClient(doors.grpcAddress);
  const stream = client.anticipate({ key: credential });
  open.push(() => (stream.call.cancel(), client[Symbol.dispose]()));
  stream.send({ sessionStart: { conversationId } });
  await stream.next(); // what always holds: it is in the conversation by then
  return stream;
}

async function tokenOf(named: object, by = key): Promise<string> {
  const made = await doors.send(by, 'POST', '/v1/tokens', named);
  expect(made.status).toBe(201);
  return made.json().token;
}

const urlOf = (conversation: string, query = '') =>
  `${doors.baseUrl}/v1/conversations/${conversation}/anticipated${query}`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function watching(...given: Parameters<typeof watch>): Promise<Watcher> {
  const watcher = await watch(...given);
  open.push(() => watcher.leave());
  return watcher;
}

const contentsOf = (bundle: { data: { memories: { content: string }[] } } | undefined) =>
  bundle!.data.memories.map(({ content }) => content);

describe('server-sent events', () => {
  test('show what always holds at once, and what the words of the agent’s stream call for', async () => {
    const watcher = await watching(urlOf('kitchen'), bearer(await tokenOf({ conversation_id: 'kitchen' })));
    expect(watcher.headers.get('content-type')).toBe('text/event-stream');
    const first = await watcher.next('bundle');
    expect(first!.data.snapshot).toBe(true);
    expect(contentsOf(first)).toContain('Always answer me in French.');
    const stream = await talk();
    stream.send(says('Can I put peanuts into the cake?'));
    const next = await watcher.next('bundle');
    expect(contentsOf(next)).toEqual(expect.arrayContaining([expect.stringContaining('peanuts')]));
    expect(next!.data.sequence).toBe(first!.data.sequence + 1);
    expect(next!.id).toBe(`${first!.id.split('.')[0]}.${next!.data.sequence}`);
  });

  test('begin with what the last words of the conversation call for', async () => {
    const { access: theirs, key: own } = await world.instance();
    const kim = await world.user('kim', { access: theirs });
    await kim.says('I keep my kayak at the Albert dock.', day(1));
    const asked = { user_id: 'kim', messages: [{ role: 'user', content: 'Where did I leave my kayak?' }] };
    expect((await doors.send(own, 'POST', '/v1/conversations/pier/messages', asked)).status).toBe(201);
    const watcher = await watching(urlOf('pier'), bearer(own));
    expect(contentsOf(await watcher.next('bundle'))).toContain('I keep my kayak at the Albert dock.');
  });

  test('go on where a lost connection was, by the id of the last event', async () => {
    const token = await tokenOf({ user_id: 'ada' });
    const first = await watching(urlOf('kitchen', `?access_token=${token}`));
    const { id, data } = (await first.next('bundle'))!;
    first.leave();
    const again = await watching(urlOf('kitchen', `?access_token=${token}`), { 'last-event-id': id });
    const next = (await again.next('bundle'))!;
    expect({ snapshot: next.data.snapshot, isLater: next.data.sequence > data.sequence }).toEqual({
      snapshot: false,
      isLater: true,
    });
    const other = await watching(urlOf('kitchen', `?access_token=${token}&last_event_id=nonsense`));
    expect(other.status).toBe(400);
    expect((await other.json()).errors[0].field).toBe('last_event_id');
  });

  test('withdraw what is forgotten', async () => {
    const { access: theirs, key: own } = await world.instance();
    const eve = await world.user('eve', { access: theirs });
    await eve.says('Never call me before noon.', day(1), { conversationId: 'hall' });
    const watcher = await watching(urlOf('hall'), bearer(await tokenOf({ conversation_id: 'hall' }, own)));
    const [standing] = (await watcher.next('bundle'))!.data.memories;
    const stream = await talk('hall', own);
    await world.app.forgetMemory(theirs, standing.id, { cascade: true });
    stream.send(says('Good morning!'));
    expect((await watcher.next('withdrawal'))!.data.memory_ids).toContain(standing.id);
  });

  test('are for conversations that exist, with a token in the query or a key in the header', async () => {
    const token = await tokenOf({ user_id: 'ada' });
    const statusOf = async (...given: Parameters<typeof watch>) => (await watching(...given)).status;
    expect(await statusOf(urlOf('kitchen'), bearer(key))).toBe(200);
    expect(await statusOf(urlOf('never-seen'), bearer(key))).toBe(404);
    expect(await statusOf(urlOf('never-seen', '?user_id=ada'), bearer(key))).toBe(404);
    expect(await statusOf(urlOf('never-seen'), bearer(token))).toBe(404);
    expect(await statusOf(urlOf('kitchen', `?access_token=${key}`))).toBe(401);
    expect(await statusOf(urlOf('kitchen'))).toBe(401);
    // Only this route takes a token so.
    expect((await doors.send('', 'POST', `/v1/context/fetch?access_token=${token}`, {})).status).toBe(401);
  });
});

describe('GraphQL', () => {
  const query = `subscription ($conversation: ID!) { anticipated(conversationId: $conversation) {
    ... on Bundle { id sequence totalTokens isSnapshot memories { reason score memory { content entities { name } } } }
    ... on Withdrawal { sequence memoryIds } } }`;

  /** The same operation over both protocols. */
  const doorsOfGraphql = {
    'graphql-ws': (token: string) => {
      const client = createSocketClient({
        url: `${doors.baseUrl.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${token}` },
        retryAttempts: 0,
      });
      open.push(() => client.dispose());
      return client;
    },
    'graphql-sse': (token: string) => {
      const client = createSseClient({
        url: `${doors.baseUrl}/graphql/stream`,
        headers: { authorization: `Bearer ${token}` },
        retryAttempts: 0,
      });
      open.push(() => client.dispose());
      return client;
    },
  } as const;

  test.each(Object.keys(doorsOfGraphql) as (keyof typeof doorsOfGraphql)[])(
    '%s: a browser is sent bundles as the conversation goes',
    async (name) => {
      const client = doorsOfGraphql[name](await tokenOf({ user_id: 'ada', conversation_id: 'kitchen' }));
      const events = client.iterate({ query, variables: { conversation: 'kitchen' } }) as AsyncIterableIterator<any>;
      const first = (await events.next()).value;
      expect(first.errors).toBeUndefined();
      expect(first.data.anticipated).toMatchObject({ isSnapshot: true, id: expect.stringMatching(/^bun_/) });
      const stream = await talk();
      stream.send(says('How do I get home to Leeds?'));
      const { memories } = (await events.next()).value.data.anticipated;
      const found = memories.find((each: any) => each.memory.content.includes('Leeds'));
      expect(found.reason).toBe('CONTEXT');
      await events.return!();
    },
  );
});

describe('a conversation', () => {
  test('is heard by each stream in it, and nobody hears themselves', async () => {
    const [one, other] = [await talk(), await talk()];
    one.send(says('Is there a peanut in this cake?'));
    expect(Number((await one.next())?.bundle?.sequence)).toBe(2);
    const heard = (await other.next())!.bundle!;
    expect(heard.memories.map(({ content }) => content).join()).toContain('peanuts');
    one.send({ sessionEnd: {} });
    await one.ended;
    expect(await one.next()).toBeUndefined(); // no bundle came for its own words a second time
  });

  test('is neither heard nor told by a stream that names somebody else', async () => {
    const watcher = await watching(urlOf('kitchen'), bearer(key));
    await watcher.next('bundle');
    const client = openClient(doors.grpcAddress);
    open.push(() => client[Symbol.dispose]());
    const stream = client.anticipate({ key });
    stream.send({ sessionStart: { userId: 'bob', conversationId: 'kitchen' } }, says('Peanuts!'));
    expect((await stream.ended).metadata.get('presage-error-field')).toEqual(['user_id']);
    (await talk()).send(says('Where do I live?'));
    expect((await watcher.next('bundle'))!.data.sequence).toBe(2); // the first that it heard
  });

  test('that nobody watches any more is listened to by nobody', async () => {
    const { id } = conversationUuid(access.instance, 'kitchen');
    const ears = () =>
      world.deps.feed.listened().find((each) => each.instanceNumber === access.instanceNumber && each.id === id);
    const listeners = () => ears()?.listeners.size ?? 0; // one of them makes answers ready
    for (const close of open.splice(0)) await close();
    await expect.poll(listeners).toBeLessThan(2);
    const before = listeners();
    const watcher = await watching(urlOf('kitchen'), bearer(key));
    await watcher.next('bundle');
    await talk();
    expect(listeners()).toBeGreaterThan(before);
    watcher.leave();
    for (const close of open.splice(0)) await close();
    await expect.poll(listeners).toBe(before);
  });
});
