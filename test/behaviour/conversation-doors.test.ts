import { status } from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import { openDoors } from '../support/open-doors.ts';
import { end, openClient, says } from './grpc/open-client.ts';

const doors = openDoors();
const { world } = doors;

/** An agent of a new instance. */
async function newAgent() {
  const { access, key } = await world.instance();
  return {
    access,
    key,
    send: (method: string, path: string, body?: unknown) => doors.send(key, method, path, body),
    ask: (query: string) => doors.ask(key, query),
    contents: async (path: string) => {
      const { recent_messages: recent } = (await doors.send(key, 'GET', path)).json();
      return (recent as { content: string }[]).map(({ content }) => content);
    },
  };
}

test('what was said in a later stretch of a conversation is found by its turns in the conversation', async () => {
  const { send, ask } = await newAgent();
  const say = async (content: string) => {
    await send('POST', '/v1/conversations/call-1/messages', { role: 'user', content, user_id: 'ada' });
    await send('POST', '/v1/conversations/call-1/end'); // what is said after it is a document of its own
    await world.settle();
  };
  await say('I live in Leeds.');
  await say('I am allergic to walnuts.');
  const [memory] = (await send('GET', '/v1/memories?q=walnuts&type=facts')).json().data;
  const [said] = (await send('GET', `/v1/memories/${memory.id}`)).json().evidence;
  expect(said).toMatchObject({ turns: [0], conversation_turns: [1] });
  const read = await send('GET', `/v1/conversations/${said.conversation_id}?turns=${said.conversation_turns}`);
  expect(read.json()).toMatchObject({ turns: [{ turn: 1, content: said.quote }] });
  const asked = await ask(
    '{ memories(first: 5, filter: { type: FACTS }) { nodes { evidence { turns conversationTurns { conversationId turns } } } } }',
  );
  const found = (turns: number[]) => [
    { turns: [0], conversationTurns: { conversationId: said.conversation_id, turns } },
  ];
  expect(asked.json().data.memories.nodes).toEqual([{ evidence: found([1]) }, { evidence: found([0]) }]);
  await send('POST', '/v1/memories', { document: 'I own a kayak.', document_type: 'note', user_id: 'ada', wait: 20 });
  const [note] = (await send('GET', '/v1/memories?q=kayak&type=facts')).json().data;
  const { evidence } = (await send('GET', `/v1/memories/${note.id}`)).json();
  expect(Object.keys(evidence[0])).toEqual(['document_id', 'turns', 'quote']);
});

