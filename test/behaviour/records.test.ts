import { describe, expect, test } from 'vitest';
import { archiveMemories } from '../../src/domain/memories/archive.ts';
import { configured } from '../support/configured.ts';
import { brokenRules } from '../support/consistency.ts';
import { openServer, type Agent } from './rest/open-server.ts';

const server = openServer();

const keeps = async (agent: Agent, document: string, metadata: object, user_id = 'ada') => {
  const body = { document, document_type: 'note', verbatim: true, user_id, metadata, wait: 30 };
  return (await agent.send('POST', '/v1/memories', { body })).json<{ memory_ids: string[] }>();
};
const listed = async (agent: Agent, metadata: unknown, more = '') => {
  const filter = encodeURIComponent(typeof metadata === 'string' ? metadata : JSON.stringify(metadata));
  return agent.send('GET', `/v1/memories?metadata=${filter}${more}`);
};
const contents = async (agent: Agent, metadata: object, more = '') =>
  (await listed(agent, metadata, more)).json<{ data: { content: string }[] }>().data.map(({ content }) => content);

const fetched = async (agent: Agent, asked: object) => {
  const answer = await agent.send('POST', '/v1/context/fetch', { body: { user_id: 'ada', ...asked } });
  return answer.json<{ memories: { content: string }[] }>().memories.map(({ content }) => content);
};

test('records are listed by each member of their metadata, and by nobody else’s', async () => {
  const [agent, stranger] = [await server.agent(), await server.agent()];
  await keeps(agent, 'state one', { thread: 't-1', step: 1, isDone: true });
  await keeps(agent, 'state two', { thread: 't-1', step: 2, isDone: false });
  await keeps(agent, 'of another', { thread: 't-1', step: 1 }, 'bob');
  expect(await contents(agent, { thread: 't-1' }, '&user_id=ada')).toEqual(['state two', 'state one']);
  expect(await contents(agent, { thread: 't-1', step: 1 }, '&user_id=ada')).toEqual(['state one']);
  expect(await contents(agent, { isDone: false })).toEqual(['state two']);
  expect(await contents(agent, { step: '1' })).toEqual([]); // a text is no number
  expect(await contents(stranger, { thread: 't-1' })).toEqual([]);
});

test('a record is of the kind of what it states, word for word: an instruction stands always', async () => {
  const agent = await server.agent();
  const kindOf = async (document: string) => {
    const { memory_ids: ids } = await keeps(agent, document, {});
    const { type, category, content } = (await agent.send('GET', `/v1/memories/${ids[0]}`)).json<any>();
    expect([ids.length, content]).toEqual([1, document]);
    return `${type}/${category}`;
  };
  expect(await kindOf('Always answer in German.')).toBe('preferences/instruction');
  expect(await kindOf('Never call me before nine. Always use metric units.')).toBe('preferences/instruction');
  expect(await kindOf('My name is Ada. Never call me before ten.')).toBe('facts/other'); // of two kinds
  expect(await kindOf('state one')).toBe('facts/other'); // states nothing
  expect(await kindOf(`Always answer in German. ${'So it goes on. '.repeat(200)}`)).toBe('facts/other'); // a text
  expect(await fetched(agent, {})).toContain('Always answer in German.');
});

test('a record is kept as a fact where the configuration remembers nothing of its kind', async () => {
  const agent = server.agentWith((await configured(server.world, { memory_types: ['facts'] })).key);
  const { memory_ids: ids } = await keeps(agent, 'Always answer in German.', {});
  const kept = (await agent.send('GET', `/v1/memories/${ids[0]}`)).json();
  expect(kept).toMatchObject({ type: 'facts', category: 'other', content: 'Always answer in German.' });
});

test('a record whose metadata is corrected is found by what it says now', async () => {
  const agent = await server.agent();
  const { memory_ids: ids } = await keeps(agent, 'state one', { thread: 't-1' });
  const body = { metadata: { thread: 't-2' } };
  const corrected = await agent.send('PATCH', `/v1/memories/${ids[0]}`, { body });
  expect(corrected.json()).toMatchObject({ content: 'state one', metadata: { thread: 't-2' } });
  expect(await contents(agent, { thread: 't-1' })).toEqual([]);
  expect(await contents(agent, { thread: 't-2' })).toEqual(['state one']);
});

