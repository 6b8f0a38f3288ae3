import { expect, test } from 'vitest';
import { openServer } from './open-server.ts';

const server = openServer();
interface Forgotten {
  receipt: { receipt_id: string; memory_ids: string[]; remaining: Record<string, number> };
}
const nothing = { rows: 0, vectors: 0, terms: 0, graph_links: 0 };

test('a memory is forgotten with a receipt, which can be read again', async () => {
  const agent = await server.agent();
  const { memory_ids } = await agent.remembers('The door code is Tangerine.', { user_id: 'ada' });
  const path = `/v1/memories/${memory_ids[0]}`;
  const answer = await agent.send('DELETE', path);
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({ memory_id: memory_ids[0], receipt: { remaining: nothing, pending: [] } });
  const { receipt } = answer.json<Forgotten>();
  expect((await agent.send('GET', `/v1/receipts/${receipt.receipt_id}`)).json()).toEqual(receipt);
  for (const method of ['GET', 'DELETE']) expect((await agent.send(method, path)).status).toBe(404);
});

test('cascade=evidence also removes what else says it', async () => {
  const agent = await server.agent();
  const { memory_ids } = await agent.remembers('I live in Leeds.', { user_id: 'ada' });
  const answer = await agent.send('DELETE', `/v1/memories/${memory_ids[0]}?cascade=evidence`);
  expect(answer.json<Forgotten>().receipt.memory_ids.toSorted()).toEqual(memory_ids.toSorted());
});

test('a document is forgotten by the id its owner gave it, whatever is in it', async () => {
  const agent = await server.agent();
  const document_id = 'notes/2026/a b?c=1%&Zoë';
  await agent.remembers('I live in Leeds.', { user_id: 'ada', document_id });
  const answer = await agent.send('DELETE', `/v1/documents/${encodeURIComponent(document_id)}`);
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({ document_id });
  expect((await agent.send('GET', '/v1/memories')).json()).toMatchObject({ data: [] });
});

test('a document is forgotten for a customer only where it is of the customer, and not of one of its users', async () => {
  const agent = await server.agent();
  await agent.remembers('I live in Leeds.', { user_id: 'ada', customer_id: 'acme', document_id: 'of ada' });
  await agent.remembers('We close at six.', { customer_id: 'acme', document_id: 'of acme' });
  const forget = async (query: string) => (await agent.send('DELETE', `/v1/documents/${query}`)).status;
  expect(await forget('of%20ada?customer_id=acme')).toBe(404);
  expect(await forget('of%20acme?user_id=ada')).toBe(404);
  expect(await forget('of%20ada?user_id=ada&customer_id=acme')).toBe(200);
  expect(await forget('of%20acme?customer_id=acme')).toBe(200);
});

test('a user is exported line by line, forgotten, and then unknown', async () => {
  const agent = await server.agent();
  const { memory_ids } = await agent.remembers('I live in Leeds.', { user_id: 'ada' });
  await agent.remembers('I live in York.', { user_id: 'bob' });
  const exported = await agent.send('GET', '/v1/users/ada/export');
  expect(exported.headers.get('content-type')).toBe('application/x-ndjson');
  const lines = exported.text.trimEnd().split('\n');
  const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
  expect(ids.toSorted()).toEqual(memory_ids.toSorted());

  expect((await agent.send('DELETE', '/v1/users/ada')).json()).toMatchObject({ user_id: 'ada' });
  expect((await agent.send('GET', '/v1/users/ada/export')).status).toBe(404);
  expect((await agent.send('DELETE', '/v1/users/ada')).status).toBe(404);
  const left = (await agent.send('GET', '/v1/memories')).json<{ data: { user_id: string }[] }>();
  expect(new Set(left.data.map((memory) => memory.user_id))).toEqual(new Set(['bob']));
});

test('a customer is forgotten with its users', async () => {
  const agent = await server.agent();
  await agent.remembers('We close at six.', { customer_id: 'acme' });
  await agent.remembers('I live in Leeds.', { customer_id: 'acme', user_id: 'ada' });
  expect((await agent.send('DELETE', '/v1/customers/acme')).status).toBe(200);
  expect((await agent.send('GET', '/v1/memories')).json()).toMatchObject({ data: [] });
});
