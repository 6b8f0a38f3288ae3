import { beforeAll, expect, test } from 'vitest';
import { operationsOf, type Operation } from '../../support/openapi.ts';
import type { OpenApiDocument, OpenApiSchema } from '../../../src/transports/rest/openapi-types.ts';
import { limits } from '../../../src/domain/limits.ts';
import { newAdminToken, openServer, type Agent } from './open-server.ts';
import { openWorld } from '../../support/world.ts';

const server = openServer(openWorld({})); // its own: what other files make would be listed too
let document: OpenApiDocument;
let reads: Operation[];
let owner: Agent;
let agent: Agent;
let ids: Record<string, string>;

beforeAll(async () => {
  owner = server.agentWith(await newAdminToken(server.world, 'owner'));
  agent = await server.agent();
  document = (await owner.send('GET', '/v1/openapi.json')).json<OpenApiDocument & Record<string, unknown>>();
  reads = operationsOf(document).filter(({ method }) => method === 'GET');
  await agent.remembers('I live in Leeds with Grace.', { user_id: 'ada' });
  await agent.remembers('I work at Initech.', { user_id: 'ada' });
  await agent.remembers('I keep bees.', { user_id: 'bo', customer_id: 'acme' });
  await agent.remembers('I keep goats.', { user_id: 'cy', customer_id: 'zeta' });
  const { instance_id: instance } = (await agent.send('GET', '/v1/instance')).json<{ instance_id: string }>();
  const { client_id: client } = (await owner.send('GET', `/v1/admin/instances/${instance}`)).json<{
    client_id: string;
  }>();
  ids = { instance_id: instance, client_id: client, conversation_id: 'call' };
  await agent.send('POST', '/v1/conversations', { body: { conversation_id: 'call', user_id: 'ada' } });
  await agent.send('POST', '/v1/conversations', { body: { conversation_id: 'another', user_id: 'bo' } });
  for (const content of ['I live in Leeds.', 'Never call me before nine.']) {
    await agent.send('POST', '/v1/conversations/call/messages', { body: { messages: [{ role: 'user', content }] } });
    await agent.send('POST', '/v1/context/compact', { body: { conversation_id: 'call' } });
  }
  const settings = { url: 'http://127.0.0.1:9/', event_types: ['conversation.started'] };
  for (let w = 0; w < 2; w++) {
    const { webhook_id: webhook } = (await agent.send('POST', '/v1/webhooks', { body: settings })).json<{
      webhook_id: string;
    }>();
    for (let n = 0; n < 2; n++) await agent.send('POST', `/v1/webhooks/${webhook}/test`);
    await agent.send('PATCH', `/v1/webhooks/${webhook}`, { body: { state: 'disabled' } }); // nothing changes while it is listed
    ids['webhook_id'] = webhook;
  }
  await owner.send('POST', `/v1/admin/instances/${instance}/keys`, { body: { label: 'another' } });
  await owner.send('POST', '/v1/admin/clients', { body: { name: 'another' } });
});

const lists = () => reads.filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'));
const answerOf = ({ responses }: Operation): OpenApiSchema => {
  const [content] = Object.values(responses[200]?.content ?? {});
  const schema = content?.schema ?? {};
  return schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
};
const pathOf = (operation: Operation, query = '') => {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
  const search = operation.operationId === 'previewRetention' ? '?at=2100-01-01&' : '?';
  return `${path}${search}${query}`;
};
const send = (operation: Operation, query?: string) =>
  (operation['x-least-role'] ? owner : agent).send('GET', pathOf(operation, query));
interface Page {
  readonly data: readonly object[];
  readonly next_cursor: string | null;
}

test('whatever answers a page takes limit, cursor and order_by, and the reverse', () => {
  const answersPage = (operation: Operation) => 'next_cursor' in (answerOf(operation).properties ?? {});
  expect(reads.filter(answersPage)).toEqual(lists());
  expect(lists().length).toBeGreaterThanOrEqual(10);
  for (const list of lists()) {
    const names = list.parameters.map(({ name }) => name);
    const told = { path: list.path, names, required: answerOf(list).required };
    expect(told).toEqual({
      path: list.path,
      names: expect.arrayContaining(['limit', 'cursor', 'order_by']),
      required: expect.arrayContaining(['data', 'next_cursor']),
    });
  }
});

/** By time, or by the caller's ids; the usual one of most lists first. */
const ordersOf = ({ parameters }: Operation): string[] =>
  parameters.find(({ name }) => name === 'order_by')!.schema.enum as string[];

test('every list is walked in either order', async () => {
  for (const list of lists()) {
    const walked: Record<string, string[]> = {};
    for (const order of ordersOf(list)) {
      const seen: string[] = (walked[order] = []);
      for (let cursor: string | null = ''; cursor !== null && seen.length < 300;) {
        const answer = await send(list, `limit=1&order_by=${order}${cursor && `&cursor=${cursor}`}`);
        expect([list.path, answer.status]).toEqual([list.path, 200]);
        const page: Page = answer.json<Page & Record<string, unknown>>();
        seen.push(...page.data.map((record) => JSON.stringify(record)));
        cursor = page.next_cursor;
      }
    }
    const [one, other] = Object.values(walked);
    expect([list.path, other]).toEqual([list.path, one!.toReversed()]);
  }
});

test('every list refuses the cursor of another list, and its own in the other order', async () => {
  const cursors = new Map<string, string>();
  for (const list of lists()) {
    const { next_cursor: cursor } = (await send(list, `limit=1&order_by=${ordersOf(list)[0]}`)).json<
      Page & Record<string, unknown>
    >();
    if (cursor) cursors.set(list.path, cursor);
  }
  expect(cursors.size).toBeGreaterThanOrEqual(5);
  for (const list of lists()) {
    const [order, otherOrder] = ordersOf(list);
    const wrong = [...cursors].map(
      ([path, cursor]) => `order_by=${path === list.path ? otherOrder : order}&cursor=${cursor}`,
    );
    for (const query of [...wrong, 'cursor=nonsense']) {
      const answer = await send(list, query);
      expect({ asked: `${list.path}?${query}`, ...answer.json() }).toMatchObject({
        asked: `${list.path}?${query}`,
        code: 'invalid_input',
        errors: [{ field: 'cursor' }],
      });
    }
  }
});

test('a list of the longest ids, of characters of four bytes, is walked to its end', async () => {
  const customers = ['\u{1F41D}', '\u{1F41E}'].map((character) => character.repeat(limits.id.max));
  for (const customer of customers) await agent.remembers('I keep bees.', { user_id: 'dee', customer_id: customer });
  const walked: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = (await agent.send('GET', `/v1/customers?limit=1${cursor && `&cursor=${cursor}`}`)).json<
      Page & Record<string, unknown>
    >();
    walked.push(...page.data.map((record) => (record as { customer_id: string }).customer_id));
    cursor = page.next_cursor;
  }
  expect(walked).toEqual(expect.arrayContaining(customers));
});
