import { expect, test } from 'vitest';
import { openServer } from './open-server.ts';

const server = openServer();
const document = { document: 'I own a kayak.', document_type: 'note', user_id: 'ada' };
const repeatable = (body: unknown, key = 'k1') => ({ body, headers: { 'Idempotency-Key': key } });

test('a repeated POST is done once and answered as the first was', async () => {
  const agent = await server.agent();
  const first = await agent.send('POST', '/v1/memories', repeatable(document));
  const second = await agent.send('POST', '/v1/memories', repeatable(document));
  expect(second.status).toBe(202);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(second.headers.get('x-config-version')).toBe('1');
  expect(second.headers.get('x-correlation-id')).not.toBe(first.headers.get('x-correlation-id'));
});

test('simultaneous requests with one key: one is done, the others repeat it or are told to wait', async () => {
  const agent = await server.agent();
  const send = () => agent.send('POST', '/v1/memories', repeatable(document));
  const answers = await Promise.all(Array.from({ length: 8 }, send));
  expect(answers.filter((answer) => ![202, 409].includes(answer.status))).toEqual([]);
  const accepted = answers.filter((answer) => answer.status === 202);
  expect(new Set(accepted.map((answer) => answer.text)).size).toBe(1);
  await server.world.settle();
  expect((await agent.send('GET', '/v1/memories?type=episodes')).json<{ data: unknown[] }>().data).toHaveLength(1);
});

test('a key is taken for another request', async () => {
  const agent = await server.agent();
  await agent.send('POST', '/v1/memories', repeatable(document));
  for (const [path, body] of [
    ['/v1/memories', { ...document, user_id: 'bob' }],
    ['/v1/context/fetch', { search_query: 'kayak', user_id: 'ada' }],
  ] as const) {
    const answer = await agent.send('POST', path, repeatable(body));
    expect(answer.status).toBe(409);
    expect(answer.json()).toMatchObject({ code: 'conflict' });
  }
});

test('two credentials never share a key', async () => {
  const [one, other] = [await server.agent(), await server.agent()];
  const first = await one.send('POST', '/v1/memories', repeatable(document));
  const second = await other.send('POST', '/v1/memories', repeatable(document));
  expect(second.status).toBe(202);
  expect(second.text).not.toBe(first.text);
});

test('a refused request leaves its key free', async () => {
  const agent = await server.agent();
  expect((await agent.send('POST', '/v1/memories', repeatable({ ...document, mode: 'slow' }))).status).toBe(400);
  expect((await agent.send('POST', '/v1/memories', repeatable(document))).status).toBe(202);
});

test('a repeated fetch shows nothing that was forgotten since', async () => {
  const agent = await server.agent();
  await agent.remembers('The door code is Tangerine.', { user_id: 'ada', document_id: 'code' });
  const ask = () =>
    agent.send('POST', '/v1/context/fetch', repeatable({ search_query: 'What is the code?', user_id: 'ada' }, 'ask'));
  expect((await ask()).text).toContain('Tangerine');
  await agent.send('DELETE', '/v1/documents/code');
  expect((await ask()).text).not.toContain('Tangerine');
});

test('an answer that tells a memory is not kept, and shows nothing that was forgotten since', async () => {
  const agent = await server.agent();
  await agent.remembers('I live in Tangerine.', {
    user_id: 'ada',
    document_id: 'old',
    document_created_at: '2026-02-01T00:00:00Z',
  });
  await agent.remembers('I moved to York.', { user_id: 'ada', document_created_at: '2026-03-01T00:00:00Z' });
  const listed = await agent.send('GET', '/v1/memories?type=facts&status=superseded');
  const { id } = listed.json<{ data: { id: string }[] }>().data[0]!;
  const undo = () => agent.send('POST', `/v1/memories/${id}/undo-supersede`, repeatable(undefined, 'undo'));
  expect((await undo()).text).toContain('Tangerine');
  expect((await undo()).json()).toMatchObject({ code: 'conflict' });
  await agent.send('DELETE', '/v1/documents/old');
  expect((await undo()).text).not.toContain('Tangerine');
});

test('what is kept for repetitions is sealed', async () => {
  const agent = await server.agent();
  const answer = await agent.send('POST', '/v1/memories', repeatable(document, 'a-telling-key'));
  const rows = JSON.stringify(
    (await server.world.deps.db.idempotency.findMany()).map((row) =>
      Buffer.from(row.response ?? []).toString('latin1'),
    ),
  );
  expect(rows).not.toContain(String(answer.json().ingestion_id));
});

test.each([
  { case: 'an empty one', key: '' },
  { case: 'one of 256 characters', key: 'x'.repeat(256) },
  { case: 'one with a blank', key: 'two words' },
])('$case is no key', async ({ key }) => {
  const answer = await (await server.agent()).send('POST', '/v1/memories', repeatable(document, key));
  expect(answer.status).toBe(400);
  expect(answer.json()).toMatchObject({ errors: [{ field: 'Idempotency-Key' }] });
});
