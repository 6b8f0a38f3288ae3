import { createClient } from 'graphql-ws';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openGraphql, type Client } from './open-graphql.ts';

/** Content is what people said or wrote, and what was made of it. */
const graphql = openGraphql();
const { world } = graphql;

/** An instance in which something of each kind is remembered. */
async function remembering(): Promise<Client> {
  const ada = await graphql.agent();
  await ada.remembers('I live in Leeds. My sister is called Dana.', { metadata: { source: 'phone' } });
  await ada.ask(`mutation { addMessages(input: { conversationId: "call", userId: "ada",
    messages: [{ role: "user", content: "Hello there." }] }) { __typename } }`);
  await ada.ask('mutation { compactConversation(input: { conversationId: "call" }) { __typename } }');
  return ada;
}

const readings = [
  { field: 'Memory.content', query: '{ memories(instanceId: $i) { nodes { content } } }' },
  { field: 'Memory.metadata', query: '{ memories(instanceId: $i) { nodes { metadata } } }' },
  { field: 'Memory.supersededReason', query: '{ memories(instanceId: $i) { nodes { supersededReason } } }' },
  { field: 'Memory.correctionReason', query: '{ memories(instanceId: $i) { nodes { correctionReason } } }' },
  { field: 'Evidence.quote', query: '{ memories(instanceId: $i) { nodes { evidence { quote } } } }' },
  { field: 'Entity.name', query: '{ entities(instanceId: $i) { nodes { name } } }' },
  { field: 'Entity.aliases', query: '{ entities(instanceId: $i) { nodes { aliases } } }' },
  { field: 'Mention.quote', query: '{ entities(instanceId: $i) { nodes { evidence(first: 1) { quote } } } }' },
  { field: 'Mention.name', query: '{ entities(instanceId: $i) { nodes { evidence(first: 1) { name } } } }' },
  {
    field: 'Message.content',
    query: '{ conversation(instanceId: $i, id: "call") { recentMessages(last: 1) { content } } }',
  },
  {
    field: 'Compaction.systemPrompt',
    query: '{ compaction(instanceId: $i, conversationId: "call") { systemPrompt } }',
  },
  { field: 'Compaction.narrative', query: '{ compaction(instanceId: $i, conversationId: "call") { narrative } }' },
  { field: 'Compaction.pins', query: '{ compaction(instanceId: $i, conversationId: "call") { pins { kind } } }' },
  { field: 'CompactionPin.text', query: '{ compaction(instanceId: $i, conversationId: "call") { pins { text } } }' },
  { field: 'UserProfile.text', query: '{ instance(id: $i) { users { nodes { profile { text } } } } }' },
  {
    field: 'Compaction.memories',
    query: '{ compaction(instanceId: $i, conversationId: "call") { memories { type } } }',
  },
  {
    field: 'ConversationTurn.message',
    query: '{ conversationTurns(instanceId: $i, conversationId: "call", from: 0, to: 9) { message { content } } }',
  },
  {
    field: 'ConversationTurn.anticipated',
    query:
      '{ conversationTurns(instanceId: $i, conversationId: "call", from: 0, to: 9) { anticipated { leadTimeMs } } }',
  },
  { field: 'Conversation.metadata', query: '{ conversation(instanceId: $i, id: "call") { metadata } }' },
  { field: 'Configuration.explanation', query: '{ configurations(instanceId: $i) { nodes { explanation { by } } } }' },
  { field: 'MemoryFilter.q', query: '{ memories(instanceId: $i, filter: { q: "Leeds" }) { nodes { id } } }' },
  {
    field: 'MemoryFilter.metadata',
    query: '{ memories(instanceId: $i, filter: { metadata: { source: "phone" } }) { nodes { id } } }',
  },
  { field: 'EntityFilter.q', query: '{ entities(instanceId: $i, filter: { q: "Leeds" }) { nodes { id } } }' },
];

test('a viewer reads no content, by whatever way, and nothing of it is told', async () => {
  const [viewer, ada] = [await graphql.administrator('viewer'), await remembering()];
  for (const { field, query } of readings) {
    const { data, errors } = await viewer.ask(`query ($i: ID!) ${query}`, { i: ada.instanceId });
    expect([field, errors[0]?.extensions.code]).toEqual([field, 'forbidden']);
    expect(JSON.stringify(data)).not.toMatch(/Leeds|Dana|Hello|phone/);
  }
});

