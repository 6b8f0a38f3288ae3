import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { configured } from '../support/configured.ts';
import { openServer, type Agent } from './rest/open-server.ts';

const server = openServer();

const turns = [
  { role: 'user', content: 'I live in Leeds.' },
  { role: 'assistant', content: 'How do you like it?' },
  { role: 'user', content: 'I am allergic to walnuts.' },
];
const sha256 = createHash('sha256')
  .update(JSON.stringify(turns.map(({ role, content }) => [role, content])))
  .digest('hex');

const tells = async (agent: Agent, body: object, id = 'call-1') =>
  (await agent.send('POST', `/v1/conversations/${id}/transcript`, { body: { user_id: 'ada', ...body } })).json<{
    ingestion_ids: string[];
  }>();

async function memoriesOf(agent: Agent): Promise<string[]> {
  const { data } = (await agent.send('GET', '/v1/memories?user_id=ada&type=facts')).json<{
    data: { content: string }[];
  }>();
  return data.map(({ content }) => content).toSorted();
}

test('a conversation that is told as a whole is remembered at once, and told again changes nothing', async () => {
  const agent = await server.agent();
  const first = await tells(agent, { turns, sha256, metadata: { channel: 'phone' } });
  expect(first).toMatchObject({ status: 'recorded', turns_recorded: 3, sha256, message_count: 3 });
  await server.world.settle();
  const remembered = await memoriesOf(agent);
  expect(remembered).toEqual(['I am allergic to walnuts.', 'I live in Leeds.']);
  expect(await tells(agent, { turns })).toMatchObject({ status: 'duplicate', turns_recorded: 0, ingestion_ids: [] });
  await server.world.settle();
  expect(await memoriesOf(agent)).toEqual(remembered);
  const kept = (await agent.send('GET', '/v1/conversations/call-1')).json();
  expect(kept).toMatchObject({ state: 'ended', message_count: 3, metadata: { channel: 'phone' } });
});

test('turns that came by another door are kept once', async () => {
  const agent = await server.agent();
  for (const turn of turns.slice(0, 2))
    await agent.send('POST', '/v1/conversations/call-1/messages', { body: { ...turn, user_id: 'ada' } });
  expect(await tells(agent, { turns })).toMatchObject({ status: 'recorded', turns_recorded: 1, message_count: 3 });
});

test('twice at once, each turn is kept once', async () => {
  const agent = await server.agent();
  const both = await Promise.all([tells(agent, { turns }), tells(agent, { turns })]);
  expect(both.map((each) => (each as unknown as { status: string }).status).toSorted()).toEqual([
    'duplicate',
    'recorded',
  ]);
});

test('another transcript of a conversation is a conflict that names the turn, and changes nothing', async () => {
  const agent = await server.agent();
  await tells(agent, { turns });
  const other = [turns[0], { role: 'assistant', content: 'Hm.' }, turns[2]];
  expect(await tells(agent, { turns: other })).toMatchObject({ status: 409, errors: [{ field: 'turns[1]' }] });
  const shorter = turns.slice(0, 2);
  expect(await tells(agent, { turns: shorter })).toMatchObject({ status: 409, errors: [{ field: 'turns[2]' }] });
  expect((await agent.send('GET', '/v1/conversations/call-1')).json()).toMatchObject({ message_count: 3 });
});

test('a refused transcript changes nothing that is noted of the conversation', async () => {
  const agent = await server.agent();
  await tells(agent, { turns });
  await tells(agent, { turns: turns.slice(0, 1), metadata: { channel: 'mail' } });
  expect((await agent.send('GET', '/v1/conversations/call-1')).json()).toMatchObject({ metadata: null });
  expect(await tells(agent, { turns, metadata: { channel: 'phone' } })).toMatchObject({ status: 'duplicate' });
  expect((await agent.send('GET', '/v1/conversations/call-1')).json()).toMatchObject({
    metadata: { channel: 'phone' },
  });
});

test('where users are told apart by their customer, a transcript of one without a customer is refused, and not kept', async () => {
  const agent = server.agentWith((await configured(server.world, { isolation: 'b2b' })).key);
  expect(await tells(agent, { turns })).toMatchObject({ status: 400, errors: [{ field: 'customer_id' }] });
  expect((await agent.send('GET', '/v1/conversations/call-1')).status).toBe(404);
  expect((await tells(agent, { turns, customer_id: 'acme' })).ingestion_ids).toHaveLength(1);
  expect((await tells(agent, { turns })) as unknown).toMatchObject({ status: 'duplicate' });
});

test('a transcript that did not arrive as it was sent is refused by its hash', async () => {
  const agent = await server.agent();
  const refused = await tells(agent, { turns: turns.slice(1), sha256, metadata: { channel: 'phone' } });
  expect(refused).toMatchObject({ status: 400, errors: [{ field: 'sha256' }] });
  expect((await agent.send('GET', '/v1/conversations/call-1')).status).toBe(404);
});

test('a transcript that was kept by a process that died before it ended the conversation ends it when told again', async () => {
  const agent = await server.agent();
  const { app } = server.world;
  const { access } = (await app.authenticate(`Bearer ${agent.key}`)) as { access: Access };
  await app.addMessages(access, { conversationId: 'call-1', userId: 'ada', messages: turns });
  expect(await tells(agent, { turns })).toMatchObject({
    status: 'duplicate',
    turns_recorded: 0,
    ingestion_ids: [expect.stringMatching(/^ing_/)],
  });
  expect((await agent.send('GET', '/v1/conversations/call-1')).json()).toMatchObject({ state: 'ended' });
  await server.world.settle();
  expect(await memoriesOf(agent)).toEqual(['I am allergic to walnuts.', 'I live in Leeds.']);
});

test.each(['9999-06-01T00:00:00Z', '0000-06-01T00:00:00Z'])(
  'a turn that was said at %s is refused by its name, and nothing is kept',
  async (time) => {
    const agent = await server.agent();
    const { app } = server.world;
    const { access } = (await app.authenticate(`Bearer ${agent.key}`)) as { access: Access };
    const told = [turns[0]!, { ...turns[1]!, timestamp: new Date(time) }];
    const transcript = { conversationId: 'call-1', userId: 'ada', turns: told };
    await expect(app.recordTranscript(access, transcript)).rejects.toMatchObject({
      code: 'invalid_input',
      fields: [{ field: 'turns[1].timestamp' }],
    });
    expect((await agent.send('GET', '/v1/conversations/call-1')).status).toBe(404);
  },
);
