import { buildSchema, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { newUuid } from '../../src/domain/ids.ts';
import { typeDefs } from '../../src/transports/graphql/schema.ts';
import type { OpenApiDocument } from '../../src/transports/rest/openapi-types.ts';
import { openDoors } from '../support/open-doors.ts';

const doors = openDoors();

describe.each([
  { case: 'an id of the caller’s own', given: 'call-981', id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/) },
  { case: 'a UUID', given: newUuid(), id: undefined },
])('a conversation with $case', ({ given, id = given }) => {
  const externalId = id === given ? null : given;

  test('is called the same in every answer of REST, and in an export', async () => {
    const { key } = await doors.world.instance();
    const send = async (method: string, path: string, body?: unknown) => {
      const answer = await doors.send(key, method, `/v1${path}`, body);
      expect(answer.status).toBeLessThan(300);
      return answer;
    };
    const said = { role: 'user', content: 'I live in Leeds.' };
    const at = `/conversations/${given}`;
    const answers = [
      await send('POST', '/conversations', { conversation_id: given, user_id: 'ada' }),
      await send('POST', `${at}/messages`, said),
      await send('POST', '/tokens', { conversation_id: given }),
      await send('GET', at),
      await send('POST', `${at}/end`),
    ].map((answer) => answer.json());
    const exported = (await send('GET', '/users/ada/export')).text.trim().split('\n');
    const message = exported
      .map((line) => JSON.parse(line))
      .find(({ content, role }) => role && content === said.content);
    for (const { conversation_id: told, external_id: own } of [...answers, message]) {
      expect({ told, own }).toEqual({ told: id, own: externalId });
    }
  });

  test('is called the same in every answer of GraphQL', async () => {
    const { key } = await doors.world.instance();
    const ask = async (query: string) => (await doors.ask(key, query)).json().data;
    const names = 'id externalId';
    const { startConversation } = await ask(
      `mutation { startConversation(input: { id: "${given}", userId: "ada" }) { ... on Conversation { ${names} } } }`,
    );
    const { addMessages, endConversation } = await ask(`mutation {
      addMessages(input: { conversationId: "${given}", messages: [{ role: "user", content: "I live in Leeds." }] }) {
        ... on MessagesAdded { conversation { ${names} } } }
      endConversation(id: "${given}") { ... on ConversationEnded { conversation { ${names} } } } }`);
    const { createBrowserToken } = await ask(`mutation {
      createBrowserToken(input: { conversationId: "${given}" }) {
        ... on BrowserTokenCreated { id: conversationId externalId } } }`);
    await doors.world.settle();
    const { conversation, instance, memories } = await ask(`{
      conversation(id: "${given}") { ${names} }
      instance { conversations { nodes { ${names} } } documents { nodes { conversation { ${names} } } } }
      memories { nodes { conversation { ${names} } } } }`);
    const told = [
      startConversation,
      addMessages.conversation,
      endConversation.conversation,
      createBrowserToken,
      conversation,
      ...instance.conversations.nodes,
      ...[...instance.documents.nodes, ...memories.nodes].map((each: { conversation: unknown }) => each.conversation),
    ];
    expect(told.length).toBeGreaterThanOrEqual(8);
    for (const each of told) expect(each).toEqual({ id, externalId });
  });
});

/** A compaction names its conversation by the UUID alone, and so do the turns in which something was said. */
const byUuidAlone = new Set(['Compaction', 'CompactionQueued', 'QueuedCompaction', 'ConversationTurns']);

test('whatever names a conversation in an answer has a place for the caller’s own id', async () => {
  const document: OpenApiDocument = (await doors.send('', 'GET', '/v1/openapi.json')).json();
  const direct = new Set(
    Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
      .map(({ schema }) => schema.$ref?.split('/').at(-1)),
  );
  const { schemas } = document.components;
  const within = [...direct].flatMap((name) =>
    [...JSON.stringify(schemas[name ?? ''] ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, inner]) => inner,
    ),
  );
  const requests = new Set([...direct, ...within]);
  const answers = Object.entries(schemas)
    .filter(([name]) => !requests.has(name) && !byUuidAlone.has(name))
    .flatMap(([name, { properties, anyOf = [] }]) =>
      [properties, ...anyOf.map((each) => each.properties)].map((each = {}) => ({ name, members: Object.keys(each) })),
    )
    .filter(({ members }) => members.includes('conversation_id'));
  expect(answers.length).toBeGreaterThanOrEqual(5);
  expect(answers.filter(({ members }) => !members.includes('external_id'))).toEqual([]);
  const types = Object.values(buildSchema(typeDefs).getTypeMap()).filter((type) => isObjectType(type));
  const named = types.filter((type) => 'conversationId' in type.getFields());
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((type) => !('externalId' in type.getFields()) && !byUuidAlone.has(type.name))).toEqual([]);
});
