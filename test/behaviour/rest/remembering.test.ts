import { expect, test } from 'vitest';
import { openServer } from './open-server.ts';

const server = openServer();

test('a document is accepted, ingested, and fetched', async () => {
  const agent = await server.agent();
  const body = { document: 'I live in Leeds.', document_type: 'note', user_id: 'ada', document_id: 'notes/1' };
  const accepted = await agent.send('POST', '/v1/memories', { body });
  expect(accepted.status).toBe(202);
  expect(accepted.headers.get('x-config-version')).toBe('1');
  expect(accepted.json()).toMatchObject({ document_id: 'notes/1', status: 'queued' });
  await server.world.settle();

  const status = await agent.send('GET', `/v1/memories/${String(accepted.json().ingestion_id)}/status`);
  const ingestion = status.json<{ memory_ids: string[] }>();
  expect(ingestion).toMatchObject({ status: 'completed', stage: null, warnings: [], error: null });
  expect(ingestion).toMatchObject({ memories_created: ingestion.memory_ids.length });

  const query = { search_query: 'Where do I live?', user_id: 'ada', mode: 'accurate' };
  const fetched = await agent.send('POST', '/v1/context/fetch', { body: query });
  expect(fetched.status).toBe(200);
  expect(fetched.json()).toMatchObject({ source: 'store', budget_exceeded: false, warnings: [] });
  expect(fetched.json().correlation_id).toBe(fetched.headers.get('x-correlation-id'));
  const [memory] = fetched.json<{ memories: Record<string, unknown>[] }>().memories;
  expect(memory).toMatchObject({
    content: 'I live in Leeds.',
    user_id: 'ada',
    scope: 'USER',
    config_version: 1,
    evidence: [{ document_id: 'notes/1', turns: [0], quote: 'I live in Leeds.' }],
  });
  expect(memory).toHaveProperty('score');
  expect(memory).not.toHaveProperty('score_parts');
});

test('a status can wait for the end, and no longer than it was asked to', async () => {
  const agent = await server.agent();
  const body = { document: 'I live in Leeds.', document_type: 'note', user_id: 'ada' };
  const { ingestion_id } = (await agent.send('POST', '/v1/memories', { body })).json();
  const path = `/v1/memories/${String(ingestion_id)}/status`;
  expect((await agent.send('GET', `${path}?wait=30`)).json()).toMatchObject({ status: 'completed' });
  expect((await agent.send('GET', `${path}?wait=30`)).json()).toMatchObject({ status: 'completed' });
  const tooLong = await agent.send('GET', `${path}?wait=31`);
  expect(tooLong.json()).toMatchObject({ status: 400, errors: [{ field: 'wait' }] });

  // One that no worker will ever end.
  await server.world.deps.db.ingestion.updateMany({ data: { status: 'extracting', completedAt: null } });
  expect((await agent.send('GET', `${path}?wait=1`)).json()).toMatchObject({ status: 'extracting' });
});

test.each(['fast', 'accurate'])('in %s what nothing bears on is answered with nothing, and a warning', async (mode) => {
  const agent = await server.agent();
  await agent.remembers('I live in Leeds.', { user_id: 'ada' });
  const asked = { search_query: 'Explain the Krebs cycle', user_id: 'ada', mode };
  const { memories, warnings } = (await agent.send('POST', '/v1/context/fetch', { body: asked })).json<{
    memories: unknown[];
    warnings: string[];
  }>();
  expect(memories).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('relevant enough')]);
  const near = (await agent.send('POST', '/v1/context/fetch', { body: { ...asked, min_relevance: 0 } })).json();
  expect(near).toMatchObject({ memories: [expect.anything()], warnings: [] });
});

test('a memory is read as it is listed, and without a score', async () => {
  const agent = await server.agent();
  const { memory_ids } = await agent.remembers('I keep bees on the roof.', { user_id: 'ada' });
  const listed = (await agent.send('GET', '/v1/memories?user_id=ada')).json<{ data: { id: string }[] }>();
  const read = (await agent.send('GET', `/v1/memories/${memory_ids[0]}`)).json<{ id: string }>();
  expect(listed.data.find((memory) => memory.id === read.id)).toEqual(read);
  expect(read).not.toHaveProperty('score');
});

test('a memory is not found by somebody it does not belong to', async () => {
  const agent = await server.agent();
  const stranger = await server.agent();
  const { memory_ids } = await agent.remembers('I keep bees on the roof.', { user_id: 'ada' });
  const path = `/v1/memories/${memory_ids[0]}`;
  expect((await agent.send('GET', `${path}?user_id=ada`)).status).toBe(200);
  expect((await agent.send('GET', `${path}?user_id=bob`)).status).toBe(404);
  expect((await agent.send('DELETE', `${path}?user_id=bob`)).status).toBe(404);
  expect((await stranger.send('GET', path)).status).toBe(404);
  expect((await stranger.send('DELETE', path)).status).toBe(404);
});

