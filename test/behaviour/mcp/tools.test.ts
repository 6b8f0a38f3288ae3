import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instructions } from '../../../src/transports/mcp/instructions.ts';
import { memoryTools } from '../../../src/transports/mcp/server.ts';
import { openDoors } from '../../support/open-doors.ts';
import { day, type Person } from '../../support/person.ts';
import { eras, openClient, transports } from './open-client.ts';

/** The official client of the Model Context Protocol, over both transports, in both eras of the protocol. */
const doors = openDoors();
const everywhere = transports.flatMap((transport) => eras.map((era) => ({ transport, era })));

describe.each(everywhere)('over $transport, protocol $era', (place) => {
  let id: string;
  let credential: string;
  let ada: Person;
  /** Of one user, whom the address fixes. */
  let server: Awaited<ReturnType<typeof openClient>>;

  beforeAll(async () => {
    const made = await doors.world.instance();
    ({ id, key: credential } = made);
    ada = await doors.world.user('ada', made);
    server = await openClient(doors, { ...place, credential, user: 'ada' });
  });
  afterAll(() => server.client.close());

  test('every tool is told with its schemas and what it does to memories', async () => {
    await using anybody = await openClient(doors, { ...place, credential });
    expect(anybody.client.getNegotiatedProtocolVersion()).toBe(place.era);
    expect(anybody.client.getInstructions()).toBe(instructions);
    const { tools: listed } = await anybody.client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(memoryTools.map(({ name }) => name));
    expect(listed.length).toBeLessThanOrEqual(12);
    for (const { inputSchema, outputSchema, annotations, description } of listed) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(Object.keys(inputSchema.properties!)).toEqual(expect.arrayContaining(['user_id', 'customer_id']));
      expect(outputSchema).toMatchObject({ type: 'object', required: expect.arrayContaining(['scope']) });
      expect(annotations).toMatchObject({ openWorldHint: false, readOnlyHint: expect.any(Boolean) });
      expect(description!.length).toBeGreaterThan(60);
    }
  });

  test('what is remembered is recalled, listed, found, fetched, and forgotten', async () => {
    const scope = { instance_id: id, user_id: 'ada', customer_id: null, levels: ['USER', 'CLIENT', 'WORLD'] };
    const remembered = await server.call('remember', { text: 'I am allergic to peanuts.' });
    const fact = { type: 'facts', content: 'I am allergic to peanuts.', provenance: 'assistant' };
    expect(remembered).toMatchObject({ status: 'completed', memories: [fact], scope });
    const { memory_id: memoryId } = remembered.memories[0];

    const recalled = await server.call('recall', { queries: ['What must Ada not eat?'] });
    expect(recalled).toMatchObject({
      memories: [{ memory_id: memoryId, ...fact, relevance: expect.any(Number) }],
      scope,
    });
    expect(recalled.memories[0].relevance).toBeGreaterThan(0);
    expect(recalled.memories[0].relevance).toBeLessThanOrEqual(1);
    expect(await server.call('list_memories', { q: 'peanuts', type: 'facts' })).toMatchObject({
      memories: [{ memory_id: memoryId, user_id: 'ada', status: 'active' }],
      next_cursor: null,
      scope,
    });
    const found = await server.call('search', { query: 'peanut allergy' });
    expect(found).toMatchObject({ results: [{ id: memoryId, title: 'I am allergic to peanuts.' }], scope });
    const fetched = await server.call('fetch', { id: found.results[0].id });
    expect(fetched).toMatchObject({
      id: memoryId,
      text: 'I am allergic to peanuts.',
      metadata: { confidence: expect.any(Number) },
    });
    expect(new URL(fetched.url).pathname).toBe(`/v1/memories/${memoryId}`);

    const corrected = await server.call('correct', { memory_id: memoryId, content: 'I am allergic to walnuts.' });
    expect(corrected).toMatchObject({ memory: { memory_id: memoryId, content: 'I am allergic to walnuts.' }, scope });
    const forgotten = await server.call('forget', { memory_id: memoryId, everything_that_says_it: true });
    const receipt = { memory_ids: expect.arrayContaining([memoryId]), requested_at: expect.any(String), pending: [] };
    expect(forgotten).toMatchObject({ ...receipt, scope });
    expect(await server.call('list_memories', { q: 'peanuts' })).toMatchObject({ memories: [] });
    expect(await server.call('list_memories', { q: 'walnuts' })).toMatchObject({ memories: [] });
    await expect(server.call('fetch', { id: memoryId })).rejects.toThrow('not_found: no such memory');
  });

  test('what others read too is not changed by a connection that is fixed to somebody', async () => {
    await using anybody = await openClient(doors, { ...place, credential });
    await using theirs = await openClient(doors, { ...place, credential, user: 'ada', customer: 'acme' });
    await using organisation = await openClient(doors, { ...place, credential, customer: 'acme' });
    await organisation.call('remember', { text: 'Invoices are paid within ten days.' });
    const [shared] = (await organisation.call('list_memories', { q: 'invoices' })).memories;
    const change = { memory_id: shared.memory_id, content: 'Invoices are paid at once.' };
    await expect(theirs.call('correct', change)).rejects.toThrow(/^forbidden: this memory is shared with others/);
    await expect(theirs.call('forget', { memory_id: shared.memory_id })).rejects.toThrow('forbidden');
    await expect(theirs.call('undo_supersede', { memory_id: shared.memory_id })).rejects.toThrow('forbidden');
    expect(await organisation.call('correct', change)).toMatchObject({ memory: { content: change.content } });
    expect(await anybody.call('forget', { memory_id: shared.memory_id })).toMatchObject({ pending: [] });
  });

  test('a new value replaces the old until that is undone', async () => {
    await ada.says('I live in York.', day(1));
    await ada.says('I live in Leeds.', day(9));
    const listed = await server.call('list_memories', { status: 'superseded', type: 'facts' });
    expect(listed.memories).toMatchObject([{ content: 'I live in York.', superseded_by: expect.any(String) }]);
    const undone = await server.call('undo_supersede', { memory_id: listed.memories[0].memory_id });
    expect(undone).toMatchObject({ memory: { status: 'active', superseded_by: null } });
  });

  test('a conversation is recorded and compacted, and whom it mentions is listed', async () => {
    const recorded = await server.call('add_messages', {
      conversation_id: 'call-1',
      messages: [
        { role: 'user', content: 'My manager is Grace Hopper. Always answer me in French.' },
        { role: 'assistant', content: 'Bien sûr.' },
      ],
    });
    expect(recorded).toMatchObject({ message_ids: [expect.stringMatching(/^msg_/), expect.any(String)] });
    const compacted = await server.call('compact_conversation', { conversation_id: 'call-1' });
    expect(compacted).toMatchObject({ version: 1, conversation_id: recorded.conversation_id });
    expect(compacted.text).toContain('Always answer me in French.');
    await ada.says('My manager is Grace Hopper.');
    const { entities } = await server.call('list_entities', { q: 'Grace Hopper' });
    expect(entities).toMatchObject([{ name: 'Grace Hopper', mentions: expect.any(Number) }]);
  });

  test('what is remembered is kept word for word, and told apart by who said it', async () => {
    const text = 'The boat of the Hawksworths is called "Sea Pie" — berth 12, since 2019.';
    await ada.says('The boat is very old, I think, and it needs new sails.', day(2));
    const { memories } = await server.call('remember', { text, said_at: '2026-01-05' });
    expect(memories).toMatchObject([{ content: text, valid_from: '2026-01-05T00:00:00.000Z' }]);
    const ofBoat = async (provenance: string[]) =>
      (await server.call('recall', { queries: ['Tell me about the boat.'], provenance })).memories;
    expect(await ofBoat(['assistant'])).toMatchObject([{ content: text }]);
    const said = await ofBoat(['user']);
    expect(said.map(({ provenance }: { provenance: string }) => provenance)).toContain('user');
    expect(said.map(({ content }: { content: string }) => content)).not.toContain(text);
    expect(await server.call('list_memories', { q: 'berth', provenance: 'user' })).toMatchObject({ memories: [] });
    const listed = await server.call('list_memories', { q: 'berth', provenance: 'assistant' });
    expect(listed).toMatchObject({ memories: [{ content: text }] });
    await expect(server.call('remember', { text, provenance: 'user' })).rejects.toThrow(/provenance: is not a known/);
    await expect(server.call('recall', { queries: ['tea'], provenance: ['me'] })).rejects.toThrow(/provenance/);
  });

  test('an instruction that is remembered stands as one that was said', async () => {
    const { memories } = await server.call('remember', { text: 'Always answer me in Welsh.' });
    expect(memories).toMatchObject([{ type: 'preferences', category: 'instruction' }]);
  });

  test('an address that names a customer alone serves all its users, and nobody of another customer', async () => {
    await using desk = await openClient(doors, { ...place, credential, customer: 'acme' });
    const { tools: listed } = await desk.client.listTools();
    for (const { inputSchema } of listed) {
      expect(inputSchema.properties).toHaveProperty('user_id');
      expect(inputSchema.properties).not.toHaveProperty('customer_id');
    }
    const { scope } = await desk.call('remember', { text: 'Bo prefers tea.', user_id: 'bo' });
    expect(scope).toMatchObject({ user_id: 'bo', customer_id: 'acme' });
    await using globex = await openClient(doors, { ...place, credential, user: 'bo', customer: 'globex' });
    expect(await globex.call('recall', { queries: ['What does Bo prefer?'] })).toMatchObject({ memories: [] });
  });

  test('what is wrong with a call is told by its field, and nothing of another user is reached', async () => {
    await expect(server.call('recall', {})).rejects.toThrow(/^invalid_input: queries: is required/);
    await expect(server.call('recall', { queries: ['tea'], user_id: 'bob' })).rejects.toThrow(
      /user_id: is not a known/,
    );
    await expect(server.call('recall', { queries: ['tea'], customer_id: 'globex' })).rejects.toThrow(
      /customer_id: is not a known/,
    );
    await expect(server.call('list_memories', { limit: 0 })).rejects.toThrow(/limit:/);
    await expect(server.call('fetch', { id: 'mem_nothing' })).rejects.toThrow('not_found');
    await expect(server.call('compact_conversation', { conversation_id: 'no' })).rejects.toThrow('context_not_found');
    await expect(server.call('no_such_tool', {})).rejects.toThrow(/no_such_tool/);
  });
});

