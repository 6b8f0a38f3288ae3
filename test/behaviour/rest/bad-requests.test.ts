import { expect, test } from 'vitest';
import { openServer } from './open-server.ts';

const server = openServer();
const submit = '/v1/memories';
const fetchContext = '/v1/context/fetch';
const document = { document: 'I own a kayak.', document_type: 'note', user_id: 'ada' };
const turn = (changes: object) => ({
  ...document,
  document: [{ role: 'user', content: 'I own a kayak.', ...changes }],
});
const query = { search_queries: ['kayak'], user_id: 'ada' };

test.each([
  { path: submit, body: { ...document, mode: 'accurate' }, told: 'mode: must be "fast" or "long-range"' },
  { path: submit, body: { ...document, document: 7 }, told: 'document: must be a string, a list or an object' },
  {
    path: submit,
    body: { ...document, document: undefined },
    told: 'document: is required: a string, a list or an object',
  },
  { path: submit, body: { ...document, document: ' \n' }, told: 'document: must not be blank' },
  { path: submit, body: { ...document, document: [] }, told: 'document: must not be empty' },
  { path: submit, body: turn({ content: 5 }), told: 'document[0].content: must be a string' },
  {
    path: submit,
    body: turn({ role: undefined }),
    told: 'document[0].role: is required: `user`, `assistant`, or whoever speaks',
  },
  { path: submit, body: turn({ timestamp: 'soon' }), told: /^document\[0\]\.timestamp: must be an ISO 8601 time/ },
  {
    path: submit,
    body: { ...document, document_created_at: '2026-02-30T00:00:00Z' },
    told: /^document_created_at: must/,
  },
  { path: submit, body: { ...document, document_created_at: '2026-02-03T00:00:00' }, told: /with an offset/ },
  { path: submit, body: { ...document, user_id: 'a\0b' }, told: 'user_id: must not contain control characters' },
  { path: submit, body: { ...document, user_id: 'a\uD800' }, told: 'user_id: must not contain control characters' },
  { path: submit, body: { ...document, user_id: '..' }, told: /^user_id: must not be \. or \.\./ },
  { path: fetchContext, body: { ...query, conversation_id: '.' }, told: /^conversation_id: must not be \. or \.\./ },
  { path: submit, body: { ...document, user_id: null }, told: 'user_id: must be a string' },
  {
    path: submit,
    body: { ...document, userId: 'ada' },
    told: /^userId: is not a known field; did you mean "user_id"\?/,
  },
  { path: submit, body: { ...document, colour: 'red' }, told: /^colour: is not a known field; known are document, / },
  {
    path: submit,
    body: { ...document, metadata: { a: 'x'.repeat(17_000) } },
    told: 'metadata: must be 16 KiB of JSON or less',
  },
  { path: fetchContext, body: { ...query, mode: 'long-range' }, told: 'mode: must be "fast" or "accurate"' },
  { path: fetchContext, body: { search_query: '', user_id: 'ada' }, told: 'search_query: must not be empty' },
  {
    path: fetchContext,
    body: { ...query, search_query: 'boat' },
    told: /^search_queries: is the same as search_query/,
  },
  {
    path: fetchContext,
    body: { query: 'boat', user_id: 'ada' },
    told: 'query: is not a known field; did you mean "search_query"?',
  },
  { path: fetchContext, body: { ...query, max_results: 1.5 }, told: 'max_results: must be a whole number' },
  { path: fetchContext, body: { ...query, max_results: 101 }, told: 'max_results: must be 100 or less' },
  {
    path: fetchContext,
    body: { ...query, search_queries: ['k'.repeat(2_001)] },
    told: /have 2,000 characters or less$/,
  },
])('$path says what to do: $told', async ({ path, body, told }) => {
  const answer = await (await server.agent()).send('POST', path, { body });
  expect(answer.status).toBe(400);
  const problem = answer.json<{ code: string; detail: string; errors: { field: string; message: string }[] }>();
  expect(problem.code).toBe('invalid_input');
  expect(problem.detail).toMatch(told);
  const [first] = problem.errors;
  expect(problem.detail).toBe(`${first?.field}: ${first?.message}`);
});

test('what needs no body may come with a type and without one', async () => {
  const agent = await server.agent();
  const rotated = await agent.send('POST', '/v1/webhooks/wh_01m70000000000000000000000/rotate-secret', {
    headers: { 'content-type': 'application/json' },
  });
  expect(rotated.status).toBe(404);
});

