import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { writeTransaction } from '../../src/domain/invalidation/write-transaction.ts';
import { addAccesses, deleteMemories } from '../../src/domain/memories/memory-store.ts';
import { saveUserCalls } from '../../src/domain/tenancy/activity-store.ts';
import { ownersOf, removeOwners } from '../../src/domain/tenancy/owner-store.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

test('the last call of a user that is saved while they are forgotten is not kept', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in York.');
  const { access, named } = ada;
  const { instanceNumber } = access;
  await writeTransaction(world.deps, async (tx) => {
    const owners = await ownersOf(tx, access, named);
    await removeOwners(
      tx,
      access,
      owners.map(({ ownerNo }) => ownerNo),
    );
    await saveUserCalls(world.deps.db, [{ instanceNumber, userId: 'ada', at: new Date() }]);
  });
  expect(await world.deps.db.userActivity.count({ where: { instanceNumber, userId: 'ada' } })).toBe(0);
});

test('accesses of a memory that are saved while it is forgotten are not kept', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in York.');
  const { instanceNumber } = ada.access;
  const ofInstance = { where: { instanceNumber } };
  const ids = (await world.deps.db.memory.findMany(ofInstance)).map(({ id }) => id);
  const accesses = ids.map((memoryId) => ({ instanceNumber, memoryId, count: 1, lastAt: new Date() }));
  await writeTransaction(world.deps, async (tx) => {
    await deleteMemories(tx, ada.access, ids);
    await addAccesses(world.deps.db, accesses);
  });
  expect(ids).not.toEqual([]);
  expect(await world.deps.db.memoryAccess.count(ofInstance)).toBe(0);
});

test('a browser token that is asked for while its user is forgotten is for the user who comes anew', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in York.');
  let asked: ReturnType<typeof world.app.createBrowserToken> | undefined;
  await writeTransaction(world.deps, async (tx) => {
    const owners = await ownersOf(tx, ada.access, ada.named);
    await removeOwners(
      tx,
      ada.access,
      owners.map(({ ownerNo }) => ownerNo),
    );
    asked = world.app.createBrowserToken(ada.access, { ...ada.named, ttlSeconds: 60 });
    await Promise.race([asked, pause(200)]).catch(() => undefined); // it waits for this transaction
  });
  expect((await asked!).record).toMatchObject({ userId: 'ada' });
});
