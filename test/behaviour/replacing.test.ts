import { expect, test } from 'vitest';
import { transaction } from '../../src/db/database.ts';
import { fromPublicId } from '../../src/domain/ids.ts';
import type { Submission } from '../../src/domain/ingestion/ingestion.ts';
import { failIngestion } from '../../src/domain/ingestion/ingestion-store.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { submitHeld } from '../support/submit-held.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

const replacement = (document: string) =>
  ({
    document,
    documentType: 'document',
    mode: 'fast',
    documentId: 'handbook',
    userId: 'ada',
    ifExists: 'replace',
  }) as const;

/** A user of a new instance whose handbook is replaced by each text that is given, and how it is read. */
async function handbook() {
  const { access } = await world.instance();
  const replace = async (document: string, more: Partial<Submission> = {}) => {
    const submission: Submission = { ...replacement(document), ...more };
    return world.app.submitAndWait(access, submission, { ms: 20_000, signal: new AbortController().signal });
  };
  const codes = async (): Promise<string[]> => {
    const query = { searchQueries: ['What is the code of the garage?'], userId: 'ada', explain: false };
    const { memories } = await world.app.fetchContext(access, { ...query, maxResults: 50 });
    return [...new Set(memories.flatMap(({ content }) => /code of the garage is (\d+)/.exec(content)?.[1] ?? []))];
  };
  return { access, replace, codes };
}

/** Lets workers have the jobs that were held. */
async function workNow({ instanceNumber }: Access) {
  await world.deps.db.job.updateMany({ where: { instanceNumber }, data: { runAt: new Date(0) } });
  world.deps.wake();
  await world.settle();
}

test('whoever reads while a document is replaced sees the former or the new one, never both and never neither', async () => {
  const { replace, codes } = await handbook();
  await replace('The code of the garage is 1000.');
  const over = new AbortController();
  const seen: string[][] = [];
  const reading = (async () => {
    while (!over.signal.aborted) seen.push(await codes());
  })();
  for (const code of [1001, 1002, 1003, 1004]) {
    await replace(`The code of the garage is ${code}.`);
    expect(await codes()).toEqual([String(code)]);
  }
  over.abort();
  await reading;
  expect(seen.filter((found) => found.length !== 1)).toEqual([]);
});

test('what both say stays the same memory, and of the former nothing is left', async () => {
  const { access, replace } = await handbook();
  const first = await replace('The code of the garage is 1000. The key of the cellar hangs in the hall.');
  await replace('The code of the garage is 2000. The key of the cellar hangs in the hall.');
  await world.settle();
  const { data } = await world.app.memories(access, { userId: 'ada' }, { limit: 50 });
  expect(data.some(({ content }) => content.includes('1000'))).toBe(false);
  const kept = data.filter(({ content }) => /cellar/.test(content) && !content.includes('garage'));
  expect(first.memoryIds).toEqual(expect.arrayContaining(kept.map(({ id }) => id)));
  expect(kept.every(({ evidence }) => evidence.length === 1)).toBe(true);
  for (const table of ['document', 'ingestion'] as const)
    expect(
      await (world.deps.db[table] as typeof world.deps.db.document).count({
        where: { instanceNumber: access.instanceNumber },
      }),
    ).toBe(1);
});

test('the same words replace nothing, unless their metadata is another', async () => {
  const { replace } = await handbook();
  const words = 'The code of the garage is 1000.';
  const first = await replace(words, { metadata: { source: 'wiki' } });
  const again = await replace(words, { metadata: { source: 'wiki' } });
  const other = await replace(words, { metadata: { source: 'handbook' } });
  expect(again.id).toBe(first.id);
  expect(other.id).not.toBe(first.id);
});

test.each([
  { another: 'mode', more: { mode: 'verbatim' } },
  { another: 'type', more: { documentType: 'note' } },
  { another: 'time', more: { documentCreatedAt: new Date('2026-05-02') } },
  { another: 'conversation', more: { conversationId: 'talk' } },
] as const)('the same words with another $another are another document', async ({ more }) => {
  const { replace } = await handbook();
  const words = 'The code of the garage is 1000.';
  const first = await replace(words, { documentCreatedAt: new Date('2026-05-01') });
  expect((await replace(words)).id).toBe(first.id); // who names no time means none
  const other = await replace(words, more);
  expect(other.id).not.toBe(first.id);
  expect((await replace(words, more)).id).toBe(other.id);
});

