import { beforeAll, describe, expect, test, vi } from 'vitest';
import { clientTransitions, instanceTransitions } from '../../../src/domain/administration/state-machines.ts';
import { instanceNumberOf, parseInstanceId } from '../../../src/domain/ids.ts';
import { newAdminToken, openServer, type Agent, type Reply } from './open-server.ts';

const server = openServer();
let owner: Agent;
let viewer: Agent;

beforeAll(async () => {
  owner = server.agentWith(await newAdminToken(server.world, 'owner'));
  viewer = server.agentWith(await newAdminToken(server.world, 'viewer'));
});

type Json = Record<string, any>;
const json = (reply: Reply) => reply.json<Json>();
const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  owner.send('POST', `/v1/admin${path}`, { ...(body === undefined ? {} : { body }), headers });
const get = async (path: string) => json(await viewer.send('GET', `/v1/admin${path}`));

async function newClient() {
  return String(json(await post('/clients', { name: 'Clinic on the Hill' }))['client_id']);
}
async function newInstance(client?: string) {
  const { instance_id: id } = json(
    await post('/instances', { name: 'desk', ...(client ? { client_id: client } : {}) }),
  );
  const { api_key: key } = json(await post(`/instances/${id}/keys`, { label: 'agent' }));
  return { id: String(id), agent: server.agentWith(String(key)) };
}

async function newOnboarding() {
  const { instance_id: id } = json(await post('/onboarding', { client_name: 'Clinic', instance_name: 'desk' }));
  return { id: String(id) };
}

/** Each event has a route of its own. */
const move = (path: string, event: string) =>
  event === 'purge' ? owner.send('DELETE', `/v1/admin${path}`) : post(`${path}/${event}`);

describe('states', () => {
  // How a client or an instance gets into a state.
  const ways = {
    client: {
      active: [],
      inactive: ['deactivate'],
      archived: ['deactivate', 'archive'],
      purged: ['deactivate', 'archive', 'purge'],
    },
    instance: { provisioning: [], active: [], suspended: ['suspend'], archived: ['archive'] },
  } as const;

  test.each(Object.entries(ways.client))('a client that is %s knows the events of its row', async (state, way) => {
    for (const [event, next] of Object.entries(clientTransitions[state as keyof typeof clientTransitions])) {
      const path = `/clients/${await newClient()}`;
      for (const each of way) await move(path, each);
      const told = await move(path, event);
      expect([event, told.status]).toEqual([event, next ? 200 : 409]);
      expect((await get(path))['state']).toBe(next ?? state);
    }
  });

  test.each(Object.entries(ways.instance))('an instance that is %s knows the events of its row', async (state, way) => {
    const events = Object.entries(instanceTransitions[state as keyof typeof instanceTransitions]);
    for (const [event, next] of events.filter(([name]) => name !== 'complete')) {
      const { id } = await (state === 'provisioning' ? newOnboarding() : newInstance());
      const path = `/instances/${id}`;
      for (const each of way) await move(path, each);
      const told = await move(path, event);
      const done = event === 'purge' ? 202 : 200; // what a purge removes goes in the background
      expect([event, told.status]).toEqual([event, next ? done : 409]);
      expect((await get(path))['state']).toBe(next ?? state);
    }
  });

  test('every state of every table is reached, or shown to be an end', () => {
    expect(Object.keys(ways.client)).toEqual(Object.keys(clientTransitions));
    expect(Object.keys(instanceTransitions)).toEqual([...Object.keys(ways.instance), 'purged']);
    expect(Object.values(instanceTransitions.purged).every((next) => next === null)).toBe(true);
  });

  test.each([
    {
      case: 'a suspended instance',
      path: (_: string, instance: string) => `/instances/${instance}/suspend`,
      back: (_: string, instance: string) => `/instances/${instance}/resume`,
    },
    {
      case: 'an inactive client',
      path: (client: string) => `/clients/${client}/deactivate`,
      back: (client: string) => `/clients/${client}/activate`,
    },
  ])('$case answers 403 from the next call, and its keys again when it is back', async ({ path, back }) => {
    const client = await newClient();
    const { id, agent } = await newInstance(client);
    const status = async () => (await agent.send('GET', '/v1/memories')).status;
    expect(await status()).toBe(200);
    await post(path(client, id));
    expect(await status()).toBe(403);
    await post(back(client, id));
    expect(await status()).toBe(200);
  });

  test('a client keeps its instances until they are purged, and takes none when it is not active', async () => {
    const client = await newClient();
    const { id } = await newInstance(client);
    await post(`/clients/${client}/deactivate`);
    expect((await post('/instances', { name: 'late', client_id: client })).status).toBe(409);
    await post(`/clients/${client}/archive`);
    expect((await owner.send('DELETE', `/v1/admin/clients/${client}`)).status).toBe(409);
    await post(`/instances/${id}/archive`);
    await owner.send('DELETE', `/v1/admin/instances/${id}`);
    expect((await owner.send('DELETE', `/v1/admin/clients/${client}`)).status).toBe(200);
    expect(await get(`/clients/${client}`)).toMatchObject({ state: 'purged', name: '' });
  });
});

