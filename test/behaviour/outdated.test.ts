import { expect, test } from 'vitest';
import { fromPublicId } from '../../src/domain/ids.ts';
import { archiveMemories } from '../../src/domain/memories/archive.ts';
import type { Memory } from '../../src/domain/memories/memory.ts';
import { brokenRules } from '../support/consistency.ts';
import { later, old, question } from '../support/doubtful-update.ts';
import { day, type Person } from '../support/person.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

const statements = async (person: Person, filter: Parameters<Person['memories']>[0] = {}): Promise<Memory[]> =>
  (await person.memories(filter)).filter(({ type }) => type !== 'episodes');

const statement = async (person: Person, content: string): Promise<Memory> =>
  (await statements(person)).find((memory) => memory.content === content)!;

async function doubting(name = 'ada', of: { access?: Person['access'] } = {}): Promise<Person> {
  const person = await world.user(name, of);
  await person.says(old, day(1));
  await person.says(later, day(9));
  return person;
}

const open = (person: Person) =>
  world.deps.db.possibleSupersession.findMany({ where: { instanceNumber: person.access.instanceNumber } });

test('a memory that a later one may have replaced holds, and names the later one', async () => {
  const ada = await doubting();
  const [older, newer] = [await statement(ada, old), await statement(ada, later)];
  expect(older).toMatchObject({ status: 'active', validUntil: null, possiblyOutdatedBy: newer.id });
  expect(newer).toMatchObject({ status: 'active', possiblyOutdatedBy: null });
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('it names the probable one, not a later one that hardly concerns it', async () => {
  const ada = await doubting();
  await ada.says('I am allergic to walnuts.', day(10));
  const [older, newer] = [await statement(ada, old), await statement(ada, later)];
  const [pair] = await open(ada);
  await world.deps.db.possibleSupersession.updateMany({ where: { newId: pair!.newId }, data: { confidence: 0.6 } });
  const unlikely = fromPublicId('memory', (await statement(ada, 'I am allergic to walnuts.')).id)!;
  await world.deps.db.possibleSupersession.create({ data: { ...pair!, newId: unlikely, confidence: 0.3 } });
  expect(await statement(ada, old)).toMatchObject({ id: older.id, possiblyOutdatedBy: newer.id });
});

test('it is listed by that', async () => {
  const ada = await doubting();
  await ada.says('I am allergic to walnuts.', day(10));
  expect((await statements(ada, { possiblyOutdated: true })).map(({ content }) => content)).toEqual([old]);
  const others = (await statements(ada, { possiblyOutdated: false })).map(({ content }) => content);
  expect(others).toContain(later);
  expect(others).not.toContain(old);
});

test('a reader of one memory reads what was asked for, with the mark', async () => {
  const ada = await doubting();
  const types = ['facts', 'preferences', 'temporal_events', 'emotions'] as const;
  const { memories } = await ada.fetches(question, { minRelevance: 0, types, maxResults: 1 });
  expect(memories).toMatchObject([{ content: old, possiblyOutdatedBy: (await statement(ada, later)).id }]);
});

test.each(['fast', 'accurate'] as const)('in %s it never stands before the later one', async (mode) => {
  const ada = await doubting();
  const types = ['facts', 'preferences', 'temporal_events', 'emotions'] as const;
  const asked = { mode, minRelevance: 0, explain: true, types };
  const { memories } = await ada.fetches(question, asked);
  const places = [later, old].map((content) => memories.findIndex((memory) => memory.content === content));
  expect(places).toEqual([places[0], places[0]! + 1]);
  const [newer, older] = places.map((place) => memories[place]!);
  expect(older!.score).toBeLessThanOrEqual(newer!.score);
  const sum = Object.values(newer!.parts!).reduce((all, part) => all + part, 0);
  expect(newer!.parts!.mayReplace).toBeGreaterThan(0);
  expect(sum).toBeCloseTo(newer!.score, 5);
  // It is what was asked for, whichever of the two holds.
  expect(older!.relevance).toBeGreaterThan(newer!.relevance);
});

test('once it is confirmed, the later one has its place, and that can be undone', async () => {
  const ada = await doubting();
  const { id } = await statement(ada, old);
  const newer = await statement(ada, later);
  const confirmed = await world.app.confirmOutdated(ada.access, id, ada.named);
  expect(confirmed).toMatchObject({ id, status: 'superseded', supersededBy: newer.id, validUntil: day(9) });
  expect(confirmed.possiblyOutdatedBy).toBeNull();
  expect(await ada.recalls('When is the launch?', { asOf: day(5) })).toContain(old);
  const undone = await world.app.undoSupersede(ada.access, id, ada.named);
  expect(undone).toMatchObject({ status: 'active', validUntil: null, possiblyOutdatedBy: null });
  expect(await open(ada)).toMatchObject([{ status: 'rejected' }]);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

/** Doubts a pair of which the update model says too little. */
async function doubt(person: Person, older: Memory, newer: Memory): Promise<void> {
  const [oldId, newId] = [older, newer].map(({ id }) => fromPublicId('memory', id)!);
  const { instanceNumber } = person.access;
  await world.deps.db.possibleSupersession.create({
    data: { instanceNumber, oldId: oldId!, newId: newId!, confidence: 0.4, status: 'open', createdAt: day(9) },
  });
}

test('it can be confirmed where the later one only ends a value', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in York.', day(1));
  await ada.says('I garden in York every weekend.', day(2));
  await ada.says("I don't live in Leeds anymore.", day(9));
  const [garden, end] = [
    await statement(ada, 'I garden in York every weekend.'),
    await statement(ada, "I don't live in Leeds anymore."),
  ];
  await doubt(ada, garden, end);
  const confirmed = await world.app.confirmOutdated(ada.access, garden.id, ada.named);
  expect(confirmed).toMatchObject({ status: 'superseded', supersededBy: end.id });
  expect(await statement(ada, 'I live in York.')).toMatchObject({ status: 'active' });
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('once it is rejected, nobody is asked again, whatever is said again', async () => {
  const ada = await doubting();
  const { id } = await statement(ada, old);
  const rejected = await world.app.rejectOutdated(ada.access, id, ada.named);
  expect(rejected).toMatchObject({ id, status: 'active', possiblyOutdatedBy: null });
  await ada.says(`${later} It is fun.`, day(12));
  expect(await statement(ada, old)).toMatchObject({ status: 'active', possiblyOutdatedBy: null });
  expect(await statements(ada, { status: 'superseded' })).toEqual([]);
});

test.each(['confirmOutdated', 'rejectOutdated'] as const)('%s is a conflict where nothing is open', async (decide) => {
  const ada = await doubting();
  const { id } = await statement(ada, old);
  const newer = await statement(ada, later);
  const conflict = { code: 'conflict', message: 'this memory is not possibly outdated' };
  await expect(world.app[decide](ada.access, newer.id, ada.named)).rejects.toMatchObject(conflict);
  await world.app.rejectOutdated(ada.access, id, ada.named);
  await expect(world.app[decide](ada.access, id, ada.named)).rejects.toMatchObject(conflict);
  const nobody = { userId: 'bob' };
  await expect(world.app[decide](ada.access, id, nobody)).rejects.toMatchObject({ code: 'not_found' });
});

test('of many who decide at once, one does', async () => {
  const ada = await doubting();
  const { id } = await statement(ada, old);
  const decided = await Promise.allSettled([
    ...Array.from({ length: 3 }, () => world.app.confirmOutdated(ada.access, id, ada.named)),
    ...Array.from({ length: 3 }, () => world.app.rejectOutdated(ada.access, id, ada.named)),
  ]);
  expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const reasons = decided.flatMap((each) => (each.status === 'rejected' ? (each.reason as { code: string }).code : []));
  expect(new Set(reasons)).toEqual(new Set(['conflict']));
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('what is said again after the later one holds', async () => {
  const ada = await doubting();
  await ada.says(old, day(12));
  expect(await statement(ada, old)).toMatchObject({ status: 'active', possiblyOutdatedBy: null });
});

test('a corrected memory says something else, of which nothing is known', async () => {
  const ada = await doubting();
  const { id } = await statement(ada, later);
  await world.app.correctMemory(ada.access, id, { content: 'I own a kayak.', ...ada.named });
  expect(await statement(ada, old)).toMatchObject({ status: 'active', possiblyOutdatedBy: null });
});

test('when the later one is replaced, what replaced it is named, until that is undone', async () => {
  const ada = await world.user('ada');
  await ada.says('I garden in Leeds every weekend.', day(1));
  await ada.says('I live in York.', day(9));
  const newer = await statement(ada, 'I live in York.');
  const garden = await statement(ada, 'I garden in Leeds every weekend.');
  await doubt(ada, garden, newer);
  await ada.says('I moved to Hull.', day(12));
  const [superseded] = await statements(ada, { status: 'superseded' });
  expect(superseded).toMatchObject({ id: newer.id });
  expect(await statement(ada, garden.content)).toMatchObject({ possiblyOutdatedBy: superseded!.supersededBy });
  await world.app.undoSupersede(ada.access, newer.id, ada.named);
  expect(await open(ada)).toContainEqual(expect.objectContaining({ status: 'open' }));
});

test.each(['older', 'later'] as const)('while the %s one is archived there is no question', async (which) => {
  const ada = await doubting();
  const [older, newer] = [await statement(ada, old), await statement(ada, later)];
  const { id } = which === 'older' ? older : newer;
  const { ownerNo } = await world.deps.db.memory.findFirstOrThrow({
    where: { instanceNumber: ada.access.instanceNumber, id: fromPublicId('memory', id)! },
  });
  await archiveMemories(world.deps, ada.access, { ownerNo, ids: [fromPublicId('memory', id)!] });
  expect((await statement(ada, old)).possiblyOutdatedBy).toBeNull();
  await world.app.restoreMemory(ada.access, id, ada.named);
  expect((await statement(ada, old)).possiblyOutdatedBy).toBe(newer.id);
});

test.each(['older', 'later'] as const)('the question is forgotten with the %s one', async (which) => {
  const ada = await doubting();
  const gone = await statement(ada, which === 'older' ? old : later);
  await world.app.forgetMemory(ada.access, gone.id, { ...ada.named, cascade: false });
  expect(await open(ada)).toEqual([]);
  const left = (await statements(ada)).find(({ content }) => [old, later].includes(content));
  expect(left).toMatchObject({ status: 'active', possiblyOutdatedBy: null });
});

test('forgetting a person forgets their questions, and nobody else’s', async () => {
  const ada = await doubting();
  const bob = await doubting('bob', { access: ada.access });
  await world.app.forgetOwner(ada.access, ada.named);
  expect(await open(ada)).toHaveLength(1);
  expect((await statement(bob, old)).possiblyOutdatedBy).toBe((await statement(bob, later)).id);
});

test('what somebody else said outdates nothing', async () => {
  const ada = await world.user('ada');
  const bob = await world.user('bob', { access: ada.access });
  await ada.says(old, day(1));
  await bob.says(later, day(9));
  expect(await statement(ada, old)).toMatchObject({ possiblyOutdatedBy: null });
});

test('the block of a prompt marks it as data', async () => {
  const ada = await doubting();
  const newer = await statement(ada, later);
  const asked = { format: 'prompt' as const, minRelevance: 0, types: ['temporal_events'] as const };
  const { prompt } = await ada.fetches('When is the launch?', asked);
  const line = prompt!.split('\n').find((each) => each.includes(old));
  expect(line).toContain(` possibly-outdated-by="${newer.id}"`);
});