test('a list is paged to its end', async () => {
  const agent = await server.agent();
  for (const pet of ['a heron', 'an otter', 'a lynx']) await agent.remembers(`I own ${pet}.`, { user_id: 'ada' });
  const whole = (await agent.send('GET', '/v1/memories?limit=100')).json<{ data: unknown[] }>();
  const paged: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path: string = `/v1/memories?limit=2${cursor && `&cursor=${cursor}`}`;
    const page = (await agent.send('GET', path)).json<{ data: unknown[]; next_cursor: string | null }>();
    paged.push(...page.data);
    cursor = page.next_cursor;
  }
  expect(paged).toEqual(whole.data);
});

test('a repeated document_id is refused and names the first ingestion', async () => {
  const agent = await server.agent();
  const { ingestion_id } = await agent.remembers('I collect stamps.', { user_id: 'ada', document_id: 'stamps' });
  const body = { document: 'I collect coins.', document_type: 'note', user_id: 'ada', document_id: 'stamps' };
  const refused = await agent.send('POST', '/v1/memories', { body });
  expect(refused.status).toBe(409);
  expect(refused.json()).toMatchObject({ code: 'duplicate_document', ingestion_id });
});

test('memories are listed by category and by when they were stored', async () => {
  const agent = await server.agent();
  await agent.remembers('I live in Leeds. I love tea.', { user_id: 'ada' });
  const contents = async (query: string) =>
    (await agent.send('GET', `/v1/memories?${query}`))
      .json<{ data: { content: string }[] }>()
      .data.map((each) => each.content);
  expect(await contents('category=likes')).toEqual(['I love tea.']);
  expect(await contents('category=likes&created_from=2020-01-01')).toEqual(['I love tea.']);
  expect(await contents('category=likes&created_until=2020-01-01')).toEqual([]);
  const refused = await agent.send('GET', '/v1/memories?created_from=yesterday');
  expect(refused.json()).toMatchObject({ status: 400, errors: [{ field: 'created_from' }] });
});

test('an entity is listed and read', async () => {
  const agent = await server.agent();
  await agent.remembers('Rosalind repaired the old harmonium.', { user_id: 'ada' });
  const listed = (await agent.send('GET', '/v1/entities?q=rosalind')).json<{ data: { entity_id: string }[] }>();
  expect(listed.data).toMatchObject([{ name: 'Rosalind', user_id: 'ada', customer_id: null }]);
  const read = await agent.send('GET', `/v1/entities/${listed.data[0]!.entity_id}`);
  const entity = read.json<{ evidence: { name: string }[] }>();
  expect(entity).toMatchObject({ ...listed.data[0], merges: [] });
  expect(new Set(entity.evidence.map(({ name }) => name))).toEqual(new Set(['Rosalind']));
});

test('users, customers and conversations are listed, all or those of whom the caller names', async () => {
  const agent = await server.agent();
  const listed = async (path: string) => (await agent.send('GET', path)).json<{ data: unknown[] }>().data;
  const says = (conversation: string, of: object) =>
    agent.send('POST', `/v1/conversations/${conversation}/messages`, {
      body: { role: 'user', content: 'Hello.', ...of },
    });
  await says('first', { user_id: 'bo', customer_id: 'acme' });
  await says('second', { user_id: 'ada' });
  await agent.send('POST', '/v1/conversations/first/end');

  const everybody = [
    { user_id: 'ada', customer_id: null },
    { user_id: 'bo', customer_id: null },
  ];
  expect(await listed('/v1/users')).toMatchObject(everybody);
  expect(await listed('/v1/users?order_by=descending')).toMatchObject(everybody.toReversed());
  expect(await listed('/v1/users?customer_id=acme')).toMatchObject([{ user_id: 'bo', customer_id: 'acme' }]);
  expect(await listed('/v1/users?customer_id=nobody')).toEqual([]);
  expect(await listed('/v1/users?prefix=b')).toMatchObject([{ user_id: 'bo' }]);
  expect(await listed('/v1/users?prefix=b&customer_id=acme')).toMatchObject([{ user_id: 'bo' }]);
  expect(await listed('/v1/users?prefix=B')).toEqual([]);
  expect(await listed('/v1/customers')).toEqual([{ customer_id: 'acme' }]);

  const [second, first] = await listed('/v1/conversations');
  expect(first).toMatchObject({ external_id: 'first', user_id: 'bo', customer_id: 'acme', state: 'ended' });
  expect(second).toMatchObject({ external_id: 'second', user_id: 'ada', state: 'open', message_count: 1 });
  expect(await listed('/v1/conversations?user_id=ada')).toEqual([second]);
  expect(await listed('/v1/conversations?customer_id=acme')).toEqual([first]);
  expect(await listed('/v1/conversations?state=open')).toEqual([second]);

  await agent.send('DELETE', '/v1/users/ada');
  expect(await listed('/v1/users')).toMatchObject([{ user_id: 'bo' }]);
  expect(await listed('/v1/conversations')).toEqual([first]);
});

test('explain tells what a score is the sum of', async () => {
  const agent = await server.agent();
  await agent.remembers('I live in Leeds.', { user_id: 'ada' });
  const body = { search_queries: ['Where do I live?'], user_id: 'ada', explain: true };
  const fetched = await agent.send('POST', '/v1/context/fetch', { body });
  const [memory] = fetched.json<{ memories: { score: number; score_parts: Record<string, number> }[] }>().memories;
  const sum = Object.values(memory!.score_parts).reduce((total, part) => total + part, 0);
  expect(sum).toBeCloseTo(memory!.score, 5);
});
