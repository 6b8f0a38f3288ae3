import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { countMentions } from '../../src/domain/entities/entity-store.ts';
import { enqueueUnfinishedReceipts } from '../../src/domain/erasure/finish-receipts.ts';
import { DomainError } from '../../src/domain/errors.ts';
import { newUuid, parseId, toPublicId } from '../../src/domain/ids.ts';
import { countRows } from '../../src/domain/memories/memory-store.ts';
import { countTerms } from '../../src/domain/search-index/term-store.ts';
import { day, type Person } from '../support/person.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();
const kept = [
  { role: 'assistant', content: 'What is new in the garden?' },
  { role: 'user', content: 'I planted twelve quince trees behind the barn with Rosalind.' },
];
const secret = 'The code of the garage door is Tangerine, and only Rosalind knows it.';

/** Two users of one instance: the second also says a secret, which is then forgotten. */
async function twins(): Promise<{ plain: Person; forgetful: Person }> {
  const plain = await world.user('plain');
  return { plain, forgetful: await world.user('forgetful', { access: plain.access }) };
}

test('after a document is forgotten the store equals one that never held it', async () => {
  const { plain, forgetful } = await twins();
  await plain.says(kept, day(1));
  await forgetful.says(kept, day(1));
  await forgetful.says(secret, day(2), { documentId: 'secret' });
  const receipt = await world.app.forgetDocument(forgetful.access, 'secret', {});
  expect(receipt.removed.rows).toBeGreaterThan(0);
  expect(receipt.remaining).toEqual({ rows: 0, vectors: 0, terms: 0, graphLinks: 0 });
  expect(await snapshotOf(world.deps, forgetful)).toEqual(await snapshotOf(world.deps, plain));
});

test('after a memory is forgotten with its evidence, its words are in no row', async () => {
  const { plain, forgetful } = await twins();
  await plain.says([...kept, { role: 'user', content: ' ' }], day(1));
  const { memoryIds } = await forgetful.says([...kept, { role: 'user', content: secret }], day(1));
  const memories = await world.app.memoriesByIds(forgetful.access, memoryIds);
  const told = memories.find((memory) => memory?.content.includes('Tangerine'))!;
  const receipt = await world.app.forgetMemory(forgetful.access, told.id, { cascade: true });
  expect(receipt.removed.turns).toBe(1);
  expect(receipt.alsoStatedIn.memoryIds).toEqual([]);
  const [left, never] = [await snapshotOf(world.deps, forgetful), await snapshotOf(world.deps, plain)];
  expect({ ...left, documents: [] }).toEqual({ ...never, documents: [] });
  expect(JSON.stringify(left)).not.toContain('Tangerine');
});

test('what was said before and after keeps nothing of a turn that is forgotten', async () => {
  const { plain, forgetful } = await twins();
  const talk = (middle: string) =>
    ['The heron stands in the reeds at dawn.', middle, 'The ferry to Ghent sails at dusk.'].map((content) => ({
      role: 'user',
      content,
    }));
  await plain.says(talk(' '), day(1));
  const { memoryIds } = await forgetful.says(talk(secret), day(1));
  const told = (await world.app.memoriesByIds(forgetful.access, memoryIds)).find((m) =>
    m?.content.includes('Tangerine'),
  )!;
  await world.app.forgetMemory(forgetful.access, told.id, { cascade: true });
  const [left, never] = [await snapshotOf(world.deps, forgetful), await snapshotOf(world.deps, plain)];
  expect(left.vectors).toEqual(never.vectors);
});

test('without a cascade the receipt tells where else it is said', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds.', day(1), { documentId: 'first' });
  const [fact] = await ada.memories({ type: 'facts' });
  const [episode] = await ada.memories({ type: 'episodes' });
  const receipt = await world.app.forgetMemory(ada.access, fact!.id, { cascade: false });
  expect(receipt.memoryIds).toEqual([fact!.id]);
  expect(receipt.alsoStatedIn.memoryIds).toEqual([episode!.id]);
  expect(await ada.recalls('Where do I live?')).toEqual(['I live in Leeds.']);
  expect(await world.app.receipt(ada.access, receipt.id)).toEqual(receipt);
});