test('a record is corrected as it is given: nothing is read out of its new words', async () => {
  const agent = await server.agent();
  await agent.remembers('I live in Leeds.', { user_id: 'ada' });
  const { memory_ids: ids } = await keeps(agent, 'home: Leeds', { thread: 't-1' });
  const body = { content: 'I moved to York.\nMy sister Petra Hawksworth lives in Hull.' };
  const corrected = await agent.send('PATCH', `/v1/memories/${ids[0]}`, { body });
  expect(corrected.json()).toMatchObject({ ...body, id: ids[0], metadata: { thread: 't-1' }, entities: [] });
  const evidence = corrected.json<{ evidence: { quote: string }[] }>().evidence;
  expect(evidence.map(({ quote }) => quote)).toEqual([body.content]);
  expect(await contents(agent, { thread: 't-1' })).toEqual([body.content]);
  const facts = await agent.send('GET', '/v1/memories?user_id=ada&status=active&type=facts&q=Leeds');
  expect(facts.json<{ data: { content: string }[] }>().data.map(({ content }) => content)).toEqual([
    'I live in Leeds.',
  ]);
});

test('a record is given a type and times, and is found as one of that type', async () => {
  const agent = await server.agent();
  const { memory_ids: ids } = await keeps(agent, 'The harbour feast.', { thread: 't-1' });
  const body = { type: 'temporal_events', event_start: '2026-06-06' };
  const corrected = await agent.send('PATCH', `/v1/memories/${ids[0]}`, { body });
  const event = { type: 'temporal_events', event_start: '2026-06-06T00:00:00.000Z', event_precision: 'day' };
  expect(corrected.json()).toMatchObject({ ...event, content: 'The harbour feast.', metadata: { thread: 't-1' } });
  const asked = { search_queries: ['harbour feast'], min_relevance: 0 };
  expect(await fetched(agent, { ...asked, types: ['temporal_events'] })).toEqual(['The harbour feast.']);
  expect(await fetched(agent, { ...asked, types: ['facts'] })).toEqual([]);
});

test('a record that is corrected to what another one says stays beside it', async () => {
  const agent = await server.agent();
  const { memory_ids: ids } = await keeps(agent, 'state one', { thread: 't-1' });
  await keeps(agent, 'state two', { thread: 't-1' });
  await agent.send('PATCH', `/v1/memories/${ids[0]}`, { body: { content: 'state two' } });
  expect(await contents(agent, { thread: 't-1' })).toEqual(['state two', 'state two']);
});

test('the same words as a corrected record says now answer the ingestion that it had', async () => {
  const agent = await server.agent();
  const sent = { document_type: 'note', verbatim: true, user_id: 'ada', document_id: 'd-1', wait: 30 };
  const send = async (document: string) =>
    (await agent.send('POST', '/v1/memories', { body: { ...sent, document, if_exists: 'replace' } })).json<{
      ingestion_id: string;
      memory_ids: string[];
    }>();
  const first = await send('state one');
  await agent.send('PATCH', `/v1/memories/${first.memory_ids[0]}`, { body: { content: 'state two' } });
  expect((await send('state two')).ingestion_id).toBe(first.ingestion_id);
  expect((await send('state one')).ingestion_id).not.toBe(first.ingestion_id);
});

test('an archived record that is restored is found by its metadata and its words again', async () => {
  const { world } = server;
  const { access, key } = await world.instance();
  const agent = server.agentWith(key);
  const { memory_ids: ids } = await keeps(agent, 'state one of the harbour', { thread: 't-1', isDone: true });
  const [row] = await world.deps.db.memory.findMany({ where: { instanceNumber: access.instanceNumber } });
  await archiveMemories(world.deps, access, { ownerNo: row!.ownerNo, ids: [row!.id] });
  expect(await contents(agent, { thread: 't-1' })).toEqual([]);
  expect((await agent.send('POST', `/v1/memories/${ids[0]}/restore`)).status).toBe(200);
  expect(await contents(agent, { thread: 't-1', isDone: true })).toEqual(['state one of the harbour']);
  expect(await fetched(agent, { metadata: { thread: 't-1' } })).toEqual(['state one of the harbour']);
  const body = { search_query: 't-1', user_id: 'ada', mode: 'accurate', min_relevance: 0 };
  const found = await agent.send('POST', '/v1/context/fetch', { body });
  expect(found.text).toContain('state one of the harbour');
  expect(await brokenRules(world.deps, access)).toEqual({});
});

