import { expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import type { StatementClassifier } from '../../../src/domain/extraction/statement-classifier.ts';
import { parseId } from '../../../src/domain/ids.ts';
import { recordEvents } from '../../support/events.ts';
import { openWorld } from '../../support/world.ts';
import { chatter, talkIn, type Talk } from './talk.ts';

const world = openWorld();

/** A conversation that was compacted, with what was remembered of it. */
async function compacted(): Promise<Talk> {
  const ada = await talkIn(world);
  await ada.says('My sister is called Dana.', 'Always answer me in metric units.', ...chatter(6));
  await ada.remembered();
  await ada.compacts();
  return ada;
}

const memoriesOf = async ({ access }: Talk) =>
  (await world.app.memories(access, { userId: 'ada' }, { limit: 100 })).data;

test.each([{ cascade: false }, { cascade: true }])('a memory takes along what may hold its words: %o', async (how) => {
  const ada = await compacted();
  const dana = (await memoriesOf(ada)).find(({ type, content }) => type === 'facts' && content.includes('Dana'))!;
  const receipt = await world.app.forgetMemory(ada.access, dana.id, how);
  expect(receipt.removed.compactions).toBe(1);
  expect(await ada.versions()).toBe(0);
  const fetched = await world.app.fetchContext(ada.access, {
    searchQueries: ['units'],
    conversationId: ada.conversationId,
    explain: false,
  });
  expect(fetched.summary).toBeNull();
});

test('a memory that is corrected takes along what holds its former words, which are not condensed to again', async () => {
  const ada = await compacted();
  const units = (await memoriesOf(ada)).find(({ type, content }) => type !== 'episodes' && content.includes('metric'))!;
  await world.app.correctMemory(ada.access, units.id, { content: 'Always answer me in nautical units.' });
  expect(await ada.versions()).toBe(0);
  const { systemPrompt, narrative, pins, memories } = await ada.compacts();
  expect(JSON.stringify([systemPrompt, narrative, pins, memories])).not.toContain('metric');
  expect(systemPrompt).toContain('!Always answer me in nautical units.');
  expect(systemPrompt).toContain('Dana');
});

test('a memory of which only the type is corrected stays in the words that were said', async () => {
  const ada = await compacted();
  const before = await ada.compacts();
  const units = (await memoriesOf(ada)).find(({ type, content }) => type !== 'episodes' && content.includes('metric'))!;
  await world.app.correctMemory(ada.access, units.id, { type: units.type === 'facts' ? 'preferences' : 'facts' });
  expect((await ada.compacts()).pins).toEqual(before.pins);
});

test('corrected while it is compacted, nothing of the former words is left', async () => {
  const ada = await talkIn(world);
  await ada.says('Always answer me in metric units.', ...chatter(10));
  await ada.remembered();
  const units = (await memoriesOf(ada)).find(({ type, content }) => type !== 'episodes' && content.includes('metric'))!;
  await Promise.all([
    ...Array.from({ length: 4 }, (_, n) => ada.compacts({ strategy: 'balanced', targetTokens: 100 + n })),
    world.app.correctMemory(ada.access, units.id, { content: 'Always answer me in nautical units.' }),
  ]);
  for (const { id, body } of await world.deps.db.compaction.findMany({
    where: { instanceNumber: ada.access.instanceNumber },
  }))
    expect(ada.access.keys.open('compaction.body', id, body)).not.toContain('metric');
});

test('a document takes along what its conversation was condensed to', async () => {
  const ada = await compacted();
  const [memory] = await memoriesOf(ada);
  const receipt = await world.app.forgetDocument(ada.access, memory!.evidence[0]!.documentId, {});
  expect(receipt.removed.compactions).toBe(1);
  expect(await ada.versions()).toBe(0);
});

test('a user takes all of theirs along, and no other’s', async () => {
  const ada = await compacted();
  const bob = await talkIn(world, { of: ada, named: { userId: 'bob' }, conversationId: 'mill' });
  await bob.says(...chatter(6));
  const { id, version, systemPrompt } = await bob.compacts();
  const receipt = await world.app.forgetOwner(ada.access, { userId: 'ada' });
  expect(receipt.removed.compactions).toBe(1);
  expect(await ada.versions()).toBe(1);
  const left = await world.app.compactions.version(ada.access, { conversationId: 'mill' });
  expect(left).toMatchObject({ id, version, systemPrompt });
  const gone = world.app.compactions.version(ada.access, { conversationId: ada.conversationId });
  await expect(gone).rejects.toMatchObject({ code: 'context_not_found' });
});

test('forgotten while it is compacted, nothing of it is left', async () => {
  const ada = await talkIn(world);
  await ada.says('My sister is called Dana.', ...chatter(10));
  await ada.remembered();
  const dana = (await memoriesOf(ada)).find(({ type, content }) => type === 'facts' && content.includes('Dana'))!;
  await Promise.allSettled([
    ...Array.from({ length: 4 }, (_, n) => ada.compacts({ strategy: 'balanced', targetTokens: 100 + n })),
    world.app.forgetMemory(ada.access, dana.id, { cascade: true }),
  ]);
  const rows = await world.deps.db.compaction.findMany({ where: { instanceNumber: ada.access.instanceNumber } });
  for (const row of rows) {
    expect(row.memoryIds).not.toContain(parseId('memory', dana.id));
    expect(ada.access.keys.open('compaction.body', row.id, row.body)).not.toContain('Dana');
  }
});

test('begun anew by somebody else while it is compacted, it is theirs alone', async () => {
  const ada = await talkIn(world);
  const bob = await talkIn(world, { of: ada, named: { userId: 'bob' } });
  const recorded = await recordEvents(world, ada.access);
  await ada.says(...chatter(3));
  let isForgotten = false;
  const statementClassifier: StatementClassifier = {
    async classify(utterances) {
      if (!isForgotten) {
        isForgotten = true;
        await world.app.forgetOwner(ada.access, { userId: 'ada' });
        await bob.says(...chatter(3, 'mill'));
      }
      return world.deps.statementClassifier.classify(utterances);
    },
  };
  const app = createApp({ ...world.deps, statementClassifier, ingestionWaitMs: 0 });
  const { systemPrompt } = await app.compactions.compact(ada.access, { conversationId: ada.conversationId });
  expect(systemPrompt).toContain('mill');
  expect(systemPrompt).not.toContain('harbour');
  const events = (await recorded()).filter(({ type }) => type === 'compaction.completed');
  expect(events).toMatchObject([{ data: { user_id: 'bob' } }]);
});

test('an export holds every version', async () => {
  const ada = await compacted();
  await ada.says(...chatter(5, 'mill'));
  await ada.compacts();
  const versions: number[] = [];
  for await (const exported of world.app.exportOwner(ada.access, { userId: 'ada' }))
    if ('compaction' in exported) versions.push(exported.compaction.version);
  expect(versions).toEqual([1, 2]);
});