test('what two documents say stays when one is forgotten, with the other as its evidence', async () => {
  const ada = await world.user('ada');
  await ada.says('My cello is a Stradivari copy of 1921.', day(1), { documentId: 'first' });
  await ada.says('My cello is a Stradivari copy of 1921.', day(2), { documentId: 'second' });
  await world.app.forgetDocument(ada.access, 'first', {});
  const { memories } = await ada.fetches('Which cello do I have?');
  expect(memories[0]!.evidence.map((evidence) => evidence.documentId)).toEqual(['second']);
});

test('a memory whose document is forgotten is indexed where another one says the same', async () => {
  const { plain, forgetful } = await twins();
  const cello = 'My cello is a Stradivari copy of 1921.';
  const talk = ['The heron stands in the reeds at dawn.', cello, 'The ferry to Ghent sails at dusk.'];
  const turns = talk.map((content) => ({ role: 'user', content }));
  await plain.says(turns, day(2));
  await forgetful.says(cello, day(1), { documentId: 'first' });
  await forgetful.says(turns, day(2));
  await world.app.forgetDocument(forgetful.access, 'first', {});
  const [left, never] = [await snapshotOf(world.deps, forgetful), await snapshotOf(world.deps, plain)];
  expect(left.vectors).toEqual(never.vectors);
});

test('a memory that stays where it stands holds since then, with what is noted of it there', async () => {
  const ada = await world.user('ada');
  const cello = 'My cello is a Stradivari copy of 1921.';
  await ada.says(cello, day(3), { documentId: 'call', metadata: { source: 'call' } });
  await ada.says(cello, day(1), { documentId: 'mail', metadata: { source: 'mail' } });
  await ada.says(cello, day(2), { documentId: 'note' });
  const before = await ada.memories();
  await world.app.forgetDocument(ada.access, 'note', {});
  const told = (memories: typeof before) =>
    memories.map(({ id, validFrom, metadata, conversationId }) => ({ id, validFrom, metadata, conversationId }));
  expect(told(await ada.memories())).toEqual(told(before));
  await world.app.forgetDocument(ada.access, 'call', {});
  for (const moved of await ada.memories())
    expect(moved).toMatchObject({ validFrom: day(1), metadata: { source: 'mail' } });
});

test('a statement whose evidence goes meanwhile keeps nothing else from being forgotten', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds.', day(1), { documentId: 'first' });
  await ada.says('I moved to York.', day(2), { documentId: 'second' });
  const { instanceNumber } = ada.access;
  const first = await world.deps.db.document.findFirstOrThrow({ where: { instanceNumber, externalId: 'first' } });
  await world.deps.db.memoryEvidence.deleteMany({ where: { instanceNumber, documentId: first.id } });
  const receipt = await world.app.forgetDocument(ada.access, 'second', {});
  expect(receipt.remaining.rows).toBe(0);
});

test('an erasure whose process dies behind its commit has a receipt, which is completed', async () => {
  const ada = await world.user('ada');
  await ada.says(secret, day(1), { documentId: 'secret' });
  const died = () => Promise.reject(new Error('the process died'));
  const dying = createApp({ ...world.deps, vectors: { ...world.deps.vectors, applyPending: died } });
  await expect(dying.forgetDocument(ada.access, 'secret', {})).rejects.toThrow('the process died');
  const where = { instanceNumber: ada.access.instanceNumber };
  const { id } = await world.deps.db.receipt.findFirstOrThrow({ where });
  const receipt = () => world.app.receipt(ada.access, toPublicId('receipt', id));
  const { removed, pending } = await receipt();
  expect(removed.rows).toBeGreaterThan(0);
  expect(pending).toContain('vectors');
  await world.deps.db.receipt.updateMany({ where, data: { createdAt: day(1) } });
  await enqueueUnfinishedReceipts(world.deps);
  await world.settle();
  expect(await receipt()).toMatchObject({
    removed,
    remaining: { rows: 0, vectors: 0, terms: 0, graphLinks: 0 },
    pending: [],
  });
});