test('an instance of no client that there is: the field is named', async () => {
  for (const client of ['nobody', 'cli_0000000000000000']) {
    expect(json(await post('/instances', { name: 'x', client_id: client }))).toMatchObject({
      errors: [{ field: 'client_id' }],
    });
  }
});

test('a purged instance opens to nobody, tells how far its purge is, and its neighbour does not notice', async () => {
  const { id, agent } = await newInstance();
  const neighbour = await newInstance();
  await agent.remembers('Ottoline keeps bees in Brambleford.', { user_id: 'ada' });
  await neighbour.agent.remembers('I keep ducks.', { user_id: 'bob' });
  await post(`/instances/${id}/archive`);
  const purge = () => owner.send('DELETE', `/v1/admin/instances/${id}`);
  const purged = json(await purge());
  expect(purged).toMatchObject({ state: 'purged', name: '', completed_at: null, remaining: {} });
  expect((await agent.send('GET', '/v1/memories')).status).toBe(403);
  expect((await owner.send('GET', `/v1/admin/instances/${id}/stats`)).status).toBe(404);
  await vi.waitUntil(
    async () =>
      (await server.world.deps.db.memory.count({
        where: { instanceNumber: instanceNumberOf(parseInstanceId(id)) },
      })) === 0,
    10_000,
  );
  const again = json(await purge());
  expect(again).toMatchObject({ receipt_id: purged['receipt_id'], removed: { memory: expect.any(Number) } });
  const { data } = json(await neighbour.agent.send('GET', '/v1/memories'));
  expect(data.length).toBeGreaterThan(0);
});

test('every change is in the audit of its client: who, from what, to what; sealed at rest', async () => {
  const client = await newClient();
  const { id } = await newInstance(client);
  await owner.send('PATCH', `/v1/admin/clients/${client}`, { body: { name: 'Quillfeather' } });
  await owner.send('PATCH', `/v1/admin/instances/${id}`, { body: { name: 'Hawksworth' } });
  const [key] = (await get(`/instances/${id}/keys`))['data'];
  await owner.send('DELETE', `/v1/admin/instances/${id}/keys/${key.key_id}`);
  await post(`/instances/${id}/suspend`);
  await post(`/clients/${client}/deactivate`);
  await viewer.send('POST', `/v1/admin/clients/${client}/activate`); // refused: nothing to tell
  const { data } = await get(`/clients/${client}/audit`);
  expect(data.map(({ action, target }: Json) => [action, target])).toEqual([
    ['client.deactivate', client],
    ['instance.suspend', id],
    ['key.revoke', key.key_id],
    ['instance.rename', id],
    ['client.rename', client],
    ['key.create', key.key_id],
    ['instance.create', id],
    ['client.create', client],
  ]);
  expect(data[3]).toMatchObject({
    before: { name: 'desk', state: 'active' },
    after: { name: 'Hawksworth', state: 'active' },
  });
  expect(data[4]).toMatchObject({ before: { name: 'Clinic on the Hill' }, after: { name: 'Quillfeather' } });
  expect(new Set(data.map(({ actor }: Json) => actor)).size).toBe(1);
  const rows = await server.world.deps.db.audit.findMany({ where: { target: { in: [client, id] } } });
  const atRest = rows
    .map(({ before, after }) => Buffer.concat([before ?? Buffer.of(), after ?? Buffer.of()]).toString('latin1'))
    .join();
  expect(atRest).not.toMatch(/Quillfeather|Hawksworth|Clinic/);
});

