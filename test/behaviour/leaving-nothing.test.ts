import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { brokenRules } from '../support/consistency.ts';
import { archiveMemories } from '../../src/domain/memories/archive.ts';
import { docxOf, paragraph, pdfWithLines } from '../support/files.ts';
import { openDoors } from '../support/open-doors.ts';
import { rowsOfInstance } from '../support/rows-of-instance.ts';

const doors = openDoors();
const { world } = doors;
/** The first file of a run starts the threads that read files. */
const withinMs = 60_000;

/** An agent of a new instance, and how many rows its instance has in each table before anything is said. */
async function agent() {
  const { access, key } = await world.instance();
  const post = async (path: string, body: object) => {
    const told = await doors.send(key, 'POST', path, body);
    expect(told).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
    await world.settle();
    return told.json();
  };
  const ask = async (query: string, input: object) => {
    const told = await doors.ask(key, query, { input });
    expect(told.text).not.toContain('errors');
    await world.settle();
    return told.json().data;
  };
  const forget = async (path: string) => {
    const told = await doors.send(key, 'DELETE', path);
    expect(told).toMatchObject({ status: 200 });
    await world.settle();
    return told.json();
  };
  const rows = () => rowsOfInstance(world.deps, access);
  const mutate = async (mutation: string) => {
    const told = await doors.ask(key, `mutation { ${mutation} { __typename } }`);
    expect(told.text).toContain('"DeletionReceipt"');
    await world.settle();
  };
  return { access, key, post, ask, forget, mutate, rows, before: await rows() };
}
type Agent = Awaited<ReturnType<typeof agent>>;

const turns = [
  { role: 'user', content: 'My name is Ina Tangerine and I live in Grumbleford.', metadata: { line: 'Marigold' } },
  { role: 'assistant', content: 'How do you like Grumbleford?' },
  { role: 'user', content: 'Always answer me in Portuguese. I prefer trains to planes.' },
];
const sha256 = createHash('sha256')
  .update(JSON.stringify(turns.map(({ role, content }) => [role, content])))
  .digest('hex');
const words = 'My sister Ina Tangerine keeps her passport in the green drawer in Grumbleford.';
const inBase64 = (file: Buffer | string) => Buffer.from(file).toString('base64');
const files = {
  PDF: inBase64(pdfWithLines([words])),
  DOCX: inBase64(docxOf(paragraph(words))),
  'text file': inBase64(words),
};
const json = JSON.stringify([
  { guest: 'Ina Tangerine', city: 'Grumbleford' },
  { guest: 'Petra', city: 'Leeds' },
]);
const noted = { thread_id: 'Wobblethorne', step: 7, isDone: false, nested: { deep: 'Bafflewood' } };

const note = { document_type: 'note', user_id: 'ada', document_id: 'first', metadata: noted };
const submits = (sent: object) => (by: Agent) => by.post('/v1/memories', { ...note, ...sent, wait: 30 });
const submission = `mutation ($input: SubmitDocumentInput!) {
  submitDocument(input: $input, wait: 30) { ... on Ingestion { memoryIds } ... on Problem { message } } }`;
const noteBy = { documentType: 'NOTE', userId: 'ada', documentId: 'first', metadata: noted };
const submitsBy = (sent: object) => (by: Agent) => by.ask(submission, { ...noteBy, ...sent });

interface Case {
  readonly what: string;
  readonly tell: (by: Agent) => Promise<unknown>;
}
const documents: readonly Case[] = [
  ...Object.entries(files).flatMap(([what, file]) => [
    { what: `a ${what}`, tell: submits({ document: { file } }) },
    { what: `a ${what}, by GraphQL`, tell: submitsBy({ document: { file } }) },
  ]),
  { what: 'JSON records', tell: submits({ document: json }) },
  { what: 'JSON records, by GraphQL', tell: submitsBy({ document: { text: json } }) },
  { what: 'a verbatim record', tell: submits({ document: words, verbatim: true }) },
  { what: 'a verbatim record, by GraphQL', tell: submitsBy({ document: { text: words }, verbatim: true }) },
  { what: 'a record without a word', tell: submits({ document: '…!', verbatim: true, metadata: { isDone: true } }) },
  {
    what: 'a verbatim record that was corrected',
    async tell(by) {
      const { memory_ids: ids } = await submits({ document: words, verbatim: true })(by);
      const corrected = { content: 'Ina Tangerine lives in Leeds.', metadata: { thread_id: 'Mugwumpery' } };
      expect((await doors.send(by.key, 'PATCH', `/v1/memories/${ids[0]}`, corrected)).status).toBe(200);
    },
  },
  {
    what: 'a verbatim record that was replaced',
    async tell(by) {
      await submits({ document: words, verbatim: true })(by);
      await submits({ document: 'Ina Tangerine lives in Leeds.', verbatim: true, if_exists: 'replace' })(by);
    },
  },
  {
    what: 'a verbatim record that was archived and restored',
    async tell(by) {
      await submits({ document: words, verbatim: true })(by);
      await archiveAll(by);
    },
  },
];
const transcripts: readonly Case[] = [
  {
    what: 'a transcript with its hash',
    tell: (by) => by.post('/v1/conversations/call-1/transcript', { user_id: 'ada', turns, sha256, metadata: noted }),
  },
  {
    what: 'a transcript with its hash, by GraphQL',
    tell: (by) =>
      by.ask(
        `mutation ($input: RecordTranscriptInput!) {
          recordTranscript(input: $input) { ... on TranscriptRecorded { sha256 } ... on Problem { message } } }`,
        { conversationId: 'call-1', userId: 'ada', turns, sha256 },
      ),
  },
  {
    what: 'a transcript that was told twice and compacted',
    async tell(by) {
      const told = { user_id: 'ada', turns, sha256 };
      await by.post('/v1/conversations/call-1/transcript', told);
      await by.post('/v1/conversations/call-1/transcript', told);
      await by.post('/v1/context/compact', { conversation_id: 'call-1', user_id: 'ada' });
    },
  },
  {
    what: 'a profile that was read, fetched and exported',
    async tell(by) {
      await by.post('/v1/conversations/call-1/transcript', { user_id: 'ada', turns });
      const profile = await doors.send(by.key, 'GET', '/v1/profiles/ada');
      expect(profile.json().text).toContain('Tangerine');
      const shown = await doors.ask(
        by.key,
        '{ instance { user(userId: "ada") { profile { text recent { content } } } } }',
      );
      expect(shown.text).toContain('Tangerine');
      await by.post('/v1/context/fetch', { user_id: 'ada', conversation_id: 'call-1', search_query: 'Grumbleford' });
      expect((await doors.send(by.key, 'GET', '/v1/users/ada/export')).text).toContain('Grumbleford');
    },
  },
];

