import { describe, expect, test } from 'vitest';
import { transaction } from '../../src/db/database.ts';
import { blockingKeysOf } from '../../src/domain/entities/blocking.ts';
import { saveMentions } from '../../src/domain/entities/entity-store.ts';
import { newUuid } from '../../src/domain/ids.ts';
import { entitiesOf, entityCalled, namesOf } from '../support/entities.ts';
import { day, type Person } from '../support/person.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

describe('what is linked by itself', () => {
  test.each([
    {
      case: 'a first name and the full one',
      said: ['I met Odile Brandt at the harbour.', 'Yesterday I cooked with Odile.'],
      names: [['Odile Brandt', 'Odile']],
    },
    {
      case: 'whichever comes first',
      said: ['Yesterday I cooked with Odile.', 'I met Odile Brandt at the harbour.'],
      names: [['Odile Brandt', 'Odile']],
    },
    {
      case: 'a title before the name',
      said: ['I wrote to Dr. Odile Brandt.', 'I met Odile Brandt at the harbour.'],
      names: [['Dr. Odile Brandt', 'Odile Brandt']],
    },
    {
      case: 'a nickname with the family name',
      said: ['I wrote to Robert Ferrars.', 'I met Bob Ferrars at the harbour.'],
      names: [['Robert Ferrars', 'Bob Ferrars']],
    },
    {
      case: 'a legal form',
      said: ['I work at Larkfield Motors.', 'My contract is with Larkfield Motors Ltd now.'],
      names: [['Larkfield Motors Ltd', 'Larkfield Motors']],
    },
    {
      case: 'a role, whatever it is called',
      said: ['My mom grows quinces.', 'I visited my mother on the coast.'],
      names: [['My mom']],
    },
    {
      case: 'a role with the name that is said beside it',
      said: ['My sister grows quinces.', 'I went to the coast with my sister Jorun.', 'Yesterday I cooked with Jorun.'],
      names: [['Jorun', 'My sister']],
    },
  ])('$case', async ({ said, names }) => {
    const ada = await world.user('ada');
    for (const [n, text] of said.entries()) await ada.says(text, day(n));
    const told = (await namesOf(world, ada)).map((each) => each.map((name) => name.toLowerCase()));
    expect(told).toEqual(names.map((each) => each.map((name) => name.toLowerCase())));
  });

  test('who is only asked about is nobody, until somebody tells of them', async () => {
    const ada = await world.user('ada');
    await ada.says('Who is my manager? And what should I cook for Tom?', day(1));
    expect(await namesOf(world, ada)).toEqual([]);
    await ada.says('I cooked with Tom. My manager is late.', day(2));
    await ada.says('Where does Tom live?', day(3));
    expect((await namesOf(world, ada)).map(([name]) => name!.toLowerCase()).toSorted()).toEqual(['my manager', 'tom']);
    expect(await entityCalled(world, ada, 'Tom')).toMatchObject({ mentions: 3 });
  });

  test('who is called by a word at the head of a sentence is somebody who is known', async () => {
    const ada = await world.user('ada');
    await ada.says('I went to the coast with Jorun.', day(1));
    await ada.says('Jorun! That was a fine walk, and the boat was late.', day(2));
    await ada.says('Honestly! That was a long walk, and the train was late.', day(3));
    expect(await namesOf(world, ada)).toEqual([['Jorun']]);
    expect((await entityCalled(world, ada, 'Jorun')).mentions).toBeGreaterThan(1);
  });
});