test('an administrator reads each of it, and every record that was read is named in the audit', async () => {
  const [admin, ada] = [await graphql.administrator('admin'), await remembering()];
  for (const { field, query } of readings) {
    const { errors } = await admin.ask(`query ($i: ID!) ${query}`, { i: ada.instanceId });
    expect([field, errors]).toEqual([field, []]);
  }
  const rows = await auditOf(ada);
  expect(rows.length).toBeGreaterThan(10);
  expect(JSON.stringify(rows)).not.toMatch(/undefined|null"/);
});

test('a viewer sees ids, numbers, types and states', async () => {
  const [viewer, ada] = [await graphql.administrator('viewer'), await remembering()];
  const query = `query ($i: ID!) {
    memories(instanceId: $i) { nodes { id type category confidence status evidence { documentId turns } } totalCount }
    entities(instanceId: $i) { nodes { id kind mentions } }
    conversation(instanceId: $i, id: "call") { id state messageCount recentMessages(last: 1) { id role at } }
    configurations(instanceId: $i) { nodes { version state categories { name } } }
  }`;
  const { data, errors } = await viewer.ask<{ memories: { totalCount: number } }>(query, { i: ada.instanceId });
  expect(errors).toEqual([]);
  expect(data.memories.totalCount).toBeGreaterThan(0);
  expect(await auditOf(ada)).toEqual([]);
});

test('a request of an administrator that reads content leaves one row: whose, what by ids, and no content', async () => {
  const [admin, ada] = [await graphql.administrator('admin'), await remembering()];
  const query = `query ($i: ID!) {
    memories(instanceId: $i, filter: { type: FACTS }) { nodes { id content evidence { documentId quote } } }
    conversation(instanceId: $i, id: "call") { recentMessages(last: 5) { id content } }
  }`;
  interface Read {
    memories: { nodes: { id: string; content: string; evidence: { documentId: string }[] }[] };
    conversation: { recentMessages: { id: string }[] };
  }
  const { data, errors, headers } = await admin.ask<Read>(query, { i: ada.instanceId });
  expect(errors).toEqual([]);
  const memories = data.memories.nodes.map(({ id }) => id);
  expect(memories.length).toBeGreaterThan(0);
  const rows = await auditOf(ada);
  expect(rows).toMatchObject([{ action: 'content.read', target: ada.instanceId, before: null }]);
  expect(rows[0]!.actor).toMatch(/^admin:/);
  expect(rows[0]!.after).toEqual({
    request: headers.get('x-correlation-id'),
    Memory: { count: memories.length, ids: expect.toSatisfy((ids: string[]) => sameItems(ids, memories)) },
    Evidence: { count: 1, ids: [data.memories.nodes[0]!.evidence[0]!.documentId] },
    Message: { count: 1, ids: [data.conversation.recentMessages[0]!.id] },
  });
  expect(JSON.stringify(rows)).not.toMatch(/Leeds|Dana|Hello/);
});

test('two instances in one request: a row for each, with its own', async () => {
  const [owner, one, other] = [await graphql.administrator(), await remembering(), await remembering()];
  const query = `query ($one: ID!, $other: ID!) {
    one: memories(instanceId: $one, first: 1) { nodes { id content } }
    other: memories(instanceId: $other, first: 1) { nodes { id content } }
  }`;
  interface Read {
    one: { nodes: { id: string }[] };
    other: { nodes: { id: string }[] };
  }
  const { data } = await owner.ask<Read>(query, { one: one.instanceId, other: other.instanceId });
  for (const [agent, read] of [
    [one, data.one],
    [other, data.other],
  ] as const) {
    expect((await auditOf(agent)).map(({ after }) => after)).toMatchObject([{ Memory: { ids: [read.nodes[0]!.id] } }]);
  }
});

test('a subscription of an administrator leaves a row for each event that shows content', async () => {
  const [admin, viewer, ada] = [
    await graphql.administrator('admin'),
    await graphql.administrator('viewer'),
    await graphql.agent(),
  ];
  const id = await ada.remembers('I live in Leeds.');
  const variables = { id, i: ada.instanceId };
  const query =
    'subscription ($id: ID!, $i: ID!) { ingestionProgress(id: $id, instanceId: $i) { memories { content } } }';
  const events = async ({ credential }: Client) => {
    const client = createClient({
      url: `${graphql.baseUrl.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${credential}` },
    });
    const seen = [];
    for await (const event of client.iterate({ query, variables })) seen.push(event);
    await client.dispose();
    return seen;
  };
  expect(JSON.stringify(await events(viewer))).not.toContain('Leeds');
  expect(await auditOf(ada)).toEqual([]);
  const shown = (await events(admin)).filter((event) => JSON.stringify(event).includes('Leeds'));
  expect(shown.length).toBeGreaterThan(0);
  expect(await auditOf(ada)).toHaveLength(shown.length);
});

test('what a key reads of its own instance is not audited', async () => {
  const ada = await remembering();
  await ada.ask('{ memories { nodes { content evidence { quote } } } }');
  expect(await auditOf(ada)).toEqual([]);
});

const sameItems = (some: readonly string[], others: readonly string[]) =>
  JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted());

/** The reads of an instance's content that were audited, newest first. */
async function auditOf({ instanceId }: Client) {
  const { clientId } = await world.app.administration.instance(world.admin, instanceId);
  const { data } = await world.app.administration.clientAudit(world.admin, clientId, { limit: 100 });
  return data.filter(({ action, target }) => action === 'content.read' && target === instanceId);
}