test('pages follow one another without a gap, and a filter holds on each', async () => {
  const client = await newClient();
  const made = [];
  for (let n = 0; n < 5; n++) made.push((await newInstance(client)).id);
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await get(`/instances?client_id=${client}&limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...page['data'].map(({ instance_id: id }: Json) => id));
    cursor = page['next_cursor'] ?? '';
  } while (cursor);
  expect(seen.toSorted()).toEqual(made.toSorted());
  const first = await get(`/clients/${client}/audit?limit=4`);
  const second = await get(`/clients/${client}/audit?limit=100&cursor=${first['next_cursor']}`);
  expect(first['data'].length + second['data'].length).toBe(11);
  expect((await get('/clients?limit=1'))['next_cursor']).not.toBeNull();
  expect((await get(`/instances/${made[0]}/keys`))['data']).toHaveLength(1);
});

describe('a repeated POST', () => {
  const repeat = { 'Idempotency-Key': 'once' };

  test('makes one client', async () => {
    const [first, second] = [
      await post('/clients', { name: 'Once' }, repeat),
      await post('/clients', { name: 'Once' }, repeat),
    ];
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await post('/clients', { name: 'Twice' }, repeat)).status).toBe(409);
  });

  test('never shows a secret again', async () => {
    const { id } = await newInstance();
    const make = () => post(`/instances/${id}/keys`, { label: 'two' }, { 'Idempotency-Key': 'a-key' });
    const [first, second] = [json(await make()), json(await make())];
    expect(first['api_key']).toMatch(/^presage_/);
    expect(second).toEqual({ ...first, api_key: null });
  });
});

test('what is imported for the world is found by whoever asks in the instance, and belongs to nobody', async () => {
  const { id, agent } = await newInstance();
  const documents = [
    { document: 'The clinic in Brambleford opens at seven.', document_type: 'note', document_id: 'hours' },
  ];
  const batch = json(await post(`/instances/${id}/world-import`, { documents }));
  expect(batch).toMatchObject({ total: 1, succeeded: 1 });
  await server.world.settle();
  const ask = async (of: Agent) =>
    json(
      await of.send('POST', '/v1/context/fetch', {
        body: { search_query: 'When does the clinic open?', user_id: 'ada' },
      }),
    )['memories'];
  expect(await ask(agent)).toContainEqual(
    expect.objectContaining({ scope: 'WORLD', user_id: null, content: expect.stringContaining('seven') }),
  );
  expect(await ask((await newInstance()).agent)).toEqual([]);
  await post(`/instances/${id}/suspend`);
  expect((await post(`/instances/${id}/world-import`, { documents })).status).toBe(409);
});

test('usage and stats tell what was counted', async () => {
  const client = await newClient();
  const { id, agent } = await newInstance(client);
  await agent.remembers('Ottoline moved to Leeds.', { user_id: 'ada' });
  await agent.send('GET', '/v1/memories');
  await get(`/instances/${id}`); // an administrator's call about it
  const { data } = await get(`/clients/${client}/usage`);
  expect(data).toEqual([
    expect.objectContaining({ instance_id: id, api_calls: 5, month: new Date().toISOString().slice(0, 7) }),
  ]);
  expect(data[0].memories_peak).toBeGreaterThan(0);
  expect(await get(`/instances/${id}/stats`)).toMatchObject({
    documents: 1,
    users: 1,
    customers: 0,
    ingestions_failed: 0,
  });
});
