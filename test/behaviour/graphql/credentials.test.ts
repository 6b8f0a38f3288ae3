import { expect, test } from 'vitest';
import { openGraphql } from './open-graphql.ts';

const graphql = openGraphql();
const code = ({ errors }: { errors: readonly { extensions: { code: string } }[] }) => errors[0]?.extensions.code;

test('without a credential: 401 with a challenge, in the form of a GraphQL error', async () => {
  for (const credential of ['', 'nonsense', `presage_${'0'.repeat(43)}`]) {
    const answer = await graphql.clientWith(credential).ask('{ instance { id } }');
    expect([answer.status, code(answer)]).toEqual([401, 'unauthenticated']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(answer.errors[0]!.extensions.correlationId).toBe(answer.headers.get('x-correlation-id'));
  }
});

test('a key opens its own instance and no other', async () => {
  const [ada, stranger] = [await graphql.agent(), await graphql.agent()];
  const query = 'query ($i: ID) { memories(instanceId: $i) { nodes { id } } instance(id: $i) { id } }';
  expect((await ada.ask(query, { i: ada.instanceId })).errors).toEqual([]);
  for (const i of [stranger.instanceId, 'inst_0000000000000000', 'nonsense']) {
    expect(code(await ada.ask(query, { i }))).toBe('forbidden');
  }
});

test('an administrator names the instance they read', async () => {
  const [admin, ada] = [await graphql.administrator('admin'), await graphql.agent()];
  await ada.remembers('I live in Leeds.');
  const query = `query ($i: ID) {
    memories(instanceId: $i, filter: { type: FACTS }) { nodes { content entities { name } } }
    entities(instanceId: $i) { nodes { name memories { nodes { content } } } }
    configurations(instanceId: $i) { nodes { version } }
    instance(id: $i) { keys { nodes { last4 } } }
  }`;
  const { data, errors } = await admin.ask(query, { i: ada.instanceId });
  expect(errors).toEqual([]);
  expect(data).toMatchObject({
    memories: { nodes: [{ content: 'I live in Leeds.', entities: [{ name: 'Leeds' }] }] },
    instance: { keys: { nodes: [{ last4: ada.credential.slice(-4) }] } },
  });
  expect(code(await admin.ask('{ memories { nodes { id } } }'))).toBe('invalid_input');
  const unknown = await admin.ask('{ instance(id: "inst_0000000000000000") { id } }');
  expect([unknown.data, unknown.errors]).toEqual([{ instance: null }, []]);
});

test('an administrator lists all instances, a page at a time', async () => {
  const admin = await graphql.administrator();
  const made = [(await graphql.agent()).instanceId, (await graphql.agent()).instanceId];
  const query = `query ($after: String) {
    instances(first: 1, after: $after) { nodes { id } edges { cursor } pageInfo { endCursor hasNextPage } }
  }`;
  interface Listed {
    instances: { nodes: { id: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } };
  }
  const seen: string[] = [];
  let after: string | null = null;
  for (let more = true; more;) {
    const { instances }: Listed = (await admin.ask<Listed>(query, { after })).data;
    seen.push(...instances.nodes.map(({ id }) => id));
    ({ endCursor: after, hasNextPage: more } = instances.pageInfo);
  }
  expect(seen).toEqual(expect.arrayContaining(made));
  expect(new Set(seen).size).toBe(seen.length);
});

const input = { document: { text: 'I live in Leeds.' }, documentType: 'NOTE', userId: 'ada' };
const submit = 'mutation ($input: SubmitDocumentInput!) { submitDocument(input: $input) { __typename } }';
const fetched = '{ context(query: { searchQueries: ["x"], userId: "ada" }) { totalTokens } }';
const administration = [
  'mutation ($i: ID!) { createKey(input: { instanceId: $i }) { __typename } }',
  'mutation ($i: ID!) { revokeKey(instanceId: $i, id: "key_x") { __typename } }',
  'mutation { createInstance(input: { name: "x" }) { __typename } }',
];

test('an administrator never reads a context and never submits', async () => {
  const admin = await graphql.administrator();
  expect(code(await admin.ask(fetched))).toBe('forbidden');
  expect(code(await admin.ask(submit, { input }))).toBe('forbidden');
});

test('a viewer changes nothing', async () => {
  const [viewer, ada] = [await graphql.administrator('viewer'), await graphql.agent()];
  const forget = 'mutation ($i: ID!) { forget(instanceId: $i, memoryId: "mem_x") { __typename } }';
  for (const mutation of [...administration, forget]) {
    expect(code(await viewer.ask(mutation, { i: ada.instanceId }))).toBe('forbidden');
  }
});

test('a key administers nothing, and sees no keys', async () => {
  const ada = await graphql.agent();
  for (const mutation of [...administration, '{ instances { nodes { id } } }']) {
    expect(code(await ada.ask(mutation, { i: ada.instanceId }))).toBe('forbidden');
  }
  const { data, errors } = await ada.ask('{ instance { id keys { nodes { id } } } }');
  expect(data).toEqual({ instance: { id: ada.instanceId, keys: null } });
  expect(code({ errors })).toBe('forbidden');
});

test('a request is one call, whatever it asks for', async () => {
  const { access, key } = await graphql.world.instance();
  const agent = graphql.clientWith(key);
  await agent.ask('{ a: instance { id } b: memories { nodes { id } } c: entities { nodes { id } } }');
  await agent.ask('{ nothing }');
  await graphql.clientWith('').ask('{ instance { id } }');
  const { metering, db } = graphql.world.deps;
  await metering.flush(new Date());
  const usage = await db.usage.findMany({ where: { instanceNumber: access.instanceNumber, metric: 'api_calls' } });
  expect(usage.map(({ count }) => Number(count))).toEqual([2]);
});
