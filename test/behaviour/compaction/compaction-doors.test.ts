import { expect, test } from 'vitest';
import { openDoors } from '../../support/open-doors.ts';
import { chatter, talkIn, type Talk } from './talk.ts';

const doors = openDoors();
const { world } = doors;

const order = 'Always answer me in metric units.';

async function talk(): Promise<Talk> {
  const ada = await talkIn(world);
  await ada.says(...chatter(3), order, ...chatter(12));
  return ada;
}

const compact = ({ key }: Talk, body: object) => doors.send(key, 'POST', '/v1/context/compact', body);

test('REST: a compaction in both formats, its versions, and what it left out', async () => {
  const ada = await talk();
  const told = await compact(ada, { conversation_id: 'harbour', strategy: 'balanced' });
  expect(told.status).toBe(200);
  const first = told.json();
  expect(first).toMatchObject({
    compaction_id: expect.stringMatching(/^cmp_/),
    version: 1,
    strategy: 'balanced',
    system_prompt: expect.stringContaining(order),
    validation_score: 1,
    quality_warning: null,
    extends_previous: false,
  });
  expect(first.narrative).toBeUndefined();
  expect(first.compression_ratio).toBeCloseTo(first.compacted_tokens / first.original_tokens, 3);
  const full = (await compact(ada, { conversation_id: 'harbour', strategy: 'balanced', output_format: 'full' })).json();
  expect(full.compaction_id).toBe(first.compaction_id);
  expect(full.system_prompt).toBeUndefined();
  expect(full.extractions.pins).toContainEqual(
    expect.objectContaining({ kind: 'instruction', text: order, turns: [6] }),
  );

  await ada.says(...chatter(3, 'mill'));
  expect((await compact(ada, { conversation_id: 'harbour', strategy: 'balanced' })).json().version).toBe(2);
  const list = (await doors.send(ada.key, 'GET', '/v1/conversations/harbour/compactions?limit=1')).json();
  expect(list.data.map(({ version }: { version: number }) => version)).toEqual([2]);
  const next = `/v1/conversations/harbour/compactions?limit=1&cursor=${list.next_cursor}`;
  expect((await doors.send(ada.key, 'GET', next)).json()).toMatchObject({ data: [{ version: 1 }], next_cursor: null });
  const read = await doors.send(ada.key, 'GET', '/v1/conversations/harbour/compactions/1?output_format=system_prompt');
  expect(read.json().system_prompt).toBe(first.system_prompt);
  expect((await doors.send(ada.key, 'GET', '/v1/conversations/harbour/compactions/9')).status).toBe(404);

  const turns = (await doors.send(ada.key, 'GET', '/v1/conversations/harbour?turns=0,5-6')).json().turns;
  expect(turns.map(({ turn }: { turn: number }) => turn)).toEqual([0, 5, 6]);
  expect(turns[2]).toMatchObject({ role: 'user', content: order });
});

test('GraphQL: a compaction, its versions, and what it left out', async () => {
  const ada = await talk();
  const compacted = await doors.ask(
    ada.key,
    `mutation { compactConversation(input: { conversationId: "harbour", strategy: BALANCED }) {
      __typename ... on Compaction { id version strategy systemPrompt pins { kind text turns } validationScore } } }`,
  );
  const { compactConversation: first } = compacted.json().data;
  expect(first).toMatchObject({ __typename: 'Compaction', version: 1, strategy: 'BALANCED', validationScore: 1 });
  expect(first.pins).toContainEqual({ kind: 'INSTRUCTION', text: order, turns: [6] });
  const read = await doors.ask(
    ada.key,
    `{ compaction(conversationId: "harbour", version: 1) { id systemPrompt narrative compressionRatio }
       none: compaction(conversationId: "harbour", version: 7) { id }
       compactions(conversationId: "harbour") { nodes { id } pageInfo { hasNextPage } }
       conversationTurns(conversationId: "harbour", from: 6, to: 6) { number message { content } }
       context(query: { searchQueries: ["boats"], conversationId: "harbour" }) { conversationContext { summary compactionId } } }`,
  );
  expect(read.json().data).toMatchObject({
    compaction: { id: first.id, systemPrompt: first.systemPrompt },
    none: null,
    compactions: { nodes: [{ id: first.id }], pageInfo: { hasNextPage: false } },
    conversationTurns: [{ number: 6, message: { content: order } }],
    context: { conversationContext: { summary: first.systemPrompt, compactionId: first.id } },
  });
});

test('a fetch tells the newest compaction, also where its context was prefetched', async () => {
  const ada = await talk();
  const question = 'Which boats are there?';
  const ask = async () => {
    const body = { conversation_id: 'harbour', search_queries: [question] };
    return (await doors.send(ada.key, 'POST', '/v1/context/fetch', body)).json();
  };
  expect((await ask()).conversation_context).toMatchObject({ summary: null, compaction_id: null });
  await ada.says(question);
  await world.deps.prefetcher.settled();
  const first = (await compact(ada, { conversation_id: 'harbour' })).json();
  expect((await ask()).conversation_context).toMatchObject({
    summary: first.system_prompt,
    compaction_id: first.compaction_id,
  });
  await ada.says(...chatter(2, 'mill'), question);
  await world.deps.prefetcher.settled();
  const ready = await ask();
  expect(ready).toMatchObject({ conversation_context: { compaction_id: first.compaction_id } });
});

