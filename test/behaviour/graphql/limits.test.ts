import { expect, test } from 'vitest';
import { openGraphql, type Answer } from './open-graphql.ts';

const graphql = openGraphql();
const told = ({ status, errors }: Answer<unknown>) => [status, errors[0]?.extensions.code, errors[0]?.message];

/** `{ memories { nodes { entities { memories { … } } } } }`, n times. */
const nested = (n: number): string =>
  n === 0 ? 'id' : `id entities { memories(first: 1) { nodes { ${nested(n - 1)} } } }`;

test.each([
  { case: 'too deep', query: `{ memories { nodes { ${nested(4)} } } }`, message: /nested 15 levels deep/ },
  {
    case: 'too deep, in fragments',
    query: `{ memories { nodes { ...A } } } fragment A on Memory { ${nested(2)} ...B } fragment B on Memory { ${nested(4)} }`,
    message: /levels deep/,
  },
  {
    case: 'too many aliases',
    query: `{ ${Array.from({ length: 16 }, (_, n) => `a${n}: instance { id }`).join(' ')} }`,
    message: /16 aliases/,
  },
  {
    case: 'too many aliases, in a fragment that is spread often',
    query: `{ instance { id ...A } i: instance { ...A } }
      fragment A on Instance { ${Array.from({ length: 8 }, (_, n) => `a${n}: id`).join(' ')} }`,
    message: /17 aliases/,
  },
  {
    case: 'too costly',
    query: '{ memories(first: 100) { nodes { entities { memories(first: 100) { nodes { id } } } } } }',
    message: /costs \d+; at most/,
  },
  {
    case: 'too costly by its variables',
    query: 'query ($n: Int!) { memories(first: $n) { nodes { entities { memories(first: $n) { nodes { id } } } } } }',
    message: /costs \d+; at most/,
  },
  {
    case: 'too costly by the turns of a conversation',
    query: `{ conversationTurns(conversationId: "call", from: 0, to: 199) {
      anticipated { memory { entities { memories(first: 10) { nodes { id } } } } } } }`,
    message: /costs \d+; at most/,
  },
  { case: 'too long', query: `{ instance { ${'id '.repeat(2_000)} } }`, message: /token/ },
  { case: 'not GraphQL', query: '{ instance', message: /Syntax Error/ },
  { case: 'a field that is not there', query: '{ instanc { id } }', message: /Cannot query field/ },
  { case: 'a subscription', query: 'subscription { ingestionProgress(id: "x") { id } }', message: /WebSocket/ },
  { case: 'nothing', query: ' ', message: /^query: / },
])('$case is refused with 400 and a reason', async ({ query, message }) => {
  const answer = await (await graphql.agent()).ask(query, { n: 100 });
  expect(told(answer)).toEqual([400, 'invalid_input', expect.stringMatching(message)]);
  expect(answer.errors[0]!.extensions.correlationId).toBe(answer.headers.get('x-correlation-id'));
});

test('what a dashboard asks for is well within the limits', async () => {
  const ada = await graphql.agent();
  const memory = 'id content entities { id name } supersededBy { id } evidence { quote }';
  const { errors } = await ada.ask(`{
    instance {
      memories(first: 50) { nodes { ${memory} } pageInfo { endCursor } }
      entities(first: 50) { nodes { name memories(first: 10) { nodes { id content } } } }
      configurations { nodes { version } }
    }
  }`);
  expect(errors).toEqual([]);
});

test('so is a page of users with what they did last, and one of documents with how they went', async () => {
  const ada = await graphql.agent();
  const last = 'conversations(first: 1) { nodes { lastMessageAt } } documents(first: 1) { nodes { receivedAt } }';
  const { errors } = await ada.ask(`{
    instance {
      users(first: 100) { nodes { userId lastActiveAt memoryCounts { active } customers(first: 3) { nodes { customerId } } ${last} } }
      documents(first: 100) { nodes { id externalId ingestion { status error } memories(first: 3) { totalCount } } }
    }
  }`);
  expect(errors).toEqual([]);
});

