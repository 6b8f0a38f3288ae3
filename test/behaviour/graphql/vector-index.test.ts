import { expect, test } from 'vitest';
import { newUuid } from '../../../src/domain/ids.ts';
import { hashSecret, newSecret } from '../../../src/domain/tenancy/credentials.ts';
import { openDoors } from '../../support/open-doors.ts';

const doors = openDoors();
const { world } = doors;

const repair = `mutation ($id: ID!) { repairVectorIndex(instanceId: $id) {
  __typename ... on VectorIndex { memories vectors waiting }
} }`;

async function tokenOf(role: 'owner' | 'viewer') {
  const token = newSecret('admin');
  await world.deps.db.adminToken.create({ data: { id: newUuid(), hash: hashSecret(token), role } });
  return token;
}

test('an administrator has the vectors compared with the memories, and both are mended', async () => {
  const { access, key, id } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('Rosalind repaired the harmonium in the chapel. We live in Ghent.');
  const { instanceNumber } = access;
  const memories = await world.deps.db.memory.count({ where: { instanceNumber } });
  await world.deps.db.$executeRaw`
    UPDATE memory_vector SET memory_id = gen_random_uuid()
    WHERE i = ${instanceNumber} AND memory_id = (SELECT memory_id FROM memory_vector WHERE i = ${instanceNumber} LIMIT 1)`;
  const told = await doors.ask(await tokenOf('owner'), repair, { id });
  expect(told.json().data.repairVectorIndex).toEqual({
    __typename: 'VectorIndex',
    memories,
    vectors: memories, // one of them of nobody
    waiting: 0,
  });
  await world.settle();
  const left = await world.deps.db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM memory_vector v JOIN memory m ON m.i = v.i AND m.id = v.memory_id
    WHERE v.i = ${instanceNumber} AND v.is_complete`;
  expect(left[0]!.count).toBe(memories);
  const state = await doors.ask(key, '{ instance { vectorIndex { memories vectors waiting } } }');
  expect(state.json().data.instance.vectorIndex).toEqual({ memories, vectors: memories, waiting: 0 });
  expect(await world.deps.db.audit.count({ where: { instanceNumber, action: 'vectors.repair' } })).toBe(1);
});

test('whoever may only look, and an instance key, may not have them repaired', async () => {
  const { key, id } = await world.instance();
  for (const credential of [await tokenOf('viewer'), key]) {
    const refused = await doors.ask(credential, repair, { id });
    expect(refused.json().errors[0].extensions.code).toBe('forbidden');
  }
  const unknown = await doors.ask(await tokenOf('owner'), repair, { id: 'inst_0000000000000000' });
  expect(unknown.json().data.repairVectorIndex.__typename).toBe('NotFound');
});
