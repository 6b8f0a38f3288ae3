import { expect, test } from 'vitest';
import { openGraphql } from './open-graphql.ts';

const graphql = openGraphql();

const submit = `mutation ($input: SubmitDocumentInput!, $wait: Int!) {
  submitDocument(input: $input, wait: $wait) {
    __typename
    ... on Ingestion { status memories { content } }
    ... on InvalidInput { fields { field } }
  }
}`;
const context = `query ($query: ContextInput!) { context(query: $query) { prompt memories { memory { id } } } }`;
const note = (text: string) => ({ document: { text }, documentType: 'NOTE', userId: 'ada' });

test('a document whose sender waits is answered with its memories', async () => {
  const agent = await graphql.agent();
  const { data } = await agent.ask(submit, { input: note('I live in Leeds.'), wait: 30 });
  expect(data).toMatchObject({ submitDocument: { status: 'COMPLETED' } });
  expect(JSON.stringify(data)).toContain('I live in Leeds.');
});

test.each([-1, 31])('a wait of %i seconds is refused by name', async (wait) => {
  const agent = await graphql.agent();
  const { data } = await agent.ask(submit, { input: note('I live in Leeds.'), wait });
  expect(data).toMatchObject({ submitDocument: { __typename: 'InvalidInput', fields: [{ field: 'wait' }] } });
});

test('a context has a prompt in the format for it, and none otherwise', async () => {
  const agent = await graphql.agent();
  await agent.ask(submit, { input: note('Always answer in metric units. I live in Leeds.'), wait: 30 });
  const query = { searchQueries: ['Where do I live?'], userId: 'ada' };
  const prompted = await agent.ask<{ context: { prompt: string } }>(context, { query: { ...query, format: 'PROMPT' } });
  expect(prompted.data.context.prompt).toMatch(/<standing>[^]*metric[^]*<relevant>[^]*Leeds/);
  const plain = await agent.ask<{ context: { prompt: null } }>(context, { query });
  expect(plain.data.context.prompt).toBeNull();
});
