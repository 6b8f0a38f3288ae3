import { createClient, type Client as SocketClient } from 'graphql-ws';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { day } from '../../support/person.ts';
import { openGraphql, type Client } from './open-graphql.ts';

const graphql = openGraphql();

const clients: SocketClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
});

/** What a subscription told so far; resolves once the service listens for it. */
async function watch<T>({ credential }: Pick<Client, 'credential'>, query: string, variables: object = {}) {
  const { memoryFeed } = graphql.world.deps;
  const { listen } = memoryFeed;
  const client = createClient({
    url: `${graphql.baseUrl.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${credential}` },
    retryAttempts: 0,
  });
  clients.push(client);
  const told: T[] = [];
  let stop!: () => void;
  const isListening = new Promise<void>((resolve) => {
    memoryFeed.listen = (...args) => {
      resolve();
      return listen.apply(memoryFeed, args);
    };
  });
  const end = new Promise((resolve) => {
    stop = client.subscribe(
      { query, variables: variables as Record<string, unknown> },
      {
        next: ({ data, errors }) => void (data ? told.push(data as T) : resolve(errors)),
        error: resolve,
        complete: () => resolve('completed'),
      },
    );
  });
  await Promise.race([isListening, end]);
  memoryFeed.listen = listen;
  return { told, end, stop };
}

interface Changed {
  readonly memoryChanged: { readonly content: string; readonly status: string };
}
interface Created {
  readonly memoryCreated: { readonly id: string; readonly content: string };
}
const changed = 'subscription ($user: String) { memoryChanged(userId: $user) { content status } }';
const created = 'subscription { memoryCreated { id content entities { name } } }';

test('a memory is told when it is stored and when it is replaced, to those who watch this instance', async () => {
  const { access, key } = await graphql.world.instance();
  const other = await graphql.agent();
  const ada = await graphql.world.user('ada', { access });
  await ada.says('I am allergic to peanuts.', day(1));
  const changes = await watch<Changed>(graphql.clientWith(key), changed);
  const news = await watch<Created>(graphql.clientWith(key), created);
  const elsewhere = await watch<Changed>(other, changed);
  await ada.says('I live in Leeds.', day(2));
  await ada.says('I live in York now.', day(3));
  const of = (words: string) =>
    changes.told.flatMap(({ memoryChanged: { content, status } }) => (content.includes(words) ? status : []));
  await expect.poll(() => [of('Leeds').at(-1), of('York').at(-1)]).toEqual(['SUPERSEDED', 'ACTIVE']);
  await expect.poll(() => JSON.stringify(news.told)).toContain('York');
  const ids = news.told.map(({ memoryCreated: { id } }) => id);
  expect(new Set(ids).size).toBe(ids.length); // what is replaced was told already
  expect(JSON.stringify([changes.told, elsewhere.told])).not.toContain('peanuts');
  expect(elsewhere.told).toEqual([]);
});

test('a correction is told to those who watch its user, and to nobody who watches another', async () => {
  const { access, key } = await graphql.world.instance();
  const ada = await graphql.world.user('ada', { access });
  await ada.says('I am allergic to peanuts.', day(1));
  const [memory] = await ada.memories();
  const [ofAda, ofBob] = [
    await watch<Changed>(graphql.clientWith(key), changed, { user: 'ada' }),
    await watch<Changed>(graphql.clientWith(key), changed, { user: 'bob' }),
  ];
  await graphql.world.app.correctMemory(access, memory!.id, { content: 'I am allergic to walnuts.' });
  await expect.poll(() => JSON.stringify(ofAda.told)).toContain('walnuts');
  expect(ofBob.told).toEqual([]);
});

test('an administrator names the instance; a viewer sees no words', async () => {
  const { access, id } = await graphql.world.instance();
  const viewer = await graphql.administrator('viewer');
  const ada = await graphql.world.user('ada', { access });
  const unnamed = await watch(viewer, 'subscription { memoryCreated { id } }');
  expect(JSON.stringify(await unnamed.end)).toContain('instanceId');
  const text = 'subscription ($i: ID!) { memoryCreated(instanceId: $i) { type content } }';
  const types = await watch(viewer, text.replace(' content', ''), { i: id });
  const words = await watch(viewer, text, { i: id });
  await ada.says('I am allergic to peanuts.', day(1));
  await expect.poll(() => types.told.length).toBeGreaterThan(0);
  expect(JSON.stringify(words.told)).not.toContain('peanuts');
});