test('an empty list of queries asks what no query asks', async () => {
  const agent = await server.agent();
  await agent.remembers('I am allergic to walnuts.', { user_id: 'ada' });
  const asked = async (body: object) =>
    (await agent.send('POST', fetchContext, { body: { ...body, user_id: 'ada' } })).json<{
      memories: { id: string }[];
    }>();
  const [none, empty] = [await asked({}), await asked({ search_queries: [] })];
  expect(none.memories.length).toBeGreaterThan(0);
  expect(empty.memories.map(({ id }) => id)).toEqual(none.memories.map(({ id }) => id));
});

test('every wrong field is named', async () => {
  const body = { document: 'x', document_type: 'poem', mode: 1, user_id: '' };
  const answer = await (await server.agent()).send('POST', submit, { body });
  const { errors } = answer.json<{ errors: { field: string }[] }>();
  expect(errors.map((each) => each.field).toSorted()).toEqual(['document_type', 'mode', 'user_id']);
});

test.each([
  { path: '/v1/memories?limit=0', told: 'limit: must be 1 or more' },
  { path: '/v1/memories?limit=ten', told: 'limit: must be a number' },
  { path: '/v1/memories?usr_id=ada', told: 'usr_id: is not a known field; did you mean "user_id"?' },
  { path: '/v1/memories?user_id=ada&user_id=bob', told: 'user_id: must be given once' },
  { path: '/v1/entities?cursor=nonsense', told: /^cursor: / },
  { path: '/v1/memories/%zz', told: /percent escapes/ },
  { path: `/v1/memories?q=${'a'.repeat(9_000)}`, told: /URL is too long/ },
])('$path: 400', async ({ path, told }) => {
  const answer = await (await server.agent()).send('GET', path);
  expect(answer.status).toBe(400);
  expect(answer.json().detail).toMatch(told);
});

const json = 'application/json';
test.each([
  { case: 'malformed JSON', raw: '{"document": "x"', type: json, status: 400 },
  { case: 'an empty body', raw: '', type: json, status: 400 },
  { case: 'a list', raw: '[]', type: json, status: 400 },
  { case: 'a string', raw: '"text"', type: json, status: 400 },
  { case: 'null', raw: 'null', type: json, status: 400 },
  { case: 'bytes that are not UTF-8', raw: Buffer.from('{"document": "\xff\xfe"}', 'latin1'), type: json, status: 400 },
  { case: 'an endless nest', raw: '['.repeat(20_000), type: json, status: 400 },
  {
    case: 'a nest of 20,000 levels',
    raw: `{"metadata":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
    type: json,
    status: 400,
  },
  { case: 'plain text', raw: 'I live in Leeds.', type: 'text/plain', status: 415 },
  { case: 'a form', raw: 'document=x', type: 'application/x-www-form-urlencoded', status: 415 },
  {
    case: 'a body of 9 MiB',
    raw: JSON.stringify({ ...document, document: 'k'.repeat(9 << 20) }),
    type: json,
    status: 413,
  },
])('$case as body: $status', async ({ raw, type, status }) => {
  const answer = await (await server.agent()).send('POST', submit, { raw, headers: { 'Content-Type': type } });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.json().correlation_id).toBe(answer.headers.get('x-correlation-id'));
});

test.each([json, 'application/x-www-form-urlencoded', 'text/plain'])(
  'an empty body of the type %s is none where a route needs none',
  async (type) => {
    const agent = await server.agent();
    const empty = { raw: '', headers: { 'Content-Type': type } };
    const undone = await agent.send('POST', '/v1/memories/mem_nothing/undo-supersede', empty);
    expect(undone.json()).toMatchObject({ status: 404, code: 'not_found' });
  },
);

/** A submission whose text is written in JSON as given. */
const writing = (text: string) => ({ raw: JSON.stringify(document).replace('I own a kayak.', text) });

test('1 MiB of text is taken however it is written, and a byte more is not', async () => {
  const agent = await server.agent();
  const escaped = '\\u00e9'.repeat(1 << 19); // six bytes of JSON for each two of text
  expect((await agent.send('POST', submit, writing(escaped))).status).toBe(202);
  const answer = await agent.send('POST', submit, writing(`${escaped}.`));
  expect(answer.status).toBe(413);
  expect(answer.json()).toMatchObject({ code: 'payload_too_large', errors: [{ field: 'document' }] });
});

test('metadata named __proto__ reaches no prototype', async () => {
  const raw =
    '{"document":"I own a kayak.","document_type":"note","user_id":"ada","metadata":{"__proto__":{"admin":true}}}';
  expect((await (await server.agent()).send('POST', submit, { raw })).status).toBe(202);
  expect(Object.prototype).not.toHaveProperty('admin');
});
