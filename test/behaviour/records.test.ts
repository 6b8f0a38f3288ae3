import { expect, test } from 'vitest';
import { openServer, type Agent } from './rest/open-server.ts';

const server = openServer();

const keeps = async (agent: Agent, document: string, metadata: object, user_id = 'ada') => {
  const body = { document, document_type: 'note', mode: 'verbatim', user_id, metadata, wait: 30 };
  return (await agent.send('POST', '/v1/memories', { body })).json<{ memory_ids: string[] }>();
};
const listed = async (agent: Agent, metadata: unknown, more = '') => {
  const filter = encodeURIComponent(typeof metadata === 'string' ? metadata : JSON.stringify(metadata));
  return agent.send('GET', `/v1/memories?metadata=${filter}${more}`);
};
const contents = async (agent: Agent, metadata: object, more = '') =>
  (await listed(agent, metadata, more)).json<{ data: { content: string }[] }>().data.map(({ content }) => content);

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

test('a record whose metadata is corrected is found by what it says now', async () => {
  const agent = await server.agent();
  const { memory_ids: ids } = await keeps(agent, 'state one', { thread: 't-1' });
  const body = { metadata: { thread: 't-2' } };
  const corrected = await agent.send('PATCH', `/v1/memories/${ids[0]}`, { body });
  expect(corrected.json()).toMatchObject({ content: 'state one', metadata: { thread: 't-2' } });
  expect(await contents(agent, { thread: 't-1' })).toEqual([]);
  expect(await contents(agent, { thread: 't-2' })).toEqual(['state one']);
});

test('a record that is forgotten is found no more, and leaves no word', async () => {
  const agent = await server.agent();
  const { memory_ids: ids } = await keeps(agent, 'state one', { thread: 't-1' });
  expect((await agent.send('DELETE', `/v1/memories/${ids[0]}`)).json()).toMatchObject({
    receipt: { remaining: expect.anything() },
  });
  expect(await contents(agent, { thread: 't-1' })).toEqual([]);
  const id = ids[0]!;
  expect((await agent.send('GET', `/v1/memories/${id}`)).status).toBe(404);
});

test.each(['no json', '[]', '{}', '{"a":{"b":1}}', '{"a":null}'])('the filter %s is refused', async (filter) => {
  const refused = await listed(await server.agent(), filter);
  expect(refused.json()).toMatchObject({ status: 400, errors: [{ field: 'metadata' }] });
});