test('an older document takes the place of a newer one too', async () => {
  const { replace, codes } = await handbook();
  await replace('The code of the garage is 1000.', { documentCreatedAt: new Date('2026-05-01') });
  await replace('The code of the garage is 2000.', { documentCreatedAt: new Date('2026-01-01') });
  expect(await codes()).toEqual(['2000']);
});

test('the document of another user is not replaced, nor are its words taken for one’s own', async () => {
  const { access, replace, codes } = await handbook();
  await replace('The code of the garage is 1000.', { userId: 'bob' });
  for (const document of ['The code of the garage is 2000.', 'The code of the garage is 1000.'])
    await expect(replace(document)).rejects.toMatchObject({ code: 'duplicate_document' });
  expect(await codes()).toEqual([]);
  const ofBob = await world.app.memories(access, { userId: 'bob', status: 'active' }, { limit: 50 });
  expect(ofBob.data.map(({ content }) => content).join()).toContain('1000');
});

test('a document that is refused replaces nothing, and frees no id', async () => {
  const { replace, codes } = await handbook();
  await replace('The code of the garage is 1000.');
  const tooEarly = { documentCreatedAt: new Date('0001-01-01') };
  const refused = replace('The code of the garage is 2000.', tooEarly);
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
  const second = replace('The code of the garage is 2000.', { ifExists: 'reject' });
  await expect(second).rejects.toMatchObject({ code: 'duplicate_document' });
  expect(await codes()).toEqual(['1000']);
});

test('a document whose ingestion fails leaves the former in its place', async () => {
  const { access, replace, codes } = await handbook();
  await replace('The code of the garage is 1000.');
  const held = await submitHeld(world.deps, access, replacement('The code of the garage is 2000.'));
  const id = fromPublicId('ingestion', held.id)!;
  await transaction(world.deps.db, (tx) => failIngestion(tx, access, id, 'the disk was full', world.deps.now()));
  await workNow(access);
  const second = replace('The code of the garage is 3000.', { ifExists: 'reject' });
  await expect(second).rejects.toMatchObject({ code: 'duplicate_document' });
  await replace('The code of the garage is 4000.');
  expect(await codes()).toEqual(['4000']);
});

test('a document whose ingestion fails leaves its id to none that was never ingested', async () => {
  const { access, replace, codes } = await handbook();
  const failing = async (document: string) => {
    const { id } = await submitHeld(world.deps, access, replacement(document));
    const uuid = fromPublicId('ingestion', id)!;
    await transaction(world.deps.db, (tx) => failIngestion(tx, access, uuid, 'the disk was full', world.deps.now()));
  };
  await submitHeld(world.deps, access, replacement('The code of the garage is 1000.'));
  await failing('The code of the garage is 2000.'); // it took the place of one that nobody had read
  const third = await replace('The code of the garage is 3000.', { ifExists: 'reject' });
  expect(third.status).toBe('completed');

  await submitHeld(world.deps, access, replacement('The code of the garage is 4000.'));
  await failing('The code of the garage is 5000.');
  expect((await replace('The code of the garage is 3000.')).id).toBe(third.id);
  expect(await codes()).toEqual(['3000']);
  await workNow(access); // the jobs that are left find nothing to do
});

test('of documents that are sent together under one id, one is remembered', async () => {
  const { access, replace, codes } = await handbook();
  await replace('The code of the garage is 1000.');
  const early = await submitHeld(world.deps, access, replacement('The code of the garage is 2000.'));
  await Promise.all([3000, 4000, 5000].map((code) => replace(`The code of the garage is ${code}.`)));
  await workNow(access);
  const [code] = await codes();
  expect(await codes()).toHaveLength(1);
  expect(['3000', '4000', '5000']).toContain(code);
  // It was erased with the document that was replaced before anybody read it.
  await expect(world.app.ingestion(access, early.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('of documents that are sent together under a new id none is refused, and one is remembered', async () => {
  const { access, replace, codes } = await handbook();
  const sent = [1000, 2000, 3000, 4000].map((code) => `The code of the garage is ${code}.`);
  await Promise.all(sent.map((text) => replace(text)));
  await workNow(access);
  expect(await codes()).toHaveLength(1);

  const other = { documentId: 'other' };
  const again = await Promise.all(sent.map(() => replace('The code of the cellar is 7.', other)));
  expect(new Set(again.map(({ id }) => id)).size).toBe(1);
});
