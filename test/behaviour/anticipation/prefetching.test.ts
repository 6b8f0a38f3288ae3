import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { defaultMinRelevance } from '../../../src/domain/context/fetch-options.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { openClient, says } from '../grpc/open-client.ts';
import { openDoors } from '../../support/open-doors.ts';
import { bindConversation } from '../../../src/domain/conversations/bind-conversation.ts';
import { day } from '../../support/person.ts';
import { nearly } from '../../support/nearly.ts';

const doors = openDoors();
const { world } = doors;
let client: ReturnType<typeof openClient>;
beforeAll(() => void (client = openClient(doors.grpcAddress)));
afterAll(() => client[Symbol.dispose]());

interface Answer {
  readonly source: 'store' | 'anticipation';
  readonly memories: readonly { id: string; content: string }[];
}

const question = 'Where do I live?';
const conversationId = 'talk';

/** Ada, who lives in Leeds, in an instance of her own. */
async function living() {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('I live in Leeds.', day(1));
  await bindConversation(world.deps.db, access, { conversationId, userId: 'ada' }); // as the first message of a conversation binds it
  const fetches = (more: object = {}, credential = key) =>
    doors.send(credential, 'POST', '/v1/context/fetch', {
      search_queries: [question],
      conversation_id: conversationId,
      ...more,
    });
  return {
    access,
    key,
    ada,
    fetches,
    /** Where the answer came from. */
    source: async (more: object = {}) => ((await fetches(more)).json() as Answer).source,
    hears: (text = question) => hears(access, text),
  };
}

/** Something is said in the conversation, and there is time to answer it. */
async function hears(access: Access, text: string): Promise<void> {
  world.deps.prefetcher.noteMessage(access, conversationId, text);
  await world.deps.prefetcher.settled();
}

/** Without what no two answers share. */
const comparable = (answer: unknown) => ({ ...(answer as object), source: '', correlation_id: '' });

test('what was said on a stream is answered before it is asked, exactly as the store answers it', async () => {
  const { fetches, key, access } = await living();
  const looked = (await fetches({ user_id: 'ada' })).json() as Answer;
  expect(looked).toMatchObject({ source: 'store', memories: [{ content: 'I live in Leeds.' }] });
  const known = world.deps.readers.prefetchedCount;
  const stream = client.anticipate({ key });
  stream.send({ sessionStart: { userId: 'ada', conversationId } }, says(question));
  await expect.poll(() => world.deps.readers.prefetchedCount, { interval: 5, timeout: 10_000 }).toBeGreaterThan(known);
  const answered = (await fetches()).json();
  expect(answered).toMatchObject({ source: 'anticipation' });
  expect(comparable(answered)).toEqual(nearly(comparable(looked)));
  const query = `query ($q: ContextInput!) { context(query: $q) { source memories { memory { content } } } }`;
  const told = await doors.ask(key, query, { q: { searchQueries: [question], conversationId } });
  expect(told.json()).toMatchObject({
    data: { context: { source: 'ANTICIPATION', memories: [{ memory: { content: 'I live in Leeds.' } }] } },
  });
  await world.deps.metering.flush(new Date());
  const [accesses] = await world.deps.db.memoryAccess.findMany({ where: { instanceNumber: access.instanceNumber } });
  expect(accesses?.count).toBe(3); // however it was answered
  stream.hangUp();
});

test('what is said by another door while somebody streams is answered ahead once, by the door that took it', async () => {
  const { key, access } = await living();
  const said = vi.spyOn(world.deps.prefetcher, 'noteMessage');
  const stream = client.anticipate({ key });
  const bundle = async () => {
    while (!(await stream.next())!.bundle);
  };
  const texts = () => said.mock.calls.map(([, , text]) => text);
  const own = ['Hello there.', 'And where did I live before?'];
  stream.send({ sessionStart: { userId: 'ada', conversationId } }, says(own[0]!));
  await bundle();
  await world.app.addMessages(access, { conversationId, messages: [{ role: 'user', content: question }] });
  await bundle();
  stream.send(says(own[1]!));
  await bundle();
  await expect.poll(texts).toContain(own[1]);
  expect(texts()).toEqual([own[0], question, own[1]]);
  stream.hangUp();
});

test('it is answered with the options with which the conversation asked last; with any other it is looked up', async () => {
  const { source, hears: said } = await living();
  await said();
  expect(await source()).toBe('anticipation');
  const options = { mode: 'accurate', max_results: 3, types: ['facts'] };
  expect(await source(options)).toBe('store');
  await said();
  expect(await source(options)).toBe('anticipation');
  expect(await source({ search_queries: ['  WHERE do I live '], ...options })).toBe('anticipation');
  for (const otherwise of [
    { search_queries: ['Where do I work?'] },
    { search_queries: [question, 'Where do I work?'] },
    { explain: true },
    { as_of: day(2).toISOString() },
    { context_budget: 20 },
    { max_results: 4 },
  ]) {
    expect(await source({ ...options, ...otherwise })).toBe('store');
  }
});

test('of what is said at once, nothing is left to answer once all is settled', async () => {
  const { access, source } = await living();
  using prefetch = vi.spyOn(world.deps.readers, 'prefetch');
  for (const text of ['Good morning.', 'Tell me.', question]) {
    world.deps.prefetcher.noteMessage(access, conversationId, text);
  }
  await world.deps.prefetcher.settled();
  const unfinished = prefetch.mock.settledResults.filter(({ type }) => type === 'incomplete');
  expect([prefetch.mock.calls.length > 0, unfinished]).toEqual([true, []]);
  expect(await source()).toBe('anticipation');
});

