import { expect, test } from 'vitest';
import { openServer, type Agent } from './open-server.ts';

const server = openServer();

interface Prompted {
  readonly prompt?: string;
  readonly memories: readonly { readonly id: string; readonly content: string }[];
  readonly budget_exceeded: boolean;
}

const ask = async (agent: Agent, query: string, more: Record<string, unknown> = {}) => {
  const body = { search_query: query, user_id: 'ada', mode: 'accurate', format: 'prompt', ...more };
  const answer = await agent.send('POST', '/v1/context/fetch', { body });
  expect(answer.status).toBe(200);
  return answer.json<Prompted>();
};
const standingPart = (prompt = '') => prompt.slice(0, prompt.indexOf('</standing>'));

test('a prompt has the standing memories first and then those that the question brings', async () => {
  const agent = await server.agent();
  await agent.remembers('From now on, always answer in metric units.', { user_id: 'ada' });
  await agent.remembers('I live in Leeds.', { user_id: 'ada' });
  const { prompt, memories } = await ask(agent, 'Where do I live?');
  expect(standingPart(prompt)).toContain('metric units');
  const leeds = memories.find(({ content }) => content === 'I live in Leeds.')!;
  expect(prompt!.slice(standingPart(prompt).length)).toContain(`id="${leeds.id}"`);
});

test('without the format there is no prompt, and another format is refused by name', async () => {
  const agent = await server.agent();
  expect(await ask(agent, 'Where?', { format: 'json' })).not.toHaveProperty('prompt');
  const body = { search_query: 'Where?', user_id: 'ada', format: 'xml' };
  const refused = await agent.send('POST', '/v1/context/fetch', { body });
  expect(refused.json()).toMatchObject({ status: 400, errors: [{ field: 'format' }] });
});

test('the standing part stays the same over 50 questions, reads and new facts, and follows a forgotten instruction', async () => {
  const agent = await server.agent();
  const { memory_ids } = await agent.remembers('Always answer in metric units.', { user_id: 'ada' });
  await agent.remembers('My name is Ada Lovelace.', { user_id: 'ada' });
  const parts = new Set<string>();
  for (const place of ['Leeds', 'York', 'Bath', 'Hull', 'Ely']) {
    await agent.remembers(`I went to ${place} with a friend.`, { user_id: 'ada' });
    for (let turn = 0; turn < 10; turn++)
      parts.add(standingPart((await ask(agent, `What happened in ${place} on day ${turn}?`)).prompt));
  }
  expect(parts.size).toBe(1);
  for (const id of memory_ids) await agent.send('DELETE', `/v1/memories/${id}?cascade=evidence`);
  expect((await ask(agent, 'Which units?')).prompt).not.toContain('metric');
});

test('nobody else’s standing memories are shown', async () => {
  const agent = await server.agent();
  await agent.remembers('Always call me Countess.', { user_id: 'ada' });
  expect((await ask(agent, 'What do you call me?', { user_id: 'bob' })).prompt).not.toContain('Countess');
  const stranger = await server.agent();
  expect((await ask(stranger, 'What do you call me?')).prompt).toBe('');
});

test('a budget holds for the whole text, and says when something did not fit', async () => {
  const agent = await server.agent();
  await agent.remembers('Always answer in metric units. I live in Leeds. I work at Acme as an engineer.', {
    user_id: 'ada',
  });
  const { prompt, budget_exceeded } = await ask(agent, 'Where do I live and work?', { context_budget: 45 });
  expect(prompt!.length).toBeLessThan(45 * 6);
  expect(budget_exceeded).toBe(true);
});

test('only the asked types stand in a prompt', async () => {
  const agent = await server.agent();
  await agent.remembers('Always answer in metric units. I live in Leeds.', { user_id: 'ada' });
  const { prompt } = await ask(agent, 'Where do I live?', { types: ['facts'] });
  expect(prompt).not.toContain('metric');
  expect(prompt).toContain('Leeds');
});

test('a prompt of a conversation shows the standing memories of its user', async () => {
  const agent = await server.agent();
  await agent.remembers('Always answer in metric units.', { user_id: 'ada' });
  const message = { role: 'user', content: 'Where do I live?', user_id: 'ada' };
  await agent.send('POST', '/v1/conversations/call-1/messages', { body: message });
  const { prompt } = await ask(agent, 'Where do I live?', { user_id: undefined, conversation_id: 'call-1' });
  expect(standingPart(prompt)).toContain('metric units');
});