test.each([
  { query: '{ memories(first: 101) { nodes { id } } }', field: 'first' },
  { query: '{ memories(first: 0) { nodes { id } } }', field: 'first' },
  { query: '{ memories(after: "nonsense") { nodes { id } } }', field: 'after' },
  { query: '{ memories(filter: { userId: "" }) { nodes { id } } }', field: 'userId' },
  { query: '{ context(query: { searchQueries: [], userId: "ada" }) { source } }', field: 'searchQueries' },
  { query: '{ context(query: { searchQueries: [" "], userId: "ada" }) { source } }', field: 'searchQueries[0]' },
  { query: '{ context(query: { searchQueries: ["x"], maxResults: 101 }) { source } }', field: 'maxResults' },
])('$field is named when it is wrong: $query', async ({ query, field }) => {
  const { errors } = await (await graphql.agent()).ask(query);
  expect(errors[0]!.extensions).toMatchObject({ code: 'invalid_input', fields: [{ field }] });
});

test('a wrong variable is the caller’s mistake', async () => {
  const query = 'query ($q: ContextInput!) { context(query: $q) { source } }';
  for (const q of [{ searchQueries: ['x'], asOf: 'yesterday' }, { searchQueries: 5 }, { userId: 5 }]) {
    expect(told(await (await graphql.agent()).ask(query, { q })).slice(0, 2)).toEqual([400, 'invalid_input']);
  }
});

test('only JSON posts are run, one operation each', async () => {
  const { credential } = await graphql.agent();
  const query = '{ instance { id } }';
  const send = async (method: string, search: string, type?: string, body?: string) => {
    const headers = { Authorization: `Bearer ${credential}`, ...(type ? { 'Content-Type': type } : {}) };
    const response = await fetch(`${graphql.baseUrl}/graphql${search}`, { method, headers, ...(body ? { body } : {}) });
    const { errors } = (await response.json()) as { errors?: Answer<unknown>['errors'] };
    return [response.status, errors?.[0]?.extensions.code];
  };
  expect(await send('GET', `?query=${encodeURIComponent(query)}`)).toEqual([405, 'method_not_allowed']);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    expect(await send('POST', '', type, JSON.stringify({ query }))).toEqual([415, 'unsupported_media_type']);
  }
  expect(await send('POST', '', 'application/json', JSON.stringify([{ query }]))).toEqual([400, 'invalid_input']);
  expect(await send('POST', '', 'application/json', '{"query":')).toEqual([400, 'invalid_input']);
});

test('an error that nobody foresaw says nothing of the inside', async () => {
  const ada = await graphql.agent();
  const { lists } = graphql.world.app;
  const { memories } = lists;
  lists.memories = async () => {
    throw new Error('SELECT secret FROM memory');
  };
  try {
    const { status, errors, headers } = await ada.ask('{ memories { nodes { id } } }');
    expect(status).toBe(200);
    expect(errors).toMatchObject([{ path: ['memories'], extensions: { code: 'internal' } }]);
    expect(errors[0]!.extensions.correlationId).toBe(headers.get('x-correlation-id'));
    expect(JSON.stringify(errors)).not.toMatch(/secret|stack|\.ts|\.js/);
  } finally {
    lists.memories = memories;
  }
});

test('the schema is public to whoever has a credential, and every part of it is described', async () => {
  const kinds =
    '{ schema: __schema { types { name description fields { name description } inputFields { name description } } } }';
  interface Described {
    readonly name: string;
    readonly description: string | null;
    readonly fields?: Described[] | null;
    readonly inputFields?: Described[] | null;
  }
  const { data } = await (await graphql.agent()).ask<{ schema: { types: Described[] } }>(kinds);
  const own = data.schema.types.filter(({ name }) => !/^__|^(Query|Mutation|Subscription)$/.test(name));
  const bare = own.flatMap((type) =>
    [type, ...(type.fields ?? []), ...(type.inputFields ?? [])]
      .filter(({ description }) => !description)
      .map(({ name }) => `${type.name}.${name}`),
  );
  expect(bare).toEqual([]);
});
