import { expect, test } from 'vitest';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { transaction } from '../../src/db/database.ts';
import { isOnPostgres } from '../support/place-database.ts';
import { day } from '../support/person.ts';
import { openWorld } from '../support/world.ts';

/** The clock of whoever stores memories, compared with that of whoever watches. */
let behindMs = 0;
const world = openWorld({ now: () => new Date(Date.now() - behindMs) });

/** What a subscription told so far. */
function watch(access: Access, isNewOnly: boolean) {
  const stopping = new AbortController();
  const told: string[] = [];
  const watching = async () => {
    for await (const { content } of world.app.watchMemories(access, { isNewOnly }, stopping.signal)) told.push(content);
  };
  void watching();
  return { told, [Symbol.dispose]: () => stopping.abort() };
}

test('a memory is new though the clock of the worker that stored it is behind', async () => {
  const ada = await world.user('ada');
  await ada.says('I am allergic to peanuts.', day(1));
  using news = watch(ada.access, true);
  await new Promise((resolve) => setTimeout(resolve, 200)); // it has begun
  behindMs = 5_000;
  await ada.says('I live in Leeds.', day(2));
  behindMs = 0;
  await expect.poll(() => news.told.join()).toContain('Leeds');
  expect(news.told.join()).not.toContain('peanuts');
});

test.runIf(isOnPostgres())(
  'a change is told that began before the subscription and was committed after it',
  async () => {
    const ada = await world.user('ada');
    const bob = await world.user('bob', { access: ada.access });
    await ada.says('I live in Leeds.', day(1));
    const { instanceNumber } = ada.access;
    const { db, memoryFeed } = world.deps;
    const [memory] = await db.memory.findMany({ where: { instanceNumber } });
    let commit!: () => void;
    const isWatched = new Promise<void>((resolve) => (commit = resolve));
    let begun!: () => void;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const change = transaction(db, async (tx) => {
      await tx.memory.updateMany({ where: { instanceNumber }, data: { status: 'active' } });
      begun();
      await isWatched;
    });
    await hasBegun;
    await bob.says('I live in York.', day(1)); // this change has a higher number
    using changes = watch(ada.access, false);
    await expect
      .poll(async () => {
        await bob.says(`I own ${Math.random()} boats.`, day(2));
        return changes.told.length;
      })
      .toBeGreaterThan(0);
    expect(changes.told.join()).not.toContain('Leeds');
    commit();
    await change;
    memoryFeed.publish([{ instanceNumber, ownerNo: memory!.ownerNo, revision: 0n }]);
    await expect.poll(() => changes.told.join()).toContain('Leeds');
    expect(changes.told.join()).not.toContain('York');
  },
);
