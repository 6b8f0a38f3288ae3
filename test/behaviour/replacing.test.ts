import { expect, test } from 'vitest';
import type { Submission } from '../../src/domain/ingestion/ingestion.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

/** A user of a new instance whose handbook is replaced by each text that is given, and how it is read. */
async function handbook() {
  const { access } = await world.instance();
  const replace = async (document: string, more: Partial<Submission> = {}) => {
    const sent = { document, documentType: 'document', mode: 'fast', documentId: 'handbook', userId: 'ada' } as const;
    const submission: Submission = { ...sent, ifExists: 'replace', ...more };
    return world.app.submitAndWait(access, submission, { ms: 20_000, signal: new AbortController().signal });
  };
  const codes = async (): Promise<string[]> => {
    const query = { searchQueries: ['What is the code of the garage?'], userId: 'ada', explain: false };
    const { memories } = await world.app.fetchContext(access, { ...query, maxResults: 50 });
    return [...new Set(memories.flatMap(({ content }) => /code of the garage is (\d+)/.exec(content)?.[1] ?? []))];
  };
  return { access, replace, codes };
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
    expect(await (world.d.db[table] as typeof world.d.db.document).count({ where: { i: access.i } })).toBe(1);
});

test('an older document takes the place of a newer one too', async () => {
  const { replace, codes } = await handbook();
  await replace('The code of the garage is 1000.', { documentCreatedAt: new Date('2026-05-01') });
  await replace('The code of the garage is 2000.', { documentCreatedAt: new Date('2026-01-01') });
  expect(await codes()).toEqual(['2000']);
});

test('the document of one user takes the place of another’s', async () => {
  const { access, replace, codes } = await handbook();
  await replace('The code of the garage is 1000.', { userId: 'bob' });
  await replace('The code of the garage is 2000.');
  expect(await codes()).toEqual(['2000']);
  const ofBob = await world.app.memories(access, { userId: 'bob' }, { limit: 50 });
  expect(ofBob.data.filter(({ status }) => status !== 'archived')).toEqual([]);
});