test('a summary that holds what was replaced since is not told', async () => {
  const ada = await talkIn(world);
  await ada.says('I live in Leeds.', ...chatter(6));
  await ada.remembered();
  await ada.compacts();
  const summary = async () =>
    (await world.app.fetchContext(ada.access, { searchQueries: ['home'], conversationId: 'harbour', explain: false }))
      .summary;
  expect(await summary()).not.toBeNull();
  await ada.says('I moved to York.', ...chatter(4));
  await ada.remembered();
  expect(await summary()).toBeNull();
  await ada.compacts();
  expect((await summary())?.text).toContain('I moved to York.');
});

test('a summary that lost its memory without a word of it is told again once it is compacted', async () => {
  const ada = await talkIn(world);
  await ada.says('I guess I live in Leeds now.', order, ...chatter(6));
  await ada.remembered();
  const how = { strategy: 'aggressive', targetTokens: 15 } as const; // which keeps what is surer than that
  expect((await ada.compacts(how)).systemPrompt).not.toContain('Leeds');
  const elsewhere = await talkIn(world, { of: ada, conversationId: 'mill' });
  await elsewhere.says('I moved to York.');
  await elsewhere.remembered();
  const summary = async () =>
    (await world.app.fetchContext(ada.access, { searchQueries: ['home'], conversationId: 'harbour', explain: false }))
      .summary;
  expect(await summary()).toBeNull();
  const { systemPrompt } = await ada.compacts(how);
  expect((await summary())?.text).toBe(systemPrompt);
});

test('in the background it is made by a worker, as it was asked for', async () => {
  const ada = await talk();
  const asked = await compact(ada, { conversation_id: 'harbour', strategy: 'conservative', wait: false });
  expect(asked.status).toBe(202);
  expect(asked.json()).toMatchObject({ status: 'queued' });
  await world.settle();
  expect(await world.app.compactions.version(ada.access, { conversationId: 'harbour' })).toMatchObject({
    version: 1,
    strategy: 'conservative',
  });
});

test.each([
  { body: {}, field: 'conversation_id' },
  { body: { conversation_id: 'harbour', strategy: 'tiny' }, field: 'strategy' },
  { body: { conversation_id: 'harbour', target_tokens: 0 }, field: 'target_tokens' },
  { body: { conversation_id: 'harbour', output_format: 'html' }, field: 'output_format' },
  { body: { conversation_id: 'harbour', wait: 'no' }, field: 'wait' },
])('a wrong request names the field: $field', async ({ body, field }) => {
  const { status, text } = await compact(await talk(), body);
  expect([status, JSON.parse(text).errors[0].field]).toEqual([400, field]);
});

test('a wrong range of turns is refused', async () => {
  const ada = await talk();
  for (const turns of ['x', '5-3', '1,,2', '']) {
    const { status, text } = await doors.send(ada.key, 'GET', `/v1/conversations/harbour?turns=${turns}`);
    expect([turns, status, JSON.parse(text).errors?.[0]?.field]).toEqual([turns, 400, 'turns']);
  }
});

test('without messages, and for who may not read it, a conversation is unknown', async () => {
  const [ada, stranger] = [await talk(), await talkIn(world)];
  await world.app.startConversation(ada.access, { conversationId: 'silent', userId: 'ada' });
  for (const [who, body] of [
    [ada, { conversation_id: 'silent' }],
    [ada, { conversation_id: 'never-seen' }],
    [ada, { conversation_id: 'harbour', user_id: 'bob' }],
    [stranger, { conversation_id: 'harbour' }],
  ] as const) {
    const { status, text } = await compact(who, body);
    expect([body, status, JSON.parse(text).code]).toEqual([body, 404, 'context_not_found']);
    expect(JSON.parse(text).detail).toMatch(/Add messages or a transcript to it/);
  }
  await ada.compacts();
  for (const path of ['compactions', 'compactions/1', 'compactions/1?user_id=bob', 'compactions?user_id=bob']) {
    const who = path.includes('bob') ? ada : stranger;
    expect([path, (await doors.send(who.key, 'GET', `/v1/conversations/harbour/${path}`)).status]).toEqual([path, 404]);
  }
  const asked = await doors.ask(
    stranger.key,
    'mutation { compactConversation(input: { conversationId: "harbour" }) { __typename } }',
  );
  expect(asked.json().data).toEqual({ compactConversation: { __typename: 'NotFound' } });
});

test('a browser compacts nothing', async () => {
  const ada = await talk();
  const { token } = await world.app.createBrowserToken(ada.access, { conversationId: 'harbour', ttlSeconds: 60 });
  expect((await doors.send(token, 'POST', '/v1/context/compact', { conversation_id: 'harbour' })).status).toBe(403);
  const asked = await doors.ask(
    token,
    'mutation { compactConversation(input: { conversationId: "harbour" }) { __typename } }',
  );
  expect(asked.json().errors[0].extensions.code).toBe('forbidden');
});
