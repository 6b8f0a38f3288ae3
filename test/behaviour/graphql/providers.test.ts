import { expect, test } from 'vitest';
import { newUuid } from '../../../src/domain/ids.ts';
import { hashSecret, newSecret } from '../../../src/domain/tenancy/credentials.ts';
import { openDoors } from '../../support/open-doors.ts';

const doors = openDoors();
const { world } = doors;

const choose = `mutation ($input: SetProvidersInput!) { setProviders(input: $input) {
  __typename
  ... on Configuration { version state inference { extraction embedding } }
  ... on InvalidInput { fields { field message } }
} }`;

async function tokenOf(role: 'owner' | 'viewer') {
  const token = newSecret('admin');
  await world.deps.db.adminToken.create({ data: { id: newUuid(), hash: hashSecret(token), role } });
  return token;
}

test('an administrator chooses the models of an instance: a new configuration, an audit row, and memories embedded anew', async () => {
  const { access, key, id } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('Rosalind repaired the harmonium in the chapel.');
  const admin = await tokenOf('owner');
  const input = { instanceId: id, embedding: 'none' };
  const told = await doors.ask(admin, choose, { input });
  expect(told.json().data.setProviders).toEqual({
    __typename: 'Configuration',
    version: 2,
    state: 'ACTIVE',
    inference: { extraction: 'default', embedding: 'none' },
  });
  const audit = await world.deps.db.audit.findMany({
    where: { instanceNumber: access.instanceNumber, action: 'providers.choose' },
  });
  expect(audit.map((row) => access.keys.open('audit.after', row.id, row.after!))).toEqual([
    '{"extraction":"default","embedding":"none"}',
  ]);
  const embedding = async () =>
    (
      await doors.ask(
        key,
        '{ instance { activeVersion embedding { model reembedding { model done total startedAt } } } }',
      )
    ).json().data.instance;
  await expect
    .poll(embedding, { timeout: 20_000 })
    .toEqual({ activeVersion: 2, embedding: { model: 'none', reembedding: null } });
  const states = (await doors.ask(key, '{ configurations { nodes { version state } } }')).json().data.configurations
    .nodes;
  expect(states).toEqual([
    { version: 2, state: 'ACTIVE' },
    { version: 1, state: 'SUPERSEDED' },
  ]);
  const fetched = await doors.send(key, 'POST', '/v1/context/fetch', { search_queries: ['harmonium'], user_id: 'ada' });
  expect(fetched.json()).toMatchObject({ warnings: [], memories: [{ content: expect.stringMatching(/harmonium/) }] });
  expect((await doors.send(key, 'GET', '/v1/instance')).json()).toMatchObject({
    instance_id: id,
    active_version: 2,
    embedding: { model: 'none', reembedding: null },
  });
});

test.each([
  { case: 'a name that the deployment does not have', input: { embedding: 'nobody' }, field: 'embedding' },
  { case: 'the embedding model as one that extracts', input: { extraction: 'shipped' }, field: 'extraction' },
  { case: 'nothing', input: { embedding: '' }, field: 'embedding' },
])('$case is refused, and nothing changes', async ({ input, field }) => {
  const { id, key } = await world.instance();
  const told = await doors.ask(await tokenOf('owner'), choose, { input: { instanceId: id, ...input } });
  expect(told.json().data.setProviders).toMatchObject({ __typename: 'InvalidInput', fields: [{ field }] });
  expect((await doors.ask(key, '{ instance { activeVersion } }')).json().data.instance.activeVersion).toBe(1);
});

test('a viewer and a key choose nothing; two at once are two versions', async () => {
  const { access, id, key } = await world.instance();
  for (const credential of [await tokenOf('viewer'), key]) {
    const told = await doors.ask(credential, choose, { input: { instanceId: id, extraction: 'none' } });
    expect(told.text).toContain('"forbidden"');
  }
  const admin = await world.app.accessAsAdmin(world.admin, access.instance);
  const both = await Promise.all(
    ['none', 'default'].map((extraction) => world.app.setProviders(admin, { extraction })),
  );
  expect(both.map(({ version }) => version).toSorted()).toEqual([2, 3]);
});