test('a receipt that was stored with the former name of prefetched contexts is read', async () => {
  const ada = await world.user('ada');
  await ada.says(secret, day(1), { documentId: 'secret' });
  const receipt = await world.app.forgetDocument(ada.access, 'secret', {});
  await world.deps.db.$executeRaw`
    UPDATE receipt SET body = jsonb_set(body #- '{removed,prefetchedContexts}', '{removed,bundles}', '3')
    WHERE i = ${ada.access.instanceNumber}`;
  const { removed } = await world.app.receipt(ada.access, receipt.id);
  expect(removed).toEqual({ ...receipt.removed, prefetchedContexts: 3 });
});

test('a forgotten document frees its id', async () => {
  const ada = await world.user('ada');
  await ada.says('I collect stamps from Iceland.', day(1), { documentId: 'stamps' });
  await expect(ada.says('I collect coins.', day(2), { documentId: 'stamps' })).rejects.toMatchObject({
    code: 'duplicate_document',
  });
  await world.app.forgetDocument(ada.access, 'stamps', {});
  expect((await ada.says('I collect coins.', day(2), { documentId: 'stamps' })).status).toBe('completed');
});

test('whoever names another user forgets nothing of hers', async () => {
  const ada = await world.user('ada');
  const { memoryIds } = await ada.says('I collect stamps from Iceland.', day(1), { documentId: 'stamps' });
  const bob = { userId: 'bob' };
  await expect(world.app.forgetDocument(ada.access, 'stamps', bob)).rejects.toMatchObject({ code: 'not_found' });
  const forgetting = world.app.forgetMemory(ada.access, memoryIds[0]!, { ...bob, cascade: true });
  await expect(forgetting).rejects.toMatchObject({ code: 'not_found' });
  expect((await ada.memories()).map((memory) => memory.id).toSorted()).toEqual([...memoryIds].toSorted());
});

test('a user is forgotten everywhere, and nobody else loses anything', async () => {
  const ada = await world.user('ada');
  const bob = await world.user('bob', { access: ada.access });
  await ada.says(secret, day(1), { conversationId: 'talk' });
  await bob.says(kept, day(1));
  const before = await snapshotOf(world.deps, bob);
  await world.app.forgetOwner(ada.access, { userId: 'ada' });
  expect(await ada.memories()).toEqual([]);
  expect(await ada.recalls('What is the code of the garage door?')).toEqual([]);
  expect(await snapshotOf(world.deps, bob)).toEqual(before);
  await expect(world.app.forgetOwner(ada.access, { userId: 'ada' })).rejects.toThrow(DomainError);
});

test('an entity that nothing mentions any more is gone', async () => {
  const ada = await world.user('ada');
  const { memoryIds } = await ada.says('Rosalind repaired the old harmonium.', day(1));
  const named = async () => (await world.app.entities(ada.access, { q: 'rosalind' }, { limit: 10 })).data;
  expect((await named())[0]!.mentions).toBeGreaterThan(0);
  for (const id of memoryIds) await world.app.forgetMemory(ada.access, id, { cascade: false });
  expect(await named()).toEqual([]);
});

test('a receipt can count more memories than a statement takes values', async () => {
  const ada = await world.user('ada');
  const { memoryIds } = await ada.says(kept, day(1));
  const uuids = memoryIds.map((id) => parseId('memory', id));
  const many = [...uuids, ...Array.from({ length: 70_000 }, () => newUuid())];
  const counted = await Promise.all(
    [countRows, countTerms, countMentions].map((count) => count(world.deps.db, ada.access, many)),
  );
  const few = await Promise.all(
    [countRows, countTerms, countMentions].map((count) => count(world.deps.db, ada.access, uuids)),
  );
  expect(counted).toEqual(few);
  expect(Math.min(...few)).toBeGreaterThan(0);
});