test('who asks while the answer is being made waits for it', async () => {
  const { access, source, fetches } = await living();
  await fetches({ search_queries: ['Hello!'], user_id: 'ada' });
  using prefetch = vi.spyOn(world.deps.readers, 'prefetch');
  world.deps.prefetcher.noteMessage(access, conversationId, question);
  await expect.poll(() => prefetch.mock.calls.length, { interval: 0 }).toBe(1);
  expect(await source()).toBe('anticipation');
});

test('nobody else is told it: not another user, customer, conversation or instance', async () => {
  const { access, fetches, hears: said } = await living();
  await said();
  for (const named of [{ user_id: 'bob' }, { user_id: 'ada', customer_id: 'acme' }, { customer_id: 'acme' }]) {
    expect((await fetches(named)).status).toBe(400); // it is Ada's conversation
  }
  const other = (await fetches({ conversation_id: 'another', user_id: 'bob' })).json() as Answer;
  expect(other).toMatchObject({ source: 'store', memories: [] });
  const stranger = await world.instance();
  const refused = await fetches({ user_id: 'ada' }, stranger.key);
  expect(refused.json()).toMatchObject({ source: 'store', memories: [] });
  const { key } = await world.app.createKey(world.asAdmin(access), { label: 'of the same instance' });
  expect((await fetches({}, key)).json()).toMatchObject({ source: 'anticipation' }); // it reads the same
});

test('a key that is revoked, and an instance that is suspended, are told nothing from then on', async () => {
  const { access, fetches, hears: said } = await living();
  const { key, record } = await world.app.createKey(world.asAdmin(access), { label: 'going' });
  await said();
  expect((await fetches({}, key)).json()).toMatchObject({ source: 'anticipation' });
  await world.app.revokeKey(world.asAdmin(access), record.id);
  expect((await fetches({}, key)).status).toBe(401);
  expect((await fetches({ max_results: 0 }, key)).status).toBe(401); // not even what is wrong with the request
  expect((await fetches()).json()).toMatchObject({ source: 'anticipation' });
  await world.app.administration.changeInstanceState(world.admin, { id: access.instance, event: 'suspend' });
  expect((await fetches()).status).toBe(403);
});

test('it comes with what was said last, though more was said since', async () => {
  const { access, fetches, hears: said } = await living();
  const say = (content: string) =>
    world.app.addMessages(access, { conversationId, userId: 'ada', messages: [{ role: 'user', content }] });
  await say(question);
  await world.deps.prefetcher.settled();
  const told = async () =>
    (await fetches()).json() as Answer & { conversation_context: { recent_messages: { content: string }[] } };
  const first = await told();
  expect(first.source).toBe('anticipation');
  expect(first.conversation_context.recent_messages.map(({ content }) => content)).toEqual([question]);
  await say('Tell me.');
  await said();
  const second = await told();
  expect(second.source).toBe('anticipation');
  expect(second.conversation_context.recent_messages.map(({ content }) => content)).toEqual([question, 'Tell me.']);
});

test('it is over when its time is, and when a memory of it ends', async () => {
  const { access, source, ada, hears: said } = await living();
  await said();
  const { instanceNumber } = access;
  const ready = {
    instanceNumber,
    conversationId: (await world.deps.db.conversation.findFirstOrThrow({ where: { instanceNumber } })).id,
  };
  const known = await world.deps.readers.prefetched(
    { ...ready, options: `fast/10//${defaultMinRelevance.fast}///`, words: 'where do i live' },
    new Date(),
  );
  const minutes = (known!.expiresAt.getTime() - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(0);
  expect(minutes).toBeLessThanOrEqual(5);
  expect(await source()).toBe('anticipation');
  await ada.says('I have two cats.', day(3)); // a new owner or revision: looked up again
  expect(await source()).toBe('store');
});

test('what is forgotten is in no answer that is kept, and the receipt counts those that went', async () => {
  const { access, ada, source, hears: said } = await living();
  await said();
  await said('Do I live in Leeds?');
  expect(await source()).toBe('anticipation');
  const memories = await ada.memories();
  const receipt = await world.app.forgetMemory(access, memories[0]!.id, { cascade: true });
  expect(receipt.removed.prefetchedContexts).toBe(2);
  expect(await world.deps.db.prefetchedContext.count({ where: { instanceNumber: access.instanceNumber } })).toBe(0);
  expect(await source()).toBe('store');
});

test('a conversation that never asks is left alone after a few messages', async () => {
  const { access, hears: said } = await living();
  // All of them find something: where nothing is relevant, nothing is kept.
  for (const text of ['Leeds is fine.', 'I love Leeds.', 'I live in Leeds.', 'I still live in Leeds.'])
    await said(text);
  const { instanceNumber } = access;
  const conversation = (await world.deps.db.conversation.findFirstOrThrow({ where: { instanceNumber } })).id;
  const find = (words: string) =>
    world.deps.readers.prefetched(
      { instanceNumber, conversationId: conversation, options: `fast/10//${defaultMinRelevance.fast}///`, words },
      new Date(),
    );
  expect(await find('i live in leeds')).not.toBeNull();
  expect(await find('i still live in leeds')).toBeNull();
});
