import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { DomainError } from '../../src/domain/errors.ts';
import { IngestionProgress } from '../../src/domain/ingestion/watch-ingestion.ts';
import { day } from '../support/person.ts';
import { openWorld } from '../support/world.ts';

let fault: Error | undefined;
const { resolveEntities } = await import('../../src/domain/ingestion/resolve-entities.ts');
const world = openWorld({
  resolve: (...args) => {
    if (fault) throw fault;
    return resolveEntities(...args);
  },
});

test('a memory cites the turn that says it', async () => {
  const ada = await world.user('ada');
  await ada.says(
    [
      { role: 'assistant', content: 'What do you do when you are not at work?' },
      { role: 'user', content: 'I play the cello in the Kestrel Quartet every Wednesday.' },
    ],
    day(1),
    { documentId: 'hobbies' },
  );
  const { memories } = await ada.fetches('Which instrument do I play?');
  expect(memories[0]!.evidence).toEqual([
    { documentId: 'hobbies', turns: [1], quote: 'I play the cello in the Kestrel Quartet every Wednesday.' },
  ]);
});

test('a document is accepted, whatever comes of waiting for it', async () => {
  const ada = await world.user('ada');
  class OutOfReach extends IngestionProgress {
    override completedHere(): Promise<never> {
      return Promise.reject(new DomainError('unavailable', 'the database does not answer'));
    }
  }
  const app = createApp({ ...world.deps, ingestionProgress: new OutOfReach(() => undefined) });
  const note = { document: 'I keep bees in Leeds.', documentType: 'note', mode: 'fast', ...ada.named } as const;
  const accepted = await app.submitAndWait(ada.access, note, { ms: 20_000, signal: new AbortController().signal });
  expect(accepted.status).toBe('queued');
  await world.settle();
  expect(await world.app.ingestion(ada.access, accepted.id)).toMatchObject({ status: 'completed' });
});

test('of several people, each is the speaker of their own words', async () => {
  const ada = await world.user('ada');
  await ada.says([
    { role: 'assistant', content: 'Tell me about the quartet that you both play in.' },
    { role: 'user', name: 'Rosalind', content: 'I play the cello in the Kestrel Quartet.' },
    { role: 'assistant', content: 'Which evening does the quartet rehearse on?' },
    { role: 'user', name: 'Ottilie', content: 'I live in Ghent, so we rehearse at my bakery.' },
  ]);
  expect((await ada.fetches('Who plays the cello?')).memories[0]!.content).toContain('cello');
  expect((await ada.recalls('Where does Ottilie live?'))[0]).toContain('Ghent');
});

test('what is said again is not stored again; it gains evidence', async () => {
  const ada = await world.user('ada');
  await ada.says('I am allergic to peanuts.', day(1));
  const count = (await ada.memories()).length;
  const again = await ada.says("I'm allergic to peanuts!", day(2));
  expect(again.memoryIds).toEqual([]);
  const memories = await ada.memories();
  expect(memories).toHaveLength(count);
  expect(memories.every((memory) => memory.evidence.length === 2)).toBe(true);
});

test('greetings and thanks are discarded, and counted', async () => {
  const ada = await world.user('ada');
  const done = await ada.says([
    { role: 'user', content: 'Hi there!' },
    { role: 'assistant', content: 'Hello! How can I help you today?' },
    { role: 'user', content: 'Okay, perfect. Thanks!' },
  ]);
  expect(done).toMatchObject({ status: 'completed', memoryIds: [], discarded: 3 });
});

test('a relative date is resolved from the time of its turn', async () => {
  const ada = await world.user('ada');
  await ada.says([{ role: 'user', content: 'My dentist appointment is tomorrow at ten.', timestamp: day(3) }], day(3));
  const [event] = await ada.memories({ type: 'temporal_events' });
  expect(event!.eventStart?.toISOString().slice(0, 10)).toBe(day(4).toISOString().slice(0, 10));
});

test('when entity resolution is unavailable the document is remembered, with a warning', async () => {
  const ada = await world.user('ada');
  fault = new Error('down');
  const done = await ada.says('Rosalind repaired the old harmonium.').finally(() => (fault = undefined));
  expect(done.status).toBe('completed');
  expect(done.warnings).toEqual(['entity resolution was unavailable; names are not linked']);
  expect(await ada.recalls('Who repaired the harmonium?')).toContain('Rosalind repaired the old harmonium.');
});

test('a batch takes what is right and tells what is wrong', async () => {
  const ada = await world.user('ada');
  const item = { documentType: 'note' as const, mode: 'fast' as const, userId: 'ada' };
  const taken = await world.app.submitBatch(
    ada.access,
    [
      { ...item, document: 'I own a kayak.', documentId: 'one' },
      { ...item, document: 'I own a canoe.', documentId: 'one' },
      { ...item, document: 'I own a raft.' },
    ],
    { failFast: false },
  );
  expect(taken.results.map((result) => result.error?.code ?? 'taken')).toEqual([
    'taken',
    'duplicate_document',
    'taken',
  ]);
  await world.settle();
  const { results } = await world.app.batch(ada.access, taken.id);
  const outcomes = results.map(({ ingestion, error }) => ingestion?.status ?? error?.code);
  expect(outcomes).toEqual(['completed', 'duplicate_document', 'completed']);
});

test('many documents of one user at once: each is remembered, once', async () => {
  const ada = await world.user('ada');
  const names = Array.from({ length: 20 }, (_, n) => `The parcel number ${n} went to Utrecht on a barge.`);
  await Promise.all(names.map((text) => ada.says(text)));
  const contents = (await ada.memories({ type: 'episodes' })).map((memory) => memory.content);
  expect(contents.toSorted()).toEqual(names.toSorted());
  const owner = await world.deps.db.owner.findFirstOrThrow({
    where: { instanceNumber: ada.access.instanceNumber, userId: 'ada' },
  });
  expect(owner.memoryCount).toBe((await ada.memories()).length);
});

test('a record in JSON is a fact that is found by its fields', async () => {
  const ada = await world.user('ada');
  const records = [
    { name: 'Priya', favourite_colour: 'teal', address: { city: 'York' } },
    { name: 'Omar', favourite_colour: 'amber', address: { city: 'Ghent' } },
  ];
  await ada.says(JSON.stringify(records), day(1), { documentType: 'document', documentId: 'people' });
  const { memories } = await ada.fetches('What is the favourite colour of Priya?');
  expect(memories[0]).toMatchObject({
    type: 'facts',
    content: 'name: Priya; favourite colour: teal; address city: York',
    evidence: [{ documentId: 'people', turns: [0], quote: JSON.stringify(records[0]) }],
  });
  expect((await ada.recalls('Who lives in Ghent?'))[0]).toContain('Omar');
});
