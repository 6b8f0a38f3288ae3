import { expect, test } from 'vitest';
import { later, old } from '../../support/doubtful-update.ts';
import { openGraphql } from './open-graphql.ts';

const graphql = openGraphql();

const submit = `mutation ($input: SubmitDocumentInput!) {
  submitDocument(input: $input) {
    __typename
    ... on Ingestion { id status mode }
    ... on Problem { message }
    ... on InvalidInput { fields { field message } }
    ... on DuplicateDocument { ingestion { id } }
  }
}`;
const note = { document: { text: 'I live in Leeds.' }, documentType: 'NOTE', userId: 'ada' };

test('a document that was submitted before is an outcome that names the first', async () => {
  const ada = await graphql.agent();
  const input = { ...note, documentId: 'n-1' };
  const first = await ada.ask<{ submitDocument: { id: string } }>(submit, { input });
  expect(first.data).toMatchObject({
    submitDocument: { __typename: 'Ingestion', status: 'QUEUED', mode: 'LONG_RANGE' },
  });
  const { data, errors } = await ada.ask(submit, { input });
  expect(errors).toEqual([]);
  const { id } = first.data.submitDocument;
  expect(data).toMatchObject({ submitDocument: { __typename: 'DuplicateDocument', ingestion: { id } } });
});

test.each([
  { field: 'document.text', input: { ...note, document: { text: ' \n' } } },
  { field: 'document.turns', input: { ...note, document: { turns: [] } } },
  {
    field: 'document.turns[1].content',
    input: { ...note, document: { turns: ['a', ''].map((content) => ({ role: 'user', content })) } },
  },
  { field: 'document', input: { ...note, document: { text: 'ä'.repeat(600_000) } } },
  { field: 'userId', input: { ...note, userId: null } },
  { field: 'userId', input: { ...note, userId: 'a\u0000b' } },
  { field: 'documentId', input: { ...note, documentId: 'x'.repeat(257) } },
  { field: 'metadata', input: { ...note, metadata: ['a list'] } },
  { field: 'metadata', input: { ...note, metadata: { large: 'x'.repeat(17_000) } } },
])('$field is named when it is wrong', async ({ field, input }) => {
  const { data, errors } = await (await graphql.agent()).ask(submit, { input });
  expect(errors).toEqual([]);
  expect(data).toMatchObject({ submitDocument: { __typename: 'InvalidInput', fields: [{ field }] } });
});

test('what is wrong is told in the words of REST', async () => {
  const ada = await graphql.agent();
  const { errors } = await ada.ask('{ context(query: { userId: "ada", minRelevance: 2 }) { totalTokens } }');
  expect(errors).toMatchObject([{ message: 'minRelevance: must be 1 or less' }]);
});

test('a document for everybody that is too long is an outcome too', async () => {
  const { instanceId } = await graphql.agent();
  const query = `mutation ($documents: [SubmitDocumentInput!]!) {
    importWorldKnowledge(instanceId: "${instanceId}", documents: $documents) { __typename } }`;
  const documents = [{ document: { text: 'ä'.repeat(600_000) }, documentType: 'NOTE' }];
  const { data } = await (await graphql.administrator()).ask(query, { documents });
  expect(data).toEqual({ importWorldKnowledge: { __typename: 'InvalidInput' } });
});

const forget = `mutation ($id: ID!, $cascade: Boolean! = false, $userId: String) {
  forget(memoryId: $id, cascade: $cascade, userId: $userId) {
    __typename
    ... on DeletionReceipt { id memoryIds removed { rows vectors } remaining { rows vectors terms graphLinks } pending }
    ... on Problem { message }
  }
}`;

test('forgetting gives a receipt, and the second time finds nothing', async () => {
  const ada = await graphql.agent();
  await ada.remembers('I live in Leeds.');
  const found = await ada.ask<{ memories: { nodes: { id: string }[] } }>('{ memories { nodes { id } } }');
  const { id } = found.data.memories.nodes[0]!;
  expect((await ada.ask(forget, { id, userId: 'bob' })).data).toMatchObject({ forget: { __typename: 'NotFound' } });
  const { data } = await ada.ask<{ forget: { id: string } }>(forget, { id });
  expect(data).toMatchObject({
    forget: {
      __typename: 'DeletionReceipt',
      memoryIds: [id],
      remaining: { rows: 0, vectors: 0, terms: 0, graphLinks: 0 },
      pending: [],
    },
  });
  const again = await ada.ask('query ($id: ID!) { receipt(id: $id) { memoryIds } }', { id: data.forget.id });
  expect(again.data).toEqual({ receipt: { memoryIds: [id] } });
  expect((await ada.ask(forget, { id })).data).toEqual({
    forget: { __typename: 'NotFound', message: 'no such memory' },
  });
});

