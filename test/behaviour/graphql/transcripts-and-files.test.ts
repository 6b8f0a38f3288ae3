import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { docxOf, paragraph, pdfWithLines } from '../../support/files.ts';
import { openGraphql, type Client } from './open-graphql.ts';

const graphql = openGraphql();
/** The first file of a run starts the threads that read files. */
const withinMs = 60_000;

const turns = [
  { role: 'user', content: 'My name is Ada Byron. I live in Leeds.' },
  { role: 'assistant', content: 'How do you like it?' },
  {
    role: 'user',
    content: 'Always answer me in Portuguese. I prefer trains to planes. I bought a red kayak last week.',
  },
];
const sha256 = createHash('sha256')
  .update(JSON.stringify(turns.map(({ role, content }) => [role, content])))
  .digest('hex');

const transcript = `mutation ($input: RecordTranscriptInput!) {
  recordTranscript(input: $input) {
    __typename
    ... on TranscriptRecorded {
      turnsRecorded sha256 ingestions { status }
      conversation { state messageCount metadata recentMessages(last: 5) { content } }
    }
    ... on InvalidInput { fields { field } }
    ... on Problem { message }
  }
}`;
async function tells(client: Client, more: object = {}) {
  const input = { conversationId: 'call-1', userId: 'ada', turns, ...more };
  const { data } = await client.ask<{ recordTranscript: object }>(transcript, { input });
  await graphql.world.settle();
  return data.recordTranscript;
}

test('a conversation is told as a whole, once, and another one of it is a conflict', async () => {
  const client = await graphql.agent();
  const told = await tells(client, { sha256, metadata: { channel: 'phone' } });
  expect(told).toMatchObject({
    __typename: 'TranscriptRecorded',
    turnsRecorded: 3,
    sha256,
    ingestions: [{}],
    conversation: { state: 'ENDED', messageCount: 3, metadata: { channel: 'phone' } },
  });
  expect(await tells(client, { sha256 })).toMatchObject({ turnsRecorded: 0, ingestions: [] });
  const other = [turns[0], { role: 'assistant', content: 'Hm.' }];
  const refused = { turns: other, metadata: { channel: 'mail' } };
  expect(await tells(client, refused)).toMatchObject({
    __typename: 'Conflict',
    message: expect.stringContaining('turns[1]'),
  });
  expect(await tells(client)).toMatchObject({ conversation: { metadata: { channel: 'phone' } } });
});

test('a transcript that did not arrive as it was sent leaves nothing', async () => {
  const client = await graphql.agent();
  const wrong = { turns: turns.slice(1), sha256, metadata: { channel: 'phone' } };
  expect(await tells(client, wrong)).toMatchObject({ __typename: 'InvalidInput', fields: [{ field: 'sha256' }] });
  expect(await tells(client, { metadata: 'phone' })).toMatchObject({ fields: [{ field: 'metadata' }] });
  const { data } = await client.ask('{ conversation(id: "call-1") { id } }');
  expect(data).toEqual({ conversation: null });
});

test('a profile tells who a user is, what they want and like, and what was learnt last', async () => {
  const client = await graphql.agent();
  await tells(client);
  const asked = `{ instance { user(userId: "ada") { profile {
    text identity { content } standing { content } preferences { content } recent { content } } } } }`;
  const { data } = await client.ask<{
    instance: { user: { profile: Record<string, { content: string }[]> & { text: string } } };
  }>(asked);
  const { profile } = data.instance.user;
  const contents = (part: string) => profile[part]!.map(({ content }) => content).join();
  expect(contents('identity')).toMatch(/Ada Byron.*Leeds|Leeds.*Ada Byron/);
  expect(contents('standing')).toContain('Portuguese');
  expect(contents('preferences')).toContain('trains');
  expect(contents('recent')).toContain('kayak');
  expect(profile.text).toMatch(/<identity>[^]*Ada Byron[^]*<standing>[^]*Portuguese/);
  const stranger = await graphql.agent();
  expect((await stranger.ask('{ instance { user(userId: "ada") { profile { text } } } }')).data).toEqual({
    instance: { user: null },
  });
});

const submission = `mutation ($input: SubmitDocumentInput!) {
  submitDocument(input: $input, wait: 30) {
    __typename
    ... on Ingestion { status mode verbatim memories { content metadata } }
    ... on InvalidInput { fields { field } }
    ... on Problem { message }
  }
}`;
async function submits(client: Client, document: object, more: object = {}) {
  const input = { document, documentType: 'DOCUMENT', userId: 'ada', ...more };
  return (await client.ask<{ submitDocument: object }>(submission, { input })).data.submitDocument;
}
const inBase64 = (file: Buffer) => file.toString('base64');

test('the text of a file is remembered, and a picture is told to be none', { timeout: withinMs }, async () => {
  const words = 'Priya keeps her passport in the green drawer.';
  for (const file of [pdfWithLines([words]), docxOf(paragraph(words)), Buffer.from(words)]) {
    const client = await graphql.agent();
    const told = await submits(client, { file: inBase64(file) }, { metadata: { origin: 'scan' } });
    expect(told).toMatchObject({ __typename: 'Ingestion', status: 'COMPLETED' });
    expect(JSON.stringify(told)).toContain('green drawer');
  }
  const client = await graphql.agent();
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  expect(await submits(client, { file: inBase64(png) })).toMatchObject({ message: expect.stringContaining('images') });
});

test('a record is kept by `verbatim`, and fetched by its metadata', async () => {
  const client = await graphql.agent();
  const kept = { status: 'COMPLETED', mode: null, verbatim: true };
  expect(await submits(client, { text: 'state one' }, { verbatim: true, metadata: { n: 1 } })).toMatchObject(kept);
  expect(await submits(client, { text: 'state two' }, { verbatim: true, metadata: { n: 2 } })).toMatchObject(kept);
  const fetch = `query ($input: ContextInput!) { context(query: $input) { memories { memory { content } } } }`;
  const ask = (metadata: unknown, more: object = {}) =>
    client.ask(fetch, { input: { userId: 'ada', metadata, ...more } });
  for (const more of [
    {},
    { searchQueries: ['which state?'], mode: 'FAST' },
    { searchQueries: ['state'], mode: 'ACCURATE' },
  ]) {
    const { data } = await ask({ n: 2 }, more);
    expect(JSON.stringify(data)).toContain('state two');
    expect(JSON.stringify(data)).not.toContain('state one');
  }
  const { errors } = await ask({});
  expect(errors[0]!.extensions.fields).toMatchObject([{ field: 'metadata' }]);
});
