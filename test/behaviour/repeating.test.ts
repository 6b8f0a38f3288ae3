import { expect, test } from 'vitest';
import { day } from '../support/person.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

test.each([
  ['I love hiking.', 'I really love hiking!'],
  ["I'm allergic to walnuts.", 'I am allergic to walnuts'],
  ['My favourite colour is teal.', 'my favorite color is teal'],
])('"%s" and "%s" are one memory that both documents state', async (first, again) => {
  const ada = await world.user('ada');
  await ada.says(first, day(1), { documentId: 'first' });
  const before = (await ada.memories()).find(({ type }) => type !== 'episodes');
  const { memoryIds } = await ada.says(again, day(2), { documentId: 'again' });
  expect(memoryIds).toEqual([]);
  const memories = await ada.memories();
  const after = memories.find(({ type }) => type !== 'episodes');
  expect(memories).toHaveLength(2);
  expect(after!.evidence.map(({ documentId, quote }) => [documentId, quote])).toEqual([
    ['first', first],
    ['again', again],
  ]);
  expect(after!.confidence).toBeGreaterThan(before!.confidence);
  expect(after!.confidence).toBeLessThan(1);
});

test.each([
  ['I own two dogs.', 'I own three dogs.'],
  ['I love hiking.', "I don't love hiking."],
  ['I went to the dentist yesterday.', 'I went to the dentist yesterday.'],
  ['My neighbour Odile has three dogs.', 'My neighbour Jorun has three dogs.'],
  ['I row on Sundays.', 'I row on Mondays.'],
  ['I prefer dogs to cats.', 'I prefer cats to dogs.'],
])('"%s" and, a week later, "%s" are two', async (first, later) => {
  const ada = await world.user('ada');
  await ada.says(first, day(1));
  const { memoryIds } = await ada.says(later, day(8));
  expect(memoryIds).toHaveLength(2);
});

test.each(['first', 'again'])('forgetting the %s of two documents brings the confidence back', async (forgotten) => {
  const plain = await world.user('plain');
  const ada = await world.user('ada', { access: plain.access });
  const said = { first: ['I love hiking.', day(1)], again: ['I really love hiking!', day(2)] } as const;
  for (const [documentId, [text, at]] of Object.entries(said)) await ada.says(text, at, { documentId });
  await world.app.forgetDocument(ada.access, forgotten, {});
  const [text, at] = said[forgotten === 'first' ? 'again' : 'first'];
  await plain.says(text, at, { documentId: 'only' });
  const [left] = await ada.memories({ type: 'preferences' });
  const [never] = await plain.memories({ type: 'preferences' });
  expect([left!.confidence, left!.validFrom]).toEqual([never!.confidence, never!.validFrom]);
  if (forgotten === 'again') expect(await snapshotOf(world.deps, ada)).toEqual(await snapshotOf(world.deps, plain));
});

test('what was noted of a forgotten document is noted of no memory that another one states too', async () => {
  const ada = await world.user('ada');
  const more = (documentId: string, metadata?: object) => ({
    documentId,
    ...(metadata ? { metadata: { ...metadata } } : {}),
  });
  await ada.says('I love hiking.', day(1), more('first', { ward: 'oncology' }));
  await ada.says('I love hiking.', day(2), more('again', { source: 'chat' }));
  await ada.says('I love hiking.', day(3), more('last'));
  const noted = async () => (await ada.memories({ type: 'preferences' })).map(({ metadata }) => metadata);
  expect(await noted()).toEqual([{ ward: 'oncology' }]);
  await world.app.forgetDocument(ada.access, 'first', {});
  expect(await noted()).toEqual([{ source: 'chat' }]);
  await world.app.forgetDocument(ada.access, 'again', {});
  expect(await noted()).toEqual([null]);
});

test('the third document adds less than the second', async () => {
  const ada = await world.user('ada');
  const confidences: number[] = [];
  for (const n of [1, 2, 3]) {
    await ada.says('I love hiking.', day(n));
    confidences.push((await ada.memories({ type: 'preferences' }))[0]!.confidence);
  }
  const [one, two, three] = confidences as [number, number, number];
  expect(two - one).toBeGreaterThan(three - two);
  expect(three).toBeGreaterThan(two);
});