describe('what is kept apart', () => {
  test.each([
    { case: 'siblings', said: ['I met Odile Brandt at the harbour.', 'I wrote to Jorun Brandt.'] },
    { case: 'two who share a first name', said: ['I met Odile Brandt at the harbour.', 'I wrote to Odile Marsh.'] },
    { case: 'two sisters', said: ['I cooked with my sister Jorun.', 'I went to the coast with my sister Odile.'] },
    {
      case: 'a cousin and a country of one name',
      said: ['I cooked with my cousin Jordan.', 'We are flying to Jordan in May.'],
    },
    {
      case: 'whichever comes first',
      said: ['We are flying to Jordan in May.', 'I cooked with my cousin Jordan.'],
    },
    { case: 'a town and a person', said: ['We live in Florence.', 'I met Florence Marsh at the harbour.'] },
  ])('$case', async ({ said }) => {
    const ada = await world.user('ada');
    for (const [n, text] of said.entries()) await ada.says(text, day(n));
    const names = await namesOf(world, ada);
    const named = names.map((each) => each.filter((name) => !name.startsWith('my '))).filter((each) => each.length > 0);
    expect(named.map((each) => each.length)).toEqual([1, 1]);
  });

  test('of two namesakes each keeps what is said of its kind', async () => {
    const ada = await world.user('ada');
    await ada.says('We are flying to Jordan in May.', day(1));
    await ada.says('I cooked with my cousin Jordan.', day(2));
    const before = await entitiesOf(world, ada, 'Jordan');
    await ada.says('Yesterday I had lunch with Jordan.', day(3));
    const gained = (await entitiesOf(world, ada, 'Jordan')).map(({ id, kind, mentions }) => [
      kind,
      mentions > before.find((each) => each.id === id)!.mentions,
    ]);
    expect(gained.toSorted()).toEqual([
      ['person', true],
      ['place', false],
    ]);
  });

  test('two namesakes among hundreds who share the first name', async () => {
    const ada = await world.user('ada');
    await ada.says('My sister grows quinces.', day(1));
    await registerNames(
      ada,
      Array.from(
        { length: 450 },
        (_, n) => `jordan ${n.toString(26).replaceAll(/\d/gu, (digit) => 'qrstuvwxyz'[+digit]!)}marsh`,
      ),
    );
    await ada.says('We are flying to Jordan in May.', day(2));
    await ada.says('I cooked with my cousin Jordan.', day(3));
    const namesakes = await entitiesOf(world, ada, 'Jordan');
    expect(namesakes.map(({ kind }) => kind).toSorted()).toEqual(['person', 'place']);
  });

  async function registerNames({ access }: Person, normals: readonly string[]) {
    const { ownerNo } = await world.deps.db.owner.findFirstOrThrow({
      where: { instanceNumber: access.instanceNumber, userId: 'ada' },
    });
    const names = normals.map((normal) => ({
      id: newUuid(),
      normal,
      nameKey: access.keys.hash('name', normal),
      variant: 0,
      blocks: blockingKeysOf(normal, false).map((key) => access.keys.hash('name-block', key)),
    }));
    const home = { ownerNo, customerId: '' };
    await transaction(world.deps.db, (tx) => saveMentions(tx, access, home, { names, mentions: [], at: day(1) }));
  }

  test('the same role of two people', async () => {
    const ada = await world.user('ada', { customer: 'acme' });
    const bob = await world.user('bob', { access: ada.access, customer: 'acme' });
    await ada.says('My sister grows quinces.');
    await bob.says('My sister repairs harmoniums.');
    const [hers, his] = [await entityCalledRole(ada), await entityCalledRole(bob)];
    expect(hers).not.toBe(his);
  });

  const entityCalledRole = async (person: Parameters<typeof entitiesOf>[1]) =>
    (await entitiesOf(world, person)).find(({ name }) => name.includes('sister'))!.id;
});

describe('what is asked about', () => {
  test('a first name that two people bear', async () => {
    const ada = await world.user('ada');
    await ada.says('I met Odile Brandt at the harbour.', day(1));
    await ada.says('I wrote to Odile Marsh about the boat.', day(2));
    await ada.says('Yesterday I cooked with Odile.', day(3));
    expect(await namesOf(world, ada)).toHaveLength(3);
    const { data } = await world.app.reviews(ada.access, {}, { limit: 10 });
    for (const review of data) expect(review.features.map(({ name }) => name)).toContain('rivals');
  });

  test('a family name behind a courtesy', async () => {
    const ada = await world.user('ada');
    await ada.says('I met Odile Brandt at the harbour.', day(1));
    await ada.says('Mrs. Brandt repaired the harmonium.', day(2));
    expect(await namesOf(world, ada)).toEqual([['Mrs. Brandt'], ['Odile Brandt']]);
    const { data } = await world.app.reviews(ada.access, {}, { limit: 10 });
    expect(data).toHaveLength(1);
    const [review] = data;
    expect([review!.left.entity.name, review!.right.entity.name].toSorted()).toEqual(['Mrs. Brandt', 'Odile Brandt']);
    expect(review!.left.evidence[0]!.quote).toMatch(/Brandt/);
    expect(review!.features.map(({ name }) => name)).toContain('courtesy-and-family');
  });

  test.each([
    ['Jon Smith', 'John Smith'],
    ['Catherine Jones', 'Katherine Jones'],
  ])('one first name in two spellings, also within a document: %s and %s', async (one, other) => {
    const ada = await world.user('ada');
    await ada.says(`I met ${one} at the harbour. I wrote to ${other} about the boat.`, day(1));
    expect(await namesOf(world, ada)).toEqual([[one], [other]].toSorted());
    const { data } = await world.app.reviews(ada.access, {}, { limit: 10 });
    expect(data.map(({ features }) => features[0]!.name)).toEqual(['variant-and-family']);
  });

  test.each([
    { case: 'a nickname', spellings: ['Catherine Jones', 'Katherine Jones'], third: 'Kate Jones' },
    { case: 'a handle', spellings: ['Jon Smith', 'John Smith'], third: '@jsmith' },
  ])('two spellings, each of which $case fits', async ({ spellings: [one, other], third }) => {
    const ada = await world.user('ada');
    await ada.says(`I met ${one} at the harbour. I wrote to ${other} about the boat.`, day(1));
    await ada.says([{ role: 'user', content: 'I grow quinces.', name: third, timestamp: day(2) }], day(2));
    await ada.says(`I met ${one} and ${third}. I sang with ${other}.`, day(3));
    const names = await namesOf(world, ada);
    expect(names.flat().toSorted()).toEqual([one, other, third].toSorted());
    expect(names.some((each) => each.includes(one!) && each.includes(other!))).toBe(false);
    expect((await world.app.reviews(ada.access, {}, { limit: 10 })).data).not.toHaveLength(0);
  });

  test('a first name that only other users of the customer know in full', async () => {
    const ada = await world.user('ada', { customer: 'acme' });
    const bob = await world.user('bob', { access: ada.access, customer: 'acme' });
    await ada.says('I met Odile Brandt at the harbour.', day(1));
    await bob.says('Yesterday I cooked with Odile.', day(2));
    expect(await namesOf(world, bob)).toEqual([['Odile']]);
    expect((await world.app.reviews(ada.access, {}, { limit: 10 })).data).toHaveLength(1);
    for (const { named } of [ada, bob])
      // neither may see both sides
      expect((await world.app.reviews(ada.access, named, { limit: 10 })).data).toEqual([]);
  });
});