test('superseding is taken back once, and there is nothing to take back then', async () => {
  const ada = await graphql.agent();
  await ada.remembers('I live in Leeds.', { documentCreatedAt: '2026-01-05T09:00:00Z' });
  await ada.remembers('I moved to York.', { documentCreatedAt: '2026-02-05T09:00:00Z' });
  const superseded = await ada.ask<{ memories: { nodes: { id: string; supersededReason: string }[] } }>(
    '{ memories(filter: { status: SUPERSEDED, type: FACTS }) { nodes { id supersededReason } } }',
  );
  const [{ id, supersededReason }] = superseded.data.memories.nodes as [{ id: string; supersededReason: string }];
  expect(supersededReason).toContain('replaces or ends');
  const undo = `mutation ($id: ID!, $userId: String) { undoSupersede(memoryId: $id, userId: $userId) {
    __typename ... on Memory { id status validUntil supersededBy { id } } ... on Problem { message } } }`;
  expect((await ada.ask(undo, { id, userId: 'bob' })).data).toMatchObject({
    undoSupersede: { __typename: 'NotFound' },
  });
  expect((await ada.ask(undo, { id })).data).toEqual({
    undoSupersede: { __typename: 'Memory', id, status: 'ACTIVE', validUntil: null, supersededBy: null },
  });
  expect((await ada.ask(undo, { id })).data).toEqual({
    undoSupersede: { __typename: 'Conflict', message: 'no other memory replaced this one' },
  });
});

test('what is possibly outdated is listed, rejected once, and superseded where that is confirmed', async () => {
  const ada = await graphql.agent();
  await ada.remembers(old, { documentCreatedAt: '2026-01-05T09:00:00Z' });
  await ada.remembers(later, { documentCreatedAt: '2026-02-05T09:00:00Z' });
  const list = '{ memories(filter: { possiblyOutdated: true }) { nodes { id possiblyOutdatedBy { id content } } } }';
  const listed = await ada.ask<{ memories: { nodes: { id: string; possiblyOutdatedBy: { id: string } }[] } }>(list);
  const [{ id, possiblyOutdatedBy }] = listed.data.memories.nodes as [
    { id: string; possiblyOutdatedBy: { id: string } },
  ];
  expect(possiblyOutdatedBy).toMatchObject({ content: later });
  const decide = (name: string) => `mutation ($id: ID!, $userId: String) { ${name}(memoryId: $id, userId: $userId) {
    __typename ... on Memory { status supersededBy { id } possiblyOutdatedBy { id } } ... on Problem { message } } }`;
  expect((await ada.ask(decide('confirmOutdated'), { id, userId: 'bob' })).data).toMatchObject({
    confirmOutdated: { __typename: 'NotFound' },
  });
  expect((await ada.ask(decide('confirmOutdated'), { id })).data).toEqual({
    confirmOutdated: {
      __typename: 'Memory',
      status: 'SUPERSEDED',
      supersededBy: { id: possiblyOutdatedBy.id },
      possiblyOutdatedBy: null,
    },
  });
  expect((await ada.ask(decide('rejectOutdated'), { id })).data).toEqual({
    rejectOutdated: { __typename: 'Conflict', message: 'this memory is not possibly outdated' },
  });
});

test('what is not there, or another’s, is null alike', async () => {
  const [ada, stranger] = [await graphql.agent(), await graphql.agent()];
  await ada.remembers('I live in Leeds.');
  const { data } = await ada.ask<{ memories: { nodes: { id: string; entities: { id: string }[] }[] } }>(
    '{ memories { nodes { id entities { id } } } }',
  );
  const [memory] = data.memories.nodes;
  const query = `query ($m: ID!, $e: ID!) {
    memory(id: $m) { id } entity(id: $e) { id } ingestion(id: "ing_nothing") { id } receipt(id: "x") { id }
  }`;
  const answer = await stranger.ask(query, { m: memory!.id, e: memory!.entities[0]!.id });
  expect(answer.errors).toEqual([]);
  expect(answer.data).toEqual({ memory: null, entity: null, ingestion: null, receipt: null });
});

test('an administrator makes an instance and a key for it, and ends the key', async () => {
  const admin = await graphql.administrator();
  const made = await admin.ask<{ createInstance: { id: string } }>(
    `mutation { createInstance(input: { name: "Acme" }) {
      __typename ... on Instance { id name configurations { nodes { version } } } } }`,
  );
  const instanceId = made.data.createInstance.id;
  expect(made.data).toMatchObject({ createInstance: { name: 'Acme', configurations: { nodes: [{ version: 1 }] } } });
  const key = await admin.ask<{ createKey: { secret: string; key: { id: string } } }>(
    `mutation ($instanceId: ID!) { createKey(input: { instanceId: $instanceId, label: "chat" }) {
      ... on KeyCreated { secret key { id label last4 } } } }`,
    { instanceId },
  );
  const { secret } = key.data.createKey;
  expect(key.data.createKey.key).toMatchObject({ label: 'chat', last4: secret.slice(-4) });
  const agent = graphql.clientWith(secret, instanceId);
  expect((await agent.ask('{ instance { id } }')).data).toEqual({ instance: { id: instanceId } });

  const revoke = `mutation ($id: ID!, $instanceId: ID!) { revokeKey(id: $id, instanceId: $instanceId) {
    __typename ... on Key { revokedAt } ... on Problem { message } } }`;
  const { id } = key.data.createKey.key;
  expect((await admin.ask(revoke, { id, instanceId })).data).toMatchObject({ revokeKey: { __typename: 'Key' } });
  expect((await agent.ask('{ instance { id } }')).status).toBe(401);
  expect((await admin.ask(revoke, { id: 'key_no', instanceId })).data).toMatchObject({
    revokeKey: { __typename: 'NotFound' },
  });
});