test('what another process changed is told when its notice comes', async () => {
  const { access, key } = await graphql.world.instance();
  const ada = await graphql.world.user('ada', { access });
  const changes = await watch<Changed>(graphql.clientWith(key), changed);
  const { memoryFeed } = graphql.world.deps;
  const { publish } = memoryFeed;
  const notices: string[] = [];
  memoryFeed.publish = (revised) => {
    for (const { instanceNumber, ownerNo } of revised) notices.push(`memories/${instanceNumber}/${ownerNo}`);
  };
  await ada.says('I live in Leeds.', day(1));
  memoryFeed.publish = publish;
  expect(changes.told).toEqual([]);
  expect(memoryFeed.heard('work')).toBe(false);
  for (const notice of notices) expect(memoryFeed.heard(notice)).toBe(true);
  await expect.poll(() => JSON.stringify(changes.told)).toContain('Leeds');
});

test('what another process stored is told when its notice was lost, each memory once', async () => {
  const { access, key } = await graphql.world.instance();
  const [ada, bob] = [await graphql.world.user('ada', { access }), await graphql.world.user('bob', { access })];
  await bob.says('I am allergic to peanuts.', day(1));
  const news = await watch<Created>(graphql.clientWith(key), created);
  const { memoryFeed } = graphql.world.deps;
  const { publish } = memoryFeed;
  memoryFeed.publish = () => undefined;
  await ada.says('I live in Leeds.', day(1));
  memoryFeed.publish = publish;
  expect(news.told).toEqual([]);
  memoryFeed.missed();
  await expect.poll(() => JSON.stringify(news.told)).toContain('Leeds');
  memoryFeed.missed();
  await bob.says('I live in York.', day(2));
  await expect.poll(() => JSON.stringify(news.told)).toContain('York');
  const ids = news.told.map(({ memoryCreated: { id } }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(JSON.stringify(news.told)).not.toContain('peanuts');
});

test('words that are still being typed are answered by those who watch the conversation', async () => {
  const { access, key } = await graphql.world.instance();
  const ada = await graphql.world.user('ada', { access });
  await ada.says('Always answer me in French.', day(1));
  await ada.says('My allergy to peanuts is severe. I play the harmonium.', day(1));
  const agent = graphql.clientWith(key);
  await agent.ask('mutation { startConversation(input: { id: "kitchen", userId: "ada" }) { __typename } }');
  const typing = `mutation ($id: ID!, $words: String!, $user: String) {
    publishPartialMessage(input: { conversationId: $id, content: $words, userId: $user }) {
      __typename ... on Problem { message } } }`;
  const bundles = await watchBundles(agent);
  await expect.poll(() => bundles.length).toBeGreaterThan(0);
  const before = bundles.length;
  const type = async (id: string, words: string, user?: string) =>
    (await agent.ask<{ publishPartialMessage: { __typename: string } }>(typing, { id, words, user })).data
      .publishPartialMessage.__typename;
  expect(await type('kitchen', 'Is there anything with peanuts')).toBe('PartialMessagePublished');
  await expect.poll(() => bundles.length).toBeGreaterThan(before);
  await expect.poll(() => bundles.at(-1)).toContain('peanuts');
  expect(await type('nowhere', 'Is there')).toBe('NotFound');
  expect(await type('kitchen', 'Is there', 'bob')).toBe('InvalidInput');
  const { data } = await agent.ask<{ conversation: { messageCount: number } }>(
    '{ conversation(id: "kitchen") { messageCount } }',
  );
  expect(data.conversation.messageCount).toBe(0);
});

/** What each bundle of the conversation holds. */
async function watchBundles({ credential }: Client): Promise<string[]> {
  const client = createClient({
    url: `${graphql.baseUrl.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${credential}` },
    retryAttempts: 0,
  });
  clients.push(client);
  const bundles: string[] = [];
  client.subscribe(
    {
      query: `subscription { anticipated(conversationId: "kitchen", userId: "ada") {
        ... on Bundle { memories { memory { content } } } } }`,
    },
    {
      next: (event) => void bundles.push(JSON.stringify(event)),
      error: (error) => void bundles.push(JSON.stringify(error)),
      complete: () => undefined,
    },
  );
  return bundles;
}