/** What is wrong with each call is its field, or what it names. */
const wrong = {
  remember: { given: { text: '' }, says: /text: must not be/ },
  recall: { given: { queries: [] }, says: /queries/ },
  list_memories: { given: { type: 'feelings' }, says: /type/ },
  list_entities: { given: { limit: 0 }, says: /limit/ },
  correct: { given: { memory_id: 'mem_nothing', content: 'tea' }, says: /not_found/ },
  undo_supersede: { given: { memory_id: 'mem_nothing' }, says: /not_found/ },
  forget: { given: { memory_id: 'mem_nothing' }, says: /not_found/ },
  add_messages: { given: { conversation_id: 'call-1', messages: [] }, says: /messages/ },
  compact_conversation: { given: { conversation_id: 'call-1', strategy: 'magic' }, says: /strategy/ },
  search: { given: { query: '' }, says: /query/ },
  fetch: { given: { id: '' }, says: /id|not_found/ },
};

describe.each(everywhere)('over $transport, protocol $era', (place) => {
  test('every tool refuses what is wrong, and says what', async () => {
    const { key: credential } = await doors.world.instance();
    await using server = await openClient(doors, { ...place, credential, user: 'ada' });
    expect(Object.keys(wrong).toSorted()).toEqual(memoryTools.map(({ name }) => name).toSorted());
    for (const [name, { given, says }] of Object.entries(wrong))
      await expect(server.call(name, given)).rejects.toThrow(says);
  });

  test('more words than one call may bring are refused by their field', async () => {
    const { key: credential } = await doors.world.instance();
    await using server = await openClient(doors, { ...place, credential, user: 'ada' });
    const messages = Array.from({ length: 11 }, () => ({ role: 'user', content: 'x'.repeat(100_000) }));
    await expect(server.call('add_messages', { conversation_id: 'call-1', messages })).rejects.toThrow(
      'payload_too_large: messages: must be 1 MiB of text or less',
    );
  });

  test('a key that is not known opens nothing', async () => {
    await expect(openClient(doors, { ...place, credential: 'presage_nobody' })).rejects.toThrow(
      /valid API key|HTTP 401|did not offer/, // the last: what the client makes of a refusal over pipes
    );
  });
});

