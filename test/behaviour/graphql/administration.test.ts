import { beforeAll, expect, test } from 'vitest';
import { openDoors, type Doors } from '../../support/open-doors.ts';
import { newAdminToken } from '../rest/open-server.ts';

const doors: Doors = openDoors();
let owner: string;
let viewer: string;

beforeAll(async () => {
  owner = await newAdminToken(doors.world, 'owner');
  viewer = await newAdminToken(doors.world, 'viewer');
});

const ask = async (text: string, token = owner) => (await doors.ask(token, text)).json();
const problem = '... on Problem { message }';

test('a client and its instance go through their lives, and the audit tells it', async () => {
  const made = await ask(`mutation { createClient(name: "Clinic") { ... on Client { id state } ${problem} } }`);
  const { id } = made.data.createClient;
  const early = await ask(`mutation { changeClientState(id: "${id}", event: PURGE) { __typename ${problem} } }`);
  expect(early.data.changeClientState).toMatchObject({
    __typename: 'Conflict',
    message: expect.stringContaining('deactivate'),
  });
  await ask(`mutation { renameClient(id: "${id}", name: "Practice") { __typename } }`);
  await ask(`mutation { changeClientState(id: "${id}", event: DEACTIVATE) { __typename } }`);
  const read = await ask(
    `{ client(id: "${id}") { name state usage { nodes { apiCalls } } audit { nodes { action before after } } } }`,
    viewer,
  );
  expect(read.data.client).toMatchObject({ name: 'Practice', state: 'INACTIVE', usage: { nodes: [] } });
  expect(read.data.client.audit.nodes.map(({ action }: { action: string }) => action)).toEqual([
    'client.deactivate',
    'client.rename',
    'client.create',
  ]);
  expect(read.data.client.audit.nodes[1]).toMatchObject({ before: { name: 'Clinic' }, after: { name: 'Practice' } });
});

test('an instance is made for a client that is there and active', async () => {
  const made = await ask(`mutation { createClient(name: "Clinic") { ... on Client { id } } }`);
  const { id } = made.data.createClient;
  const create = (clientId: string) =>
    ask(`mutation { createInstance(input: { name: "Intake", clientId: "${clientId}" }) {
      __typename ... on Instance { state client { id } } ... on InvalidInput { fields { field message } } } }`);
  expect((await create(id)).data.createInstance).toMatchObject({ state: 'ACTIVE', client: { id } });
  expect((await create('cli_0000000000000000')).data.createInstance).toEqual({
    __typename: 'InvalidInput',
    fields: [{ field: 'clientId', message: 'is not the id of a client' }],
  });
  await ask(`mutation { changeClientState(id: "${id}", event: DEACTIVATE) { __typename } }`);
  expect((await create(id)).data.createInstance.__typename).toBe('Conflict');
});

test('an instance is suspended, told of, and purged', async () => {
  const { id } = await doors.world.instance();
  const move = (event: string) =>
    ask(`mutation { changeInstanceState(id: "${id}", event: ${event}) { ... on Instance { state } ${problem} } }`);
  expect((await move('SUSPEND')).data.changeInstanceState).toEqual({ state: 'SUSPENDED' });
  expect((await move('ARCHIVE')).data.changeInstanceState).toEqual({ state: 'ARCHIVED' });
  const read = await ask(
    `{ instance(id: "${id}") { stats { documents memories { active } } } expiringMemories(instanceId: "${id}") { retention { baseDays } nodes { id } } }`,
  );
  expect(read.data).toMatchObject({
    instance: { stats: { documents: 0 } },
    expiringMemories: { retention: { baseDays: 365 }, nodes: [] },
  });
  const purged = await ask(`mutation { purgeInstance(id: "${id}") { ... on Instance { state } ${problem} } }`);
  expect(purged.data.purgeInstance).toEqual({ state: 'PURGED' });
});

test('knowledge is imported for everybody, and must name nobody', async () => {
  const { id } = await doors.world.instance();
  const send = (more: string) =>
    ask(`mutation { importWorldKnowledge(instanceId: "${id}", documents: [{ document: { text: "The clinic opens at seven." }, documentType: NOTE${more} }]) {
      __typename ... on WorldKnowledgeImport { total ingestionIds } ${problem} } }`);
  expect((await send('')).data.importWorldKnowledge).toMatchObject({
    total: 1,
    ingestionIds: [expect.stringMatching(/^ing_/)],
  });
  expect((await send(', userId: "ada"')).data.importWorldKnowledge).toMatchObject({ __typename: 'InvalidInput' });
  const nothing = await ask(`mutation { importWorldKnowledge(instanceId: "${id}", documents: []) { __typename } }`);
  expect(nothing.data.importWorldKnowledge).toEqual({ __typename: 'InvalidInput' });
});

test('owners give and take roles; nobody else does, and a viewer changes nothing', async () => {
  const made = await ask('mutation { createAdminToken(role: ADMIN) { secret adminToken { id role } } }');
  const { secret, adminToken } = made.data.createAdminToken;
  const refused = await ask('mutation { createAdminToken(role: OWNER) { secret } }', secret);
  expect(refused.errors[0].extensions.code).toBe('forbidden');
  expect((await ask(`mutation { createClient(name: "x") { __typename } }`, viewer)).errors[0].extensions.code).toBe(
    'forbidden',
  );
  expect((await ask(`mutation { createClient(name: "x") { __typename } }`, secret)).data.createClient.__typename).toBe(
    'Client',
  );
  await ask(`mutation { revokeAdminToken(id: "${adminToken.id}") { __typename } }`);
  expect((await doors.ask(secret, '{ clients { nodes { id } } }')).status).toBe(401);
  const listed = await ask('{ adminTokens { nodes { id revokedAt } } }');
  expect(listed.data.adminTokens.nodes).toContainEqual({ id: adminToken.id, revokedAt: expect.any(String) });
  const kept = await doors.world.deps.db.audit.findMany({ where: { target: adminToken.id }, orderBy: { at: 'asc' } });
  expect(kept.map(({ action, actor }) => [action, actor.slice(0, 6)])).toEqual([
    ['admin-token.create', 'admin:'],
    ['admin-token.revoke', 'admin:'],
  ]);
});
