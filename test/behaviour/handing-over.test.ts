import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createWakeSignal } from '../../src/db/wake-signal.ts';
import { isOnPostgres } from '../support/place-database.ts';
import type { Person } from '../support/person.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();
const never = new AbortController().signal;

const note = (person: Person, document: string, more = {}) =>
  ({ document, documentType: 'note', mode: 'fast', ...person.named, ...more }) as const;
const ended = (person: Person, id: string) =>
  world.app.awaitIngestion(person.access, id, { ms: 20_000, signal: never });

test('whoever waits for the end of an ingestion is told what the rows say', async () => {
  const ada = await world.user('ada');
  await ada.says('I keep bees on the roof.');
  const document = 'I keep bees on the roof. I live in Turku, and I play the cello.';
  const { id } = await world.app.submit(
    ada.access,
    note(ada, document, { documentId: 'letter', metadata: { page: 1 } }),
  );
  const told = await ended(ada, id);
  expect(told).toMatchObject({ status: 'completed', documentId: 'letter' });
  expect(told.memoryIds.length).toBeGreaterThan(0);
  // How many it superseded is counted, and stands in no row.
  const row = Object.fromEntries(Object.entries(told).filter(([name]) => name !== 'superseded'));
  expect(await world.app.ingestion(ada.access, id)).toMatchObject(row);
  expect(await world.deps.db.job.count({ where: { instanceNumber: ada.access.instanceNumber } })).toBe(0);
});

test('one of another instance learns nothing of a run, also not that there is one', async () => {
  const [ada, stranger] = [await world.user('ada'), await world.user('ada')];
  const { id } = await world.app.submit(ada.access, note(ada, 'I live in Turku.'));
  await expect(ended(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await ended(ada, id)).toMatchObject({ status: 'completed' });
});

test('a document whose first run fails is taken up from the rows', async () => {
  const ada = await world.user('ada');
  const failing = createApp({ ...world.deps, readDocument: () => Promise.reject(new Error('of this test')) });
  const { id } = await failing.submit(ada.access, note(ada, 'I live in Turku.'));
  expect(await ended(ada, id)).toMatchObject({
    status: 'completed',
    memoryIds: [expect.anything(), expect.anything()],
  });
});

test('the first document of a user is read once', async () => {
  const ada = await world.user('ada');
  const read = vi.fn<typeof world.deps.readDocument>(world.deps.readDocument);
  const { id } = await createApp({ ...world.deps, readDocument: read }).submit(
    ada.access,
    note(ada, 'I live in Turku.'),
  );
  expect(await ended(ada, id)).toMatchObject({ status: 'completed' });
  expect(read).toHaveBeenCalledTimes(1);
});

test('a document that is refused leaves the workers to the others', async () => {
  const ada = await world.user('ada');
  const submit = (text: string, documentId: string) => world.app.submit(ada.access, note(ada, text, { documentId }));
  await submit('I live in Turku.', 'first');
  await world.settle();
  for (let n = 0; n < 4; n++) {
    await expect(submit('I live in Ghent.', 'first')).rejects.toMatchObject({ code: 'duplicate_document' });
  }
  const { id } = await submit('I live in York.', 'second');
  expect(await ended(ada, id)).toMatchObject({ status: 'completed' });
});

test('who is kept for work waits for nothing else, and has it also when all are to stop', async () => {
  const stop = new AbortController();
  const wakeUp = createWakeSignal<string>();
  expect(wakeUp.reserve()).toBeNull();
  const kept = wakeUp.wait(60_000, stop.signal);
  const handOver = wakeUp.reserve()!;
  expect(wakeUp.reserve()).toBeNull();
  wakeUp.wake();
  stop.abort();
  await wakeUp.wait(60_000, never); // the wake that nobody heard
  handOver('work');
  expect(await kept).toBe('work');
});

test.skipIf(isOnPostgres())('a turn is remembered in sixteen statements', async () => {
  const ada = await world.user('ada');
  const sent = vi.spyOn(Client.prototype, 'query');
  const counts: number[] = [];
  try {
    for (const name of ['Rosalind', 'Ottilie', 'Marek', 'Yasmin', 'Bruno']) {
      sent.mockClear();
      const { id } = await world.app.submit(ada.access, note(ada, `I repaired the old cello with ${name}.`));
      await ended(ada, id);
      counts.push(sent.mock.calls.length);
    }
  } finally {
    sent.mockRestore();
  }
  expect(Math.min(...counts)).toBe(16); // now and then somebody else asks something too
});
