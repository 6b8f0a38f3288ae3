import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { newUuid, toPublicId } from '../../src/domain/ids.ts';
import { formatLimit, limits, type Limit } from '../../src/domain/limits.ts';
import { openClient } from './grpc/open-client.ts';
import { newAdminToken } from './rest/open-server.ts';
import { openDoors } from '../support/open-doors.ts';
import { openWorld } from '../support/world.ts';

/**
 * Each limit at every door that has it: what is as large as it may be passes, and what is larger by one is refused with
 * the name of the field and with the amount that the table of limits has.
 */
const doors = openDoors(openWorld({}));
const { world } = doors;

type Name = keyof typeof limits;
/** The error of a field, as a door tells it. */
interface Told {
  readonly field: string;
  readonly message: string;
}
interface Try {
  readonly door: 'REST' | 'GraphQL' | 'gRPC';
  /** How the door spells it. */
  readonly field: string;
  readonly send: (size: number) => Promise<readonly Told[]>;
}

let key = '';
let admin = '';
let instance = '';

beforeAll(async () => {
  ({ key, id: instance } = await world.instance());
  admin = await newAdminToken(world, 'owner');
});
// What was accepted is read by nobody.
afterAll(() => world.deps.db.job.deleteMany());

const letters = (size: number) => 'a'.repeat(size);
const list = <T>(size: number, item: T): T[] => Array.from({ length: size }, () => item);

