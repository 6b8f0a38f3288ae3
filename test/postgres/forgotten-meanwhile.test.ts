import { expect, test } from 'vitest';
import { writeTransaction } from '../../src/domain/invalidation/write-transaction.ts';
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