test('a refused key is not sent to look for a login', async () => {
  const { headers, status } = await fetch(`${doors.baseUrl}/mcp`, { method: 'POST', body: '{}' });
  expect({ status, challenge: headers.get('www-authenticate') }).toEqual({
    status: 401,
    challenge: 'Bearer realm="presage"', // and no `resource_metadata`, which would begin an OAuth discovery
  });
  for (const path of ['oauth-protected-resource', 'oauth-authorization-server'])
    expect((await fetch(`${doors.baseUrl}/.well-known/${path}`)).status).toBe(404);
});

test('no stream of changes is opened, which would outlive the key', { timeout: 5_000 }, async () => {
  const { key } = await doors.world.instance();
  const about = (name: string) => `io.modelcontextprotocol/${name}`;
  const _meta = {
    [about('protocolVersion')]: '2026-07-28',
    [about('clientCapabilities')]: {},
    [about('clientInfo')]: { name: 'test', version: '1.0.0' },
  };
  const ask = async (method: string, params: object) => {
    const answer = await fetch(`${doors.baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    });
    return answer.text();
  };
  expect(await ask('server/discover', {})).toContain('"tools":{"listChanged":false}');
  expect(await ask('subscriptions/listen', { notifications: { toolsListChanged: true } })).toContain('"error"');
});

test('the instructions fit what clients show of them', () => {
  expect(instructions.length).toBeLessThan(2_048);
});
