import { describe, expect, test } from 'vitest';
import { day, type Person } from '../support/person.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

const keys = 'The keys to the boat house are under the third flower pot.';
const chat = (role: string, content: string) => [{ role, content }];
const provenancesOf = async (person: Person) => (await person.memories()).map(({ provenance }) => provenance);
const residence = async (person: Person) =>
  (await person.memories({ status: 'active', type: 'facts', category: 'places' })).map(({ content }) => content);

test.each([
  ['user', 'user'],
  ['customer', 'user'],
  ['assistant', 'assistant'],
  ['AI', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['system', 'document'],
] as const)('what a turn of the role %s says is of %s', async (role, provenance) => {
  const ada = await world.user('ada');
  await ada.says(chat(role, keys));
  expect(new Set(await provenancesOf(ada))).toEqual(new Set([provenance]));
});

test.each([
  ['ai-chat-conversation', 'user'],
  ['meeting-transcript', 'user'],
  ['support-ticket', 'user'],
  ['note', 'user'],
  ['email', 'document'],
  ['document', 'document'],
  ['markdown', 'document'],
] as const)('what a %s says is of %s', async (documentType, provenance) => {
  const ada = await world.user('ada');
  await ada.says(keys, day(1), { documentType });
  expect(new Set(await provenancesOf(ada))).toEqual(new Set([provenance]));
});

test('an assistant stays one by whatever name it speaks', async () => {
  const ada = await world.user('ada');
  await ada.says([{ role: 'assistant', name: 'Aria', content: 'The boat house opens at seven on weekdays.' }]);
  expect(new Set(await provenancesOf(ada))).toEqual(new Set(['assistant']));
});

test('what an administrator imports for everybody is of import, whatever its turns say', async () => {
  const ada = await world.user('ada');
  const documents = [
    { document: chat('user', 'Our offices are closed on Mondays.'), documentType: 'note', mode: 'fast' },
  ] as const;
  const { results } = await world.app.administration.importWorldKnowledge(world.admin, ada.access.instance, documents);
  await world.app.awaitIngestion(ada.access, results[0]!.ingestion!.id, {
    ms: 20_000,
    signal: AbortSignal.timeout(20_000),
  });
  const { memories } = await ada.fetches('When are the offices closed?');
  expect(memories).toMatchObject([{ content: 'Our offices are closed on Mondays.', provenance: 'import' }]);
});

test('a corrected memory stays of whoever said it', async () => {
  const ada = await world.user('ada');
  await ada.says('The boat house opens at seven.', day(1), { documentType: 'markdown', documentId: 'manual' });
  const [memory] = await ada.memories({ type: 'facts' });
  const correction = { content: 'The boat house opens at eight.' };
  expect(await world.app.correctMemory(ada.access, memory!.id, correction)).toMatchObject({ provenance: 'document' });
  await world.app.forgetDocument(ada.access, 'manual', {});
  const left = await ada.memories();
  expect(new Set(left.map(({ content }) => content))).toEqual(new Set([correction.content]));
  for (const each of left) expect(each).toMatchObject({ provenance: 'document', confidence: 1 });
});

describe('of a statement that is said again', () => {
  const statement = 'I love hiking.';
  const again = 'I really love hiking!';
  const preference = async (person: Person) => (await person.memories({ type: 'preferences' }))[0]!;

  test('a document makes it no surer, and a person does', async () => {
    const ada = await world.user('ada');
    await ada.says(statement, day(1));
    const before = await preference(ada);
    for (const n of [2, 3, 4]) await ada.says(again, day(n), { documentType: 'email' });
    const echoed = await preference(ada);
    expect(echoed).toMatchObject({ confidence: before.confidence, provenance: 'user' });
    expect(echoed.evidence).toHaveLength(4);
    await ada.says(again, day(5));
    expect((await preference(ada)).confidence).toBeGreaterThan(before.confidence);
  });

  test('it is the user’s once they say it, and the document’s again when that is forgotten', async () => {
    const plain = await world.user('plain');
    const ada = await world.user('ada', { access: plain.access });
    for (const person of [plain, ada]) await person.says(keys, day(1), { documentType: 'email' });
    const provenances = async () => [...new Set((await ada.memories()).map(({ provenance }) => provenance))];
    expect(await provenances()).toEqual(['document']);
    await ada.says(keys, day(2), { documentId: 'said' });
    expect(await provenances()).toEqual(['user']);
    await world.app.forgetDocument(ada.access, 'said', {});
    expect(await snapshotOf(world.deps, ada)).toEqual(await snapshotOf(world.deps, plain));
  });

  test('it is the document’s when what the user said is forgotten', async () => {
    const ada = await world.user('ada');
    await ada.says(statement, day(1), { documentId: 'said' });
    await ada.says(again, day(2), { documentType: 'email' });
    await world.app.forgetDocument(ada.access, 'said', {});
    expect(await preference(ada)).toMatchObject({ provenance: 'document' });
  });
});

describe('a document that repeats what the user said before', () => {
  test('does not replace what they said since', async () => {
    const ada = await world.user('ada');
    await ada.says('I live in Leeds.', day(1));
    await ada.says('I moved to York.', day(9));
    await ada.says('I live in Leeds.', day(12), { documentType: 'email' });
    expect(await residence(ada)).toContain('I moved to York.');
    expect((await ada.recalls('Where do I live?'))[0]).toBe('I moved to York.');
    await ada.says('I live in Leeds.', day(20));
    expect(await residence(ada)).not.toContain('I moved to York.');
  });

  test('does not do so before the user has said otherwise, either', async () => {
    const ada = await world.user('ada');
    await ada.says('I live in Leeds.', day(1));
    await ada.says('I live in Leeds.', day(12), { documentType: 'email' });
    await ada.says('I moved to York.', day(9));
    expect(await residence(ada)).toEqual(['I moved to York.']);
  });
});

describe.each(['fast', 'accurate'] as const)('a fetch, %s,', (mode) => {
  test('finds only what the named said, however much else is nearer', async () => {
    const ada = await world.user('ada');
    for (let n = 0; n < 30; n++)
      await ada.says(chat('assistant', `The dentist of Ada is in street number ${n}.`), day(n % 9));
    await ada.says(chat('user', 'My dentist is somewhere near the old mill, I think.'), day(10));
    const ofUser = ['user'] as const;
    for (let n = 0; n < 2; n++) {
      const { memories } = await ada.fetches('Where is the dentist of Ada?', {
        mode,
        provenance: ofUser,
        minRelevance: 0,
      });
      expect(memories.map(({ content }) => content)).toEqual(['My dentist is somewhere near the old mill, I think.']);
      const others = await ada.fetches('Where is the dentist of Ada?', { mode, provenance: ['assistant', 'tool'] });
      expect(new Set(others.memories.map(({ provenance }) => provenance))).toEqual(new Set(['assistant']));
    }
  });

  test('without a question keeps to the named, too, and so does its prompt', async () => {
    const ada = await world.user('ada');
    await ada.says('Always answer in French.', day(1), { documentType: 'email' });
    await ada.says('Never call me before noon.', day(2));
    const context = await ada.fetches('', { searchQueries: [], mode, provenance: ['user'], format: 'prompt' });
    expect(new Set(context.memories.map(({ provenance }) => provenance))).toEqual(new Set(['user']));
    expect(context.prompt).toContain('by="user"');
    expect(context.prompt).not.toContain('French');
  });
});

test('a statement that a person confirms is found as theirs at once', async () => {
  const ada = await world.user('ada');
  await ada.says(keys, day(1), { documentType: 'email' });
  const ofUser = () => ada.recalls('Where are the keys to the boat house?', { mode: 'fast', provenance: ['user'] });
  for (let n = 0; n < 2; n++) expect(await ofUser()).toEqual([]);
  await ada.says(keys, day(2));
  for (let n = 0; n < 2; n++) expect(await ofUser()).toEqual([keys]);
});

test('lists are filtered by it', async () => {
  const ada = await world.user('ada');
  await ada.says(chat('assistant', 'The boat house opens at seven on weekdays.'), day(1));
  await ada.says('I love hiking.', day(2));
  expect(new Set((await ada.memories({ provenance: 'user' })).map(({ content }) => content))).toEqual(
    new Set(['I love hiking.']),
  );
  expect(await ada.memories({ provenance: 'tool' })).toEqual([]);
});
