import { beforeAll, expect, test } from 'vitest';
import { openDoors } from '../support/open-doors.ts';

const doors = openDoors();
let key: string;

beforeAll(async () => {
  ({ key } = await doors.world.instance());
  const said = { document: 'I live in Leeds.', document_type: 'note', user_id: 'ada', conversation_id: 'kitchen' };
  await doors.send(key, 'POST', '/v1/memories', said);
  await doors.world.settle();
});

const nobody = [expect.stringMatching(/^nobody is named/)];
const unknown = [expect.stringMatching(/^user_id: this user was never seen/)];

test.each([
  { case: 'for nobody', named: {}, warnings: nobody },
  { case: 'for a user never seen', named: { user_id: 'adaa' }, warnings: unknown },
  { case: 'for a user never seen of a customer', named: { user_id: 'adaa', customer_id: 'acme' }, warnings: unknown },
  { case: 'for a known user', named: { user_id: 'ada' }, warnings: [] },
  { case: 'for the user of a conversation', named: { conversation_id: 'kitchen' }, warnings: [] },
  { case: 'for a customer', named: { customer_id: 'acme' }, warnings: [] },
])('a fetch $case is warned of what looks like a slip, over REST and GraphQL', async ({ named, warnings }) => {
  const body = { search_queries: ['Where do I live?'], ...named };
  for (const _ of ['read', 'known']) {
    expect((await doors.send(key, 'POST', '/v1/context/fetch', body)).json()).toMatchObject({ warnings });
  }
  const query = 'query ($query: ContextInput!) { context(query: $query) { warnings } }';
  const { user_id: userId, customer_id: customerId, conversation_id: conversationId } = named as Record<string, string>;
  const variables = { query: { searchQueries: body.search_queries, userId, customerId, conversationId } };
  expect((await doors.ask(key, query, variables)).json().data.context).toEqual({ warnings });
});