describe('what a reader sees', () => {
  test('names, spellings and counts of their own mentions only', async () => {
    const ada = await world.user('ada', { customer: 'acme' });
    const bob = await world.user('bob', { access: ada.access, customer: 'acme' });
    await ada.says('I wrote to ODILE BRANDT about the boat. Dr. Odile Brandt has a boat too.', day(1));
    await bob.says('I met Odile Brandt at the harbour.', day(2));
    const [his] = await entitiesOf(world, bob);
    const [hers] = await entitiesOf(world, ada);
    expect(his!.id).toBe(hers!.id);
    expect({ ...his, createdAt: undefined }).toMatchObject({ name: 'Odile Brandt', aliases: [] });
    expect(his!.mentions).toBeLessThan((await world.app.entity(ada.access, his!.id, {})).mentions);
    expect(await world.app.entities(ada.access, { ...bob.named, q: 'Dr. Odile Brandt' }, { limit: 10 })).toMatchObject({
      data: [],
    });
    expect((await world.app.entity(ada.access, his!.id, bob.named)).merges).toEqual([]);
  });

  test('a fetch finds what is said under another name', async () => {
    const ada = await world.user('ada');
    await ada.says('I met Robert Ferrars at the harbour.', day(1));
    await ada.says('Bob Ferrars keeps his bicycle under a tarpaulin.', day(2));
    const { memories } = await ada.fetches('What does Robert Ferrars keep outside?', { explain: true });
    expect(memories.map(({ content }) => content)).toContain('Bob Ferrars keeps his bicycle under a tarpaulin.');
    const ids = new Set(memories.flatMap(({ entities }) => entities.map(({ id }) => id)));
    expect(ids.size).toBe(1);
    const listed = await ada.memories({ entityId: [...ids][0], type: 'episodes' });
    expect(listed).toHaveLength(2);
  });
});

describe('forgetting', () => {
  test('what only a forgotten memory stated is not linked any more', async () => {
    const plain = await world.user('plain');
    const forgetful = await world.user('forgetful', { access: plain.access });
    for (const person of [plain, forgetful]) {
      await person.says('My sister grows quinces behind the barn.', day(1));
      await person.says('Yesterday I cooked with Jorun at the harbour.', day(2));
    }
    await forgetful.says('I went to the coast with my sister Jorun.', day(3), { documentId: 'secret' });
    expect(await namesOf(world, forgetful)).toHaveLength(1);
    await world.app.forgetDocument(forgetful.access, 'secret', {});
    expect(await namesOf(world, forgetful)).toHaveLength(2);
    expect(withoutKeys(await snapshotOf(world.deps, forgetful))).toEqual(
      withoutKeys(await snapshotOf(world.deps, plain)),
    );
  });

  test('a name in between goes without taking its others apart', async () => {
    const ada = await world.user('ada');
    await ada.says('I met Robert Ferrars at the harbour.', day(1), { documentId: 'full' });
    await ada.says('Bob Ferrars keeps bees.', day(2));
    await ada.says('I cooked with Bob yesterday.', day(3));
    expect(await namesOf(world, ada)).toHaveLength(1);
    await world.app.forgetDocument(ada.access, 'full', {});
    expect(await namesOf(world, ada)).toEqual([['Bob Ferrars', 'Bob']]);
  });
});

/** A role is whose it is, so that its keys are each user's own. */
const withoutKeys = ({ blocks, mentions, merges, ...rest }: Awaited<ReturnType<typeof snapshotOf>>) => ({
  ...rest,
  blocks: blocks.length,
  mentions: mentions.map(([content, , kind, name]) => [content, kind, name]),
  merges: merges.length,
});