describe('REST', () => {
  test('a conversation from its start to its memories', async () => {
    const { send } = await newAgent();
    const start = { conversation_id: 'call-1', user_id: 'ada', metadata: { channel: 'phone' } };
    const started = await send('POST', '/v1/conversations', start);
    expect(started.status).toBe(201);
    expect(started.json()).toMatchObject({ external_id: 'call-1', user_id: 'ada', state: 'open', message_count: 0 });
    expect((await send('POST', '/v1/conversations', start)).status).toBe(200);
    const path = '/v1/conversations/call-1';
    const one = await send('POST', `${path}/messages`, {
      role: 'user',
      content: 'I live in Leeds.',
      finish: undefined,
    });
    expect(one.status).toBe(201);
    expect(one.json()).toMatchObject({
      message_count: 1,
      message_ids: [expect.stringMatching(/^msg_/)],
      ingestion_ids: [],
    });
    // As a model's API gives it, with fields of its own.
    const messages = [
      { role: 'assistant', content: 'Nice.', refusal: null },
      { role: 'user', content: 'I am allergic to peanuts.', timestamp: '2026-01-05T09:00:00Z' },
    ];
    expect((await send('POST', `${path}/messages`, { messages })).json()).toMatchObject({ message_count: 3 });
    const { conversation_id: id } = started.json();
    expect((await send('GET', `/v1/conversations/${id}?last=2`)).json()).toMatchObject({
      metadata: { channel: 'phone' },
      recent_messages: [
        { role: 'assistant', content: 'Nice.' },
        { role: 'user', content: 'I am allergic to peanuts.', at: '2026-01-05T09:00:00.000Z', name: null },
      ],
    });
    const ended = (await send('POST', `${path}/end`)).json();
    expect(ended).toMatchObject({ state: 'ended', ingestion_ids: [expect.stringMatching(/^ing_/)] });
    await send('GET', `/v1/memories/${ended.ingestion_ids[0]}/status?wait=20`);
    const query = { search_queries: ['What must Ada not eat?'], conversation_id: 'call-1' };
    const fetched = (await send('POST', '/v1/context/fetch', query)).json();
    expect(fetched.memories[0].content).toContain('peanuts');
    expect(fetched.conversation_context).toEqual({
      summary: null,
      compaction_id: null,
      recent_messages: [
        { role: 'user', content: 'I live in Leeds.', at: expect.any(String) },
        { role: 'assistant', content: 'Nice.', at: expect.any(String) },
        { role: 'user', content: 'I am allergic to peanuts.', at: '2026-01-05T09:00:00.000Z' },
      ],
    });
    const lines = (await send('GET', '/v1/users/ada/export')).text.trim().split('\n');
    expect(lines.filter((line) => 'message_id' in JSON.parse(line))).toHaveLength(3);
  });

  test('a message keeps its metadata and session, by either door, in an export, and until it is forgotten', async () => {
    const { access, send, ask } = await newAgent();
    const path = '/v1/conversations/visit';
    const noted = { metadata: { page: 'basket' }, session_id: 'login-7' };
    await send('POST', `${path}/messages`, { role: 'user', content: 'I live in Leeds.', user_id: 'ada', ...noted });
    const sent = 'role: "user", content: "I am a nurse.", metadata: { page: "profile" }, sessionId: "login-8"';
    await ask(`mutation { addMessages(input: { conversationId: "visit", messages: [{ ${sent} }] }) { __typename } }`);
    const kept = [noted, { metadata: { page: 'profile' }, session_id: 'login-8' }];
    expect((await send('GET', path)).json()).toMatchObject({ recent_messages: kept });
    const read = await ask('{ conversation(id: "visit") { recentMessages { metadata sessionId } } }');
    expect(read.json()).toMatchObject({
      data: {
        conversation: { recentMessages: kept.map(({ metadata, session_id: sessionId }) => ({ metadata, sessionId })) },
      },
    });
    const lines = (await send('GET', '/v1/users/ada/export')).text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line)).filter((line) => line.message_id)).toMatchObject(kept);
    const rows = await world.deps.db.message.findMany({ where: { instanceNumber: access.instanceNumber } });
    expect(rows.every(({ body }) => !Buffer.from(body).toString('latin1').includes('login-'))).toBe(true);
    const wrong = await send('POST', `${path}/messages`, { role: 'user', content: 'Hello.', metadata: 'none' });
    expect(wrong).toMatchObject({ status: 400 });
    expect(wrong.json().errors).toMatchObject([{ field: 'metadata' }]);
    expect((await send('DELETE', '/v1/users/ada')).status).toBe(200);
    expect(await world.deps.db.message.count({ where: { instanceNumber: access.instanceNumber } })).toBe(0);
  });

  test.each([
    { sent: {}, fields: ['role', 'content'] },
    { sent: { role: 'user', content: ' ' }, fields: ['content'] },
    { sent: { messages: [] }, fields: ['messages'] },
    { sent: { messages: [{ role: 'user' }] }, fields: ['messages[0].content'] },
    { sent: { role: 'user', messages: [{ role: 'user', content: 'x' }] }, fields: ['role'] },
    { sent: { role: 'user', content: 'x', timestamp: '0001-01-01T00:00:00Z' }, fields: ['timestamp'] },
    { sent: { messages: Array.from({ length: 101 }, () => ({ role: 'user', content: 'x' })) }, fields: ['messages'] },
    { sent: { role: 'user', content: 'x'.repeat(100_001) }, fields: ['content'] },
    { sent: { role: 'user', content: 'x', userid: 'ada' }, fields: ['userid'] },
  ])('what is wrong with $fields is named', async ({ sent, fields }) => {
    const { send } = await newAgent();
    const answer = await send('POST', '/v1/conversations/call-1/messages', { user_id: 'ada', ...sent });
    expect([answer.status, answer.json().errors.map(({ field }: { field: string }) => field)]).toEqual([400, fields]);
    expect((await send('GET', '/v1/conversations/call-1')).status).toBe(404);
  });

  test.each([
    { method: 'GET', path: '/v1/conversations/never' },
    { method: 'GET', path: '/v1/conversations/never/compactions' },
    { method: 'GET', path: '/v1/conversations/never/compactions/1' },
    { method: 'GET', path: '/v1/conversations/never/anticipated' },
    { method: 'POST', path: '/v1/conversations/never/end' },
    { method: 'POST', path: '/v1/context/fetch', body: { conversation_id: 'never' } },
    { method: 'POST', path: '/v1/context/compact', body: { conversation_id: 'never' } },
    { method: 'POST', path: '/v1/tokens', body: { conversation_id: 'never' } },
  ])('of an unknown conversation $method $path answers context_not_found', async ({ method, path, body }) => {
    const { send } = await newAgent();
    expect((await send(method, path, body)).json()).toMatchObject({ status: 404, code: 'context_not_found' });
  });

  test('more text than a document holds is too much', async () => {
    const { send } = await newAgent();
    const messages = Array.from({ length: 11 }, () => ({ role: 'user', content: 'x'.repeat(100_000) }));
    const answer = await send('POST', '/v1/conversations/call-1/messages', { user_id: 'ada', messages });
    expect([answer.status, answer.json().code]).toEqual([413, 'payload_too_large']);
  });

  test('a repetition with the same key says nothing twice', async () => {
    const { key, contents } = await newAgent();
    const say = () =>
      fetch(`${doors.baseUrl}/v1/conversations/call-1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'k1' },
        body: JSON.stringify({ role: 'user', content: 'Once.', user_id: 'ada' }),
      }).then((answer) => answer.text());
    expect(await say()).toBe(await say());
    expect(await contents('/v1/conversations/call-1')).toEqual(['Once.']);
  });
});

test('GraphQL: the same, and memories tell of their conversation', async () => {
  const { ask } = await newAgent();
  const started = await ask(`mutation { startConversation(input: { id: "call-2", userId: "ada" }) {
    __typename ... on Conversation { id externalId state startedAt } } }`);
  expect(started.json().data.startConversation).toMatchObject({ externalId: 'call-2', state: 'OPEN' });
  const add = (rest: string) =>
    ask(`mutation { addMessages(input: { conversationId: "call-2", ${rest} }) {
      ... on MessagesAdded { messageIds conversation { messageCount } ingestions { id } }
      ... on InvalidInput { fields { field } } } }`).then((told) => told.json().data.addMessages);
  expect(await add('messages: [{ role: "user", content: "I live in Leeds." }]')).toMatchObject({
    conversation: { messageCount: 1 },
    ingestions: [],
  });
  expect(await add('messages: []')).toEqual({ fields: [{ field: 'messages' }] });
  expect(await add('userId: "bob", messages: [{ role: "user", content: "x" }]')).toEqual({
    fields: [{ field: 'userId' }],
  });
  const ended = await ask(`mutation { endConversation(id: "call-2") {
    ... on ConversationEnded { conversation { state endedAt } ingestions { status } } } }`);
  expect(ended.json().data.endConversation).toMatchObject({ conversation: { state: 'ENDED' }, ingestions: [{}] });
  await world.settle();
  const recent = 'recentMessages(last: 5) { role content }';
  const told = await ask(`{ memories(filter: { userId: "ada" }) { nodes { conversation { externalId ${recent} } } }
    none: conversation(id: "never") { id } context(query: { searchQueries: ["x"], conversationId: "call-2" }) {
      conversationContext { summary recentMessages { content } } } }`);
  const { memories, none, context } = told.json().data;
  const message = { role: 'user', content: 'I live in Leeds.' };
  expect(memories.nodes[0].conversation).toEqual({ externalId: 'call-2', recentMessages: [message] });
  expect(none).toBeNull();
  expect(context.conversationContext).toEqual({ summary: null, recentMessages: [{ content: message.content }] });
});

describe('gRPC', () => {
  const session = { userId: 'ada', conversationId: 'call-3' };

  test('with remember, what is said on the stream is kept in the conversation; without, it is not', async () => {
    using client = openClient(doors.grpcAddress);
    const { key, access, contents } = await newAgent();
    const talk = async (remember: boolean, ...words: string[]) => {
      const stream = client.anticipate({ key });
      stream.send({ sessionStart: { ...session, remember } }, ...words.map(says), end);
      expect((await stream.ended).code).toBe(status.OK);
    };
    await talk(false, 'Not to be kept.');
    await talk(true, ...Array.from({ length: 8 }, (_, n) => `Crate number ${n} went to pier ${n}.`));
    expect(await contents('/v1/conversations/call-3')).toEqual(
      Array.from({ length: 8 }, (_, n) => `Crate number ${n} went to pier ${n}.`),
    );
    await world.settle();
    const { data } = await world.app.memories(access, { type: 'episodes' }, { limit: 100 });
    expect(data).toHaveLength(8);
  });

  test('remember needs a conversation, and a conversation of others ends the call', async () => {
    using client = openClient(doors.grpcAddress);
    const { key, send } = await newAgent();
    const nowhere = client.anticipate({ key });
    nowhere.send({ sessionStart: { userId: 'ada', remember: true } });
    const refused = await nowhere.ended;
    expect([refused.code, refused.metadata.get('presage-error-field')]).toEqual([
      status.INVALID_ARGUMENT,
      ['session_start.remember'],
    ]);
    await send('POST', '/v1/conversations', { conversation_id: 'call-3', user_id: 'bob' });
    const others = client.anticipate({ key });
    others.send({ sessionStart: { ...session, remember: true } }, says('Hello.'));
    expect((await others.ended).code).toBe(status.INVALID_ARGUMENT);
  });
});