const rest = (
  field: string,
  request: (size: number) => {
    method?: string;
    path: string;
    body?: unknown;
    as?: string;
    headers?: Record<string, string>;
  },
): Try => ({
  door: 'REST',
  field,
  async send(size) {
    const { method, path, body, as = key, headers } = request(size);
    const answer = await fetch(doors.baseUrl + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${as}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { errors = [] } = JSON.parse((await answer.text()) || '{}') as { errors?: Told[] };
    expect(answer.status).toBeLessThan(500);
    return errors;
  },
});

const graphql = (
  field: string,
  query: string,
  variables: (size: number) => object,
  more: { as?: () => string; isSubscription?: boolean } = {},
): Try => ({
  door: 'GraphQL',
  field,
  async send(size) {
    const path = more.isSubscription ? '/graphql/stream' : '/graphql';
    const { text } = await doors.send(more.as?.() ?? key, 'POST', path, { query, variables: variables(size) });
    const json = text.startsWith('{') ? text : /^data: ?(\{.*)$/m.exec(text)![1]!;
    const { data, errors = [] } = JSON.parse(json) as {
      data?: Record<string, { fields?: Told[] } | null> | null;
      errors?: { message: string; extensions: { code: string; fields?: Told[] } }[];
    };
    expect(errors.map(({ extensions }) => extensions.code)).not.toContain('internal');
    expect(errors.filter(({ message }) => /Syntax|Variable|Unknown|Cannot/.test(message))).toEqual([]);
    const thrown = errors.flatMap(({ extensions }) => extensions.fields ?? []);
    return [...thrown, ...Object.values(data ?? {}).flatMap((each) => each?.fields ?? [])];
  },
});

const grpc = (field: string, signal: (size: number) => object): Try => ({
  door: 'gRPC',
  field,
  async send(size) {
    using client = openClient(doors.grpcAddress);
    const stream = client.anticipate({ key });
    const sent = signal(size);
    stream.send(...('sessionStart' in sent ? [sent] : [{ sessionStart: { userId: 'ada' } }, sent]), { sessionEnd: {} });
    const { details, metadata } = await stream.ended;
    return metadata.get('presage-error-field').map((each) => ({ field: String(each), message: details }));
  },
});

const invalid = '... on InvalidInput { fields { field message } }';
const asAdmin = () => admin;
const says = (more: object) => ({
  path: '/v1/conversations/harbour/messages',
  body: { role: 'user', content: 'Hm.', user_id: 'ada', ...more },
});
const adding = `mutation ($input: AddMessagesInput!) { addMessages(input: $input) { __typename ${invalid} } }`;
const typing = `mutation ($input: PartialMessageInput!) { publishPartialMessage(input: $input) { __typename ${invalid} } }`;
const typed = (more: object) => ({ input: { conversationId: 'harbour', userId: 'ada', content: 'Hm', ...more } });
const added = (message: object) => ({
  input: { conversationId: 'harbour', userId: 'ada', messages: [{ role: 'user', content: 'Hm.', ...message }] },
});
const fetching = (more: object) => ({
  path: '/v1/context/fetch',
  body: { search_queries: ['tea'], user_id: 'ada', ...more },
});
const asking = 'query ($query: ContextInput!) { context(query: $query) { source } }';
const asked = (more: object) => ({ query: { searchQueries: ['tea'], userId: 'ada', ...more } });
const listing = 'query ($filter: MemoryFilter) { memories(filter: $filter) { nodes { id } } }';
const naming = 'query ($filter: EntityFilter) { entities(filter: $filter) { nodes { id } } }';
const metadata = (size: number) => ({ a: letters(size - '{"a":""}'.length) });

/** The doors that have the limit, each with the smallest request that reaches it. */
const tries: Partial<Record<Name, readonly Try[]>> = {
  id: [
    rest('user_id', (n) => ({ path: `/v1/memories?user_id=${letters(n)}` })),
    graphql('userId', 'query ($v: String) { conversation(id: "harbour", userId: $v) { id } }', (n) => ({
      v: letters(n),
    })),
    grpc('session_start.user_id', (n) => ({ sessionStart: { userId: letters(n) } })),
    grpc('session_start.session_id', (n) => ({ sessionStart: { sessionId: letters(n) } })),
  ],
  ownId: [
    rest('client_id', (n) => ({
      path: '/v1/admin/instances',
      body: { name: 'desk', client_id: letters(n) },
      as: admin,
    })),
    graphql(
      'clientId',
      `mutation ($input: OnboardInput!) { onboard(input: $input) { __typename ${invalid} } }`,
      (n) => ({ input: { clientId: letters(n), instanceName: 'desk' } }),
      { as: asAdmin },
    ),
  ],
  name: [
    rest('name', (n) => ({ path: '/v1/admin/clients', body: { name: letters(n) }, as: admin })),
    graphql(
      'name',
      `mutation ($v: String!) { createClient(name: $v) { __typename ${invalid} } }`,
      (n) => ({ v: letters(n) }),
      { as: asAdmin },
    ),
  ],
  label: [
    rest('label', (n) => ({ path: `/v1/admin/instances/${instance}/keys`, body: { label: letters(n) }, as: admin })),
    graphql(
      'label',
      `mutation ($input: CreateKeyInput!) { createKey(input: $input) { __typename ${invalid} } }`,
      (n) => ({ input: { instanceId: instance, label: letters(n) } }),
      { as: asAdmin },
    ),
  ],
  comment: [
    rest('comment', (n) => ({
      path: `/v1/admin/instances/${instance}/configurations`,
      body: { comment: letters(n) },
      as: admin,
    })),
    graphql(
      'comment',
      `mutation ($input: InitConfigurationInput!) { initConfiguration(input: $input) { __typename ${invalid} } }`,
      (n) => ({ input: { instanceId: instance, comment: letters(n) } }),
      { as: asAdmin },
    ),
  ],
  provider: [
    graphql(
      'extraction',
      `mutation ($input: SetProvidersInput!) { setProviders(input: $input) { __typename ${invalid} } }`,
      (n) => ({ input: { instanceId: instance, extraction: letters(n) } }),
      { as: asAdmin },
    ),
  ],
  category: [
    rest('category', (n) => ({ path: `/v1/memories?category=${letters(n)}` })),
    graphql('category', listing, (n) => ({ filter: { category: letters(n) } })),
  ],
  kind: [
    rest('kind', (n) => ({ path: `/v1/entities?kind=${letters(n)}` })),
    graphql('kind', naming, (n) => ({ filter: { kind: letters(n) } })),
  ],
  search: [
    rest('q', (n) => ({ path: `/v1/memories?q=${letters(n)}` })),
    rest('q', (n) => ({ path: `/v1/entities?q=${letters(n)}` })),
    graphql('q', listing, (n) => ({ filter: { q: letters(n) } })),
    graphql('q', naming, (n) => ({ filter: { q: letters(n) } })),
  ],
  cursor: [rest('cursor', (n) => ({ path: `/v1/memories?cursor=${letters(n)}` }))],
  time: [
    rest('created_from', (n) => ({ path: `/v1/memories?created_from=2026-01-05T09:30:00.${'0'.repeat(n - 21)}Z` })),
  ],
  eventId: [
    rest('last_event_id', (n) => ({ path: `/v1/conversations/nobody/anticipated?last_event_id=${letters(n)}` })),
  ],
  tokenInQuery: [
    rest('access_token', (n) => ({ path: `/v1/conversations/nobody/anticipated?access_token=${letters(n)}` })),
  ],
  idempotencyKey: [rest('Idempotency-Key', (n) => ({ ...fetching({}), headers: { 'Idempotency-Key': letters(n) } }))],

  document: [
    rest('document', (n) => ({
      path: '/v1/memories',
      body: { document: `a${' '.repeat(n - 1)}`, document_type: 'note', user_id: 'ada' },
    })),
    graphql(
      'document',
      `mutation ($input: SubmitDocumentInput!) { submitDocument(input: $input) { __typename ${invalid} } }`,
      (n) => ({ input: { document: { text: `a${' '.repeat(n - 1)}` }, documentType: 'NOTE', userId: 'ada' } }),
    ),
  ],
  turns: [
    rest('document', (n) => ({
      path: '/v1/memories',
      body: { document: list(n, { role: 'user', content: 'ok' }), document_type: 'note', user_id: 'ada' },
    })),
    graphql(
      'document.turns',
      `mutation ($input: SubmitDocumentInput!) { submitDocument(input: $input) { __typename ${invalid} } }`,
      (n) => ({
        input: { document: { turns: list(n, { role: 'user', content: 'ok' }) }, documentType: 'NOTE', userId: 'ada' },
      }),
    ),
  ],
  batch: [rest('documents', (n) => ({ path: '/v1/memories/batch', body: { documents: list(n, {}) } }))],
  metadata: [
    rest('metadata', (n) => ({
      path: '/v1/conversations',
      body: { conversation_id: 'harbour', user_id: 'ada', metadata: metadata(n) },
    })),
    graphql(
      'metadata',
      `mutation ($input: StartConversationInput!) { startConversation(input: $input) { __typename ${invalid} } }`,
      (n) => ({ input: { id: 'harbour', userId: 'ada', metadata: metadata(n) } }),
    ),
  ],
  role: [
    rest('role', (n) => says({ role: letters(n) })),
    graphql('messages[0].role', adding, (n) => added({ role: letters(n) })),
    graphql('role', typing, (n) => typed({ role: letters(n) })),
    grpc('message.role', (n) => ({ message: { role: letters(n), content: 'Hm.' } })),
  ],
  speaker: [
    rest('name', (n) => says({ name: letters(n) })),
    graphql('messages[0].name', adding, (n) => added({ name: letters(n) })),
  ],
  message: [
    rest('content', (n) => says({ content: letters(n) })),
    graphql('messages[0].content', adding, (n) => added({ content: letters(n) })),
    graphql('content', typing, (n) => typed({ content: letters(n) })),
    grpc('message.content', (n) => ({ message: { content: letters(n) } })),
    grpc('partial_message.content', (n) => ({ partialMessage: { content: letters(n) } })),
  ],
  messages: [
    rest('messages', (n) => ({
      path: '/v1/conversations/harbour/messages',
      body: { user_id: 'ada', messages: list(n, { role: 'user', content: 'Hm.' }) },
    })),
    graphql('messages', adding, (n) => ({
      input: { conversationId: 'harbour', userId: 'ada', messages: list(n, { role: 'user', content: 'Hm.' }) },
    })),
  ],
  messageTexts: [
    rest('messages', (n) => ({
      path: '/v1/conversations/harbour/messages',
      body: { user_id: 'ada', messages: inMessages(n) },
    })),
    graphql('messages', adding, (n) => ({
      input: { conversationId: 'harbour', userId: 'ada', messages: inMessages(n) },
    })),
  ],

  queries: [
    rest('search_queries', (n) => fetching({ search_queries: list(n, 'tea') })),
    graphql('searchQueries', asking, (n) => asked({ searchQueries: list(n, 'tea') })),
  ],
  query: [
    rest('search_queries', (n) => fetching({ search_queries: letters(n) })),
    graphql('searchQueries[0]', asking, (n) => asked({ searchQueries: [letters(n)] })),
  ],
  results: [
    rest('max_results', (n) => fetching({ max_results: n })),
    graphql('maxResults', asking, (n) => asked({ maxResults: n })),
  ],
  contextBudget: [
    rest('context_budget', (n) => fetching({ context_budget: n })),
    graphql('contextBudget', asking, (n) => asked({ contextBudget: n })),
  ],
  compactionTarget: [
    rest('target_tokens', (n) => ({
      path: '/v1/context/compact',
      body: { conversation_id: 'nobody', target_tokens: n },
    })),
    graphql(
      'targetTokens',
      `mutation ($v: Int!) { compactConversation(input: { conversationId: "nobody", targetTokens: $v }) { __typename ${invalid} } }`,
      (n) => ({ v: n }),
    ),
  ],
  version: [
    rest('version', (n) => ({ path: `/v1/conversations/nobody/compactions/${n}` })),
    graphql(
      'version',
      'query ($v: Int!) { compaction(conversationId: "nobody", version: $v) { __typename } }',
      (n) => ({ v: n }),
    ),
  ],
  turnsRead: [
    graphql(
      'to',
      'query ($v: Int!) { conversationTurns(conversationId: "nobody", from: 0, to: $v) { __typename } }',
      (n) => ({ v: n - 1 }),
    ),
  ],
  bundleBudget: [
    rest('token_budget', (n) => ({ path: `/v1/conversations/nobody/anticipated?token_budget=${n}` })),
    graphql(
      'tokenBudget',
      'subscription ($v: Int!) { anticipated(conversationId: "nobody", tokenBudget: $v) { __typename } }',
      (n) => ({ v: n }),
      { isSubscription: true },
    ),
    grpc('session_start.token_budget', (n) => ({ sessionStart: { userId: 'ada', tokenBudget: n } })),
  ],
  toolName: [grpc('tool_call.name', (n) => ({ toolCall: { name: letters(n) } }))],
  toolArguments: [grpc('tool_call.arguments', (n) => ({ toolCall: { name: 'look', arguments: letters(n) } }))],
  used: [
    grpc('context_used.memory_ids', (n) => ({ contextUsed: { memoryIds: list(n, toPublicId('memory', newUuid())) } })),
  ],
  tokenLife: [
    rest('ttl_seconds', (n) => ({ path: '/v1/tokens', body: { user_id: 'ada', ttl_seconds: n } })),
    graphql(
      'ttlSeconds',
      `mutation ($input: CreateBrowserTokenInput!) { createBrowserToken(input: $input) { __typename ${invalid} } }`,
      (n) => ({ input: { userId: 'ada', ttlSeconds: n } }),
    ),
  ],

  memory: [
    rest('content', (n) => ({
      method: 'PATCH',
      path: `/v1/memories/${toPublicId('memory', newUuid())}`,
      body: { content: letters(n) },
    })),
  ],
  record: [
    rest('document', (n) => ({
      path: '/v1/memories',
      body: { document: letters(n), document_type: 'note', verbatim: true },
    })),
  ],
  variant: [rest('variant', (n) => ({ path: `/v1/analytics/latency?operation=compact&variant=${letters(n)}` }))],
  days: [
    graphql(
      'days',
      'query ($v: Int!, $i: ID!) { instance(id: $i) { memoriesByDay(days: $v) { __typename } } }',
      (n) => ({ v: n, i: instance }),
      { as: () => admin },
    ),
  ],
  webhookDescription: [
    rest('description', (n) => ({
      path: '/v1/webhooks',
      body: { url: 'https://1.1.1.1/', event_types: ['conversation.started'], description: letters(n) },
    })),
  ],

  page: [
    rest('limit', (n) => ({ path: `/v1/memories?limit=${n}` })),
    graphql('first', 'query ($v: Int!) { memories(first: $v) { nodes { id } } }', (n) => ({ v: n })),
  ],
  recentMessages: [
    rest('last', (n) => ({ path: `/v1/conversations/harbour?last=${n}` })),
    graphql('last', 'query ($v: Int!) { conversation(id: "harbour") { recentMessages(last: $v) { id } } }', (n) => ({
      v: n,
    })),
  ],
  wait: [rest('wait', (n) => ({ path: `/v1/memories/nothing/status?wait=${n}` }))],
  split: [
    rest('memory_ids', (n) => ({
      path: '/v1/entities/split',
      body: { entity_id: 'nothing', memory_ids: list(n, 'nothing') },
    })),
    graphql(
      'memoryIds',
      `mutation ($v: [ID!]!) { splitEntity(entityId: "nothing", memoryIds: $v) { __typename ${invalid} } }`,
      (n) => ({ v: list(n, 'nothing') }),
    ),
  ],
};

/** So many letters, in messages that are short enough each. */
function inMessages(size: number) {
  const max = limits.message.max;
  const contents = [...list(Math.floor(size / max), letters(max)), letters(size % max)].filter(Boolean);
  return contents.map((content) => ({ role: 'user', content }));
}

/** What bounds a request as a whole is tried where the request is made by hand. */
const elsewhere: Partial<Record<Name, string>> = {
  useCase: 'configurations/onboarding.test.ts',
  body: 'rest/bad-requests.test.ts',
  textBody: 'security/hostile-bodies.test.ts',
  batchBody: 'rest/admin-contract.test.ts',
  bodyValues: 'security/hostile-bodies.test.ts',
  bodyDepth: 'security/hostile-bodies.test.ts',
  bodyMembers: 'security/hostile-bodies.test.ts',
  url: 'rest/bad-requests.test.ts',
  signal: 'grpc/calls.test.ts',
  operationDepth: 'graphql/limits.test.ts',
  operationAliases: 'graphql/limits.test.ts',
  operationCost: 'graphql/limits.test.ts',
  operationTokens: 'graphql/limits.test.ts',
  subscriptions: 'graphql/subscriptions.test.ts',
  subscriptionBytes: 'limits.test.ts',
  webhooks: 'webhooks/webhook-doors.test.ts',
  webhookUrl: 'webhooks/webhook-doors.test.ts',
  email: 'dashboard/sign-in.test.ts',
  file: 'rest/files.test.ts',
  filePages: 'rest/files.test.ts',
  password: 'dashboard/sign-in.test.ts',
  reason: 'correcting-doors.test.ts',
};

test('every limit is tried, here or where its request is made', () => {
  const names = [...Object.keys(tries), ...Object.keys(elsewhere)];
  expect(names.toSorted()).toEqual(Object.keys(limits).toSorted());
  for (const file of Object.values(elsewhere))
    expect([file, existsSync(`test/behaviour/${file}`)]).toEqual([file, true]);
});

test('a message on a WebSocket beyond its limit closes it as too large', async () => {
  const closedBy = async (bytes: number) => {
    const socket = new WebSocket(`${doors.baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send('x'.repeat(bytes));
    const [code] = (await once(socket, 'close')) as [number];
    return code;
  };
  expect(await closedBy(limits.subscriptionBytes.max)).toBe(4_400); // read, and no message of the protocol
  expect(await closedBy(limits.subscriptionBytes.max + 1)).toBe(1_009);
});

/** The amounts that a refusal may name the limit by. */
const amounts = (limit: Limit) => [limit.max.toLocaleString('en'), String(limit.max), formatLimit(limit)];

const rows = Object.entries(tries).flatMap(([name, doorsOf]) =>
  doorsOf.map((each) => ({ name: name as Name, each, title: `${name}: ${each.door}, ${each.field}` })),
);
describe('at each door', () => {
  test.each(rows)('$title', async ({ name, each: { field, send } }) => {
    const limit: Limit = limits[name];
    const ofField = async (size: number) => (await send(size)).filter((each) => each.field === field);
    const [within, beyond] = [await ofField(limit.max), await ofField(limit.max + 1)];
    // What is as large as it may be can still be wrong, such as a cursor of letters; but not for its size.
    const names = ({ message }: Told) => amounts(limit).some((amount) => message.includes(amount));
    expect(within.filter(names)).toEqual([]);
    expect(beyond).toHaveLength(1);
    expect(within.length === 0 || beyond.some(names)).toBe(true);
  });
});

const emoji = (size: number) => '\u{1F980}'.repeat(size);

test.each([
  rest('role', (n) => says({ role: emoji(n) })),
  graphql('messages[0].role', adding, (n) => added({ role: emoji(n) })),
  grpc('message.role', (n) => ({ message: { role: emoji(n), content: 'Hm.' } })),
])('characters are code points, however many units of UTF-16 they take: $door', async ({ field, send }) => {
  expect(await send(limits.role.max)).toEqual([]);
  expect(await send(limits.role.max + 1)).toMatchObject([{ field }]);
});
