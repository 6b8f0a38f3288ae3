import { expect, test } from 'vitest';
import { openServer } from './open-server.ts';

const server = openServer();
const note = { document: 'I live in Leeds.', document_type: 'note', user_id: 'ada' };

test.each([
  { case: 'in the body', path: '/v1/memories', more: { wait: 30 } },
  { case: 'in the query', path: '/v1/memories?wait=30', more: {} },
])('a document whose sender waits, $case, is answered when it can be recalled', async ({ path, more }) => {
  const agent = await server.agent();
  const answer = await agent.send('POST', path, { body: { ...note, ...more } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-config-version')).toBe('1');
  const { memory_ids } = answer.json<{ memory_ids: string[] }>();
  expect(answer.json()).toMatchObject({ status: 'completed', stage: null, memories_created: memory_ids.length });
  const query = { search_query: 'Where do I live?', user_id: 'ada' };
  const fetched = await agent.send('POST', '/v1/context/fetch', { body: query });
  const [found] = fetched.json<{ memories: { id: string }[] }>().memories;
  expect(memory_ids).toContain(found?.id);
});

test('nobody waits when they do not ask to', async () => {
  const agent = await server.agent();
  const answer = await agent.send('POST', '/v1/memories?wait=30', { body: { ...note, wait: 0 } });
  expect(answer.status).toBe(202);
  expect(Object.keys(answer.json())).toEqual(['ingestion_id', 'document_id', 'status', 'queued_at']);
  await server.world.settle();
});

test.each([
  { path: '/v1/memories', body: { ...note, wait: 31 } },
  { path: '/v1/memories', body: { ...note, wait: -1 } },
  { path: '/v1/memories', body: { ...note, wait: '5' } },
  { path: '/v1/memories?wait=31', body: note },
  { path: '/v1/memories?wait=soon', body: note },
])('$path with $body refuses a wrong wait by name', async ({ path, body }) => {
  const agent = await server.agent();
  const answer = await agent.send('POST', path, { body });
  expect(answer.json()).toMatchObject({ status: 400, errors: [{ field: 'wait' }] });
});

test('a document of a batch takes no wait', async () => {
  const agent = await server.agent();
  const body = { documents: [{ ...note, wait: 5 }], fail_fast: true };
  const answer = await agent.send('POST', '/v1/memories/batch', { body });
  expect(answer.json()).toMatchObject({ status: 400, errors: [{ field: 'documents[0].wait' }] });
});

test('a repetition is answered as the one that waited was', async () => {
  const agent = await server.agent();
  const headers = { 'Idempotency-Key': 'one' };
  const first = await agent.send('POST', '/v1/memories', { body: { ...note, wait: 30 }, headers });
  const second = await agent.send('POST', '/v1/memories', { body: { ...note, wait: 30 }, headers });
  expect([second.status, second.json()]).toEqual([200, first.json()]);
});

test('a request that repeats one under way is told when to try again', async () => {
  const agent = await server.agent();
  const headers = { 'Idempotency-Key': 'held' };
  const send = () => agent.send('POST', '/v1/memories', { body: { ...note, wait: 30 }, headers });
  const answers = await Promise.all([send(), send(), send()]);
  for (const answer of answers.filter(({ status }) => status === 409)) {
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  const ids = answers.filter(({ status }) => status === 200).map((answer) => answer.json()['ingestion_id']);
  expect(new Set(ids).size).toBe(1);
});