/** Archives every memory of the instance, as retention does, and restores each. */
async function archiveAll({ access, key }: Agent): Promise<void> {
  const memories = await world.deps.db.memory.findMany({ where: { instanceNumber: access.instanceNumber } });
  const ids = memories.map(({ id }) => id);
  await archiveMemories(world.deps, access, { ownerNo: memories[0]!.ownerNo, ids });
  const { data } = (await doors.send(key, 'GET', '/v1/memories')).json();
  for (const { id } of data) expect((await doors.send(key, 'POST', `/v1/memories/${id}/restore`)).status).toBe(200);
}

/** The tables that know a user though nothing is remembered of them. */
const ofTheUser = { owner: 1, user_activity: 1 };
const withoutUser = (rows: Record<string, number>) =>
  Object.fromEntries(Object.entries(rows).filter(([table]) => !(table in ofTheUser)));

describe.each([...documents, ...transcripts])('$what', ({ tell }) => {
  test('leaves no row once its user is forgotten', { timeout: withinMs }, async () => {
    for (const forget of [
      (by: Agent) => by.forget('/v1/users/ada'),
      (by: Agent) => by.mutate('forgetUser(userId: "ada")'),
    ]) {
      const by = await agent();
      await tell(by);
      expect((await by.rows())['memory']).toBeGreaterThan(0);
      await forget(by);
      expect(await by.rows()).toEqual(by.before);
      const listed = await doors.send(by.key, 'GET', '/v1/memories');
      expect(listed.json().data).toEqual([]);
    }
  });
});

describe.each(documents)('$what', ({ tell }) => {
  test('leaves no row once its document is forgotten', { timeout: withinMs }, async () => {
    const by = await agent();
    await tell(by);
    const { receipt } = await by.forget('/v1/documents/first');
    expect(receipt.remaining).toEqual({ rows: 0, vectors: 0, terms: 0, graph_links: 0 });
    expect(withoutUser(await by.rows())).toEqual(withoutUser(by.before));
    expect(await brokenRules(world.deps, by.access)).toEqual({});
  });

  test('leaves no word once its memories are forgotten with their evidence', { timeout: withinMs }, async () => {
    const by = await agent();
    await tell(by);
    for (;;) {
      const [memory] = (await doors.send(by.key, 'GET', '/v1/memories?limit=1')).json().data;
      if (!memory) break;
      await by.forget(`/v1/memories/${memory.id}?cascade=evidence`);
    }
    const { document: _, ingestion: __, ...left } = withoutUser(await by.rows());
    expect(left).toEqual(withoutUser(by.before));
    const kept = await world.deps.db.document.findMany({ where: { instanceNumber: by.access.instanceNumber } });
    expect(kept.map(({ id, body }) => JSON.parse(by.access.keys.open('document.body', id, body)))).toEqual(
      kept.map(() => ''),
    );
    expect(kept.map(({ metadata }) => metadata)).toEqual(kept.map(() => null));
    expect(await brokenRules(world.deps, by.access)).toEqual({});
  });
});

test('a record is its document: forgetting the one forgets the other, and frees its id', async () => {
  for (const forget of [
    (by: Agent, id: string) => by.forget(`/v1/memories/${id}`),
    (by: Agent, id: string) => by.mutate(`forget(memoryId: "${id}")`),
  ]) {
    const by = await agent();
    const { memory_ids: ids } = await submits({ document: words, verbatim: true })(by);
    await forget(by, ids[0]);
    expect(withoutUser(await by.rows())).toEqual(withoutUser(by.before));
    await submits({ document: words, verbatim: true })(by);
  }
});