test('a record without a word counts as no memory of words', async () => {
  const { world } = server;
  const { access, key } = await world.instance();
  const agent = server.agentWith(key);
  const { memory_ids: ids } = await keeps(agent, '…!', { isDone: true });
  expect(await contents(agent, { isDone: true })).toEqual(['…!']);
  expect(await brokenRules(world.deps, access)).toEqual({});
  await agent.send('PATCH', `/v1/memories/${ids[0]}`, { body: { metadata: { thread: 't-1' } } });
  expect(await brokenRules(world.deps, access)).toEqual({});
});

describe('a fetch that names metadata', () => {
  test('answers the records that have it, in the order of the query, in both modes', async () => {
    const [agent, stranger] = [await server.agent(), await server.agent()];
    await keeps(agent, 'The ferry to Ghent leaves at nine.', { thread: 't-1' });
    await keeps(agent, 'The heron stands in the reeds.', { thread: 't-1' });
    await keeps(agent, 'The ferry to Bruges leaves at ten.', { thread: 't-2' });
    await keeps(agent, 'The ferry to Lille leaves at noon.', { thread: 't-1' }, 'bob');
    await agent.remembers('The ferry to Ostend leaves at one.', { user_id: 'ada', metadata: { thread: 't-1' } });
    for (const mode of ['fast', 'accurate']) {
      const search_query = 'When does the ferry leave?';
      const asked = { metadata: { thread: 't-1' }, search_query, mode };
      expect([mode, await fetched(agent, asked)]).toEqual([
        mode,
        ['The ferry to Ghent leaves at nine.', 'The heron stands in the reeds.'],
      ]);
      expect(await fetched(agent, { ...asked, max_results: 1 })).toEqual(['The ferry to Ghent leaves at nine.']);
      expect(await fetched(agent, { ...asked, min_relevance: 1 })).toEqual([]);
      expect(await fetched(agent, { ...asked, types: ['episodes'] })).toEqual([]);
      expect(await fetched(agent, { ...asked, metadata: { thread: 't-3' } })).toEqual([]);
      expect(await fetched(stranger, asked)).toEqual([]);
    }
  });

  test('answers the newest first without a query, and never what was foreseen for another fetch', async () => {
    const agent = await server.agent();
    for (const n of [1, 2, 3]) await keeps(agent, `state ${n}`, { thread: 't-1', n });
    await agent.remembers('Always answer me in Portuguese.', { user_id: 'ada' });
    expect(await fetched(agent, { metadata: { thread: 't-1' } })).toEqual(['state 3', 'state 2', 'state 1']);
    const said = { conversation_id: 'c-1', search_query: 'which state?' };
    await agent.send('POST', '/v1/conversations/c-1/messages', {
      body: { role: 'user', content: said.search_query, user_id: 'ada' },
    });
    await server.world.deps.prefetcher.settled();
    expect(await fetched(agent, { ...said, metadata: { n: 2 } })).toEqual(['state 2']);
    const { access } = await server.world.user('ada');
    expect(
      await server.world.deps.db.conversationFetchOptions.count({ where: { instanceNumber: access.instanceNumber } }),
    ).toBe(0);
  });

  test.each([[{}], [[]], ['t-1'], [{ a: { b: 1 } }], [{ a: null }], [{ a: 'x'.repeat(257) }]])(
    'is refused where it is %j',
    async (metadata) => {
      const body = { metadata, user_id: 'ada' };
      const refused = await (await server.agent()).send('POST', '/v1/context/fetch', { body });
      expect(refused.json()).toMatchObject({ status: 400, errors: [{ field: expect.stringMatching(/^metadata/) }] });
    },
  );
});

test('a text is kept word for word by `verbatim`, whatever its mode', async () => {
  const agent = await server.agent();
  const body = { document: 'I live in Leeds.\nI moved to York.', document_type: 'note', user_id: 'ada', wait: 30 };
  await agent.send('POST', '/v1/memories', { body: { ...body, verbatim: true, mode: 'fast', metadata: { n: 1 } } });
  expect(await contents(agent, { n: 1 })).toEqual([body.document]);
});

test.each(['no json', '[]', '{}', '{"a":{"b":1}}', '{"a":null}'])('the filter %s is refused', async (filter) => {
  const refused = await listed(await server.agent(), filter);
  expect(refused.json()).toMatchObject({ status: 400, errors: [{ field: 'metadata' }] });
});
