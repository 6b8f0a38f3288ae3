import { beforeAll, expect, test } from 'vitest';
import { Metering } from '../../../src/domain/metering/metering.ts';
import { newAdminToken } from '../rest/open-server.ts';
import { openDoors } from '../../support/open-doors.ts';
import type { Db } from '../../../src/db/database.ts';

const doors = openDoors();
const { world } = doors;
let viewer: string;
beforeAll(async () => {
  viewer = await newAdminToken(world, 'viewer');
});

const nothing = async () => undefined;
const usageWriters = { saveAccesses: nothing, saveUserCalls: nothing, saveUses: nothing };
const usageOf = async (key: string, month?: string) =>
  (await doors.send(key, 'GET', `/v1/analytics/usage${month ? `?month=${month}` : ''}`)).json();
/** A GraphQL call of an administrator is counted when its connection is done with it. */
const adminUsage = async (query = '') => (await doors.send(viewer, 'GET', `/v1/admin/usage${query}`)).json();
const month = new Date().toISOString().slice(0, 7);

test('calls of keys and of administrators about the instance are counted, probes and what is not let in are not', async () => {
  const { key, id } = await world.instance();
  await doors.send(key, 'GET', '/v1/memories');
  await doors.send(key, 'GET', '/v1/memories/mem_nothing');
  await doors.ask(key, '{ memories { nodes { id } } }');
  await doors.send('presage_wrong', 'GET', '/v1/memories');
  await doors.send(key, 'GET', '/health');
  const documents = [0, 1, 2].map((n) => ({ document: `Note ${n}.`, document_type: 'note', user_id: 'ada' }));
  await doors.send(key, 'POST', '/v1/memories/batch', { documents });
  await doors.send(viewer, 'GET', `/v1/admin/instances/${id}`);
  await doors.ask(viewer, `{ instance(id: "${id}") { name } }`);
  await expect.poll(async () => (await adminUsage(`?instance_id=${id}`)).admin_calls).toBe(2);
  expect(await usageOf(key)).toMatchObject({
    month,
    api_calls: 4 + 2 + 1,
    admin_calls: 2,
    llm_tokens_in: 0,
    tokens: [],
  });
});

test('a client is told the sum of its instances, and the most that these held together', async () => {
  const client = await world.app.administration.createClient(world.admin, { name: 'Fern Street' });
  const places = await Promise.all(
    ['desk', 'van'].map(async (name) => {
      const { id } = await world.app.createInstance(world.admin, { name, clientId: client.id });
      const access = await world.app.accessAsAdmin(world.admin, id as never);
      return { access, key: (await world.app.createKey(access, { label: null })).key };
    }),
  );
  const remember = async (key: string, n: number) => {
    const document = Array.from({ length: n }, (_, turn) => ({ role: 'user', content: `I own boat ${turn} of ${n}.` }));
    const body = { document, document_type: 'note', user_id: 'ada', wait: 30 };
    expect((await doors.send(key, 'POST', '/v1/memories', body)).json().status).toBe('completed');
    await world.deps.metering.flush(new Date());
  };
  await remember(places[0]!.key, 2);
  const first = (await usageOf(places[0]!.key)).memories_peak;
  expect(first).toBeGreaterThan(0);
  await doors.send(places[0]!.key, 'DELETE', '/v1/users/ada');
  await world.deps.metering.flush(new Date());
  await remember(places[1]!.key, 4);
  const second = (await usageOf(places[1]!.key)).memories_peak;
  expect(second).toBeGreaterThan(first);
  expect((await usageOf(places[0]!.key)).memories_peak).toBe(first); // what was held once
  const together = await adminUsage(`?client_id=${client.id}`);
  expect(together).toMatchObject({ api_calls: 2 + 2 + 2, memories_peak: second }); // the first had nothing any more
  expect((await adminUsage()).api_calls).toBeGreaterThan(together.api_calls);
  const query = `{ client(id: "${client.id}") { monthlyUsage { apiCalls memoriesPeak } } }`;
  expect((await doors.ask(viewer, query)).json().data.client.monthlyUsage.memoriesPeak).toBe(second);
});

test('tokens are told by provider and purpose, work in the background apart', async () => {
  const { access, key } = await world.instance();
  const spent = (purpose: 'extraction' | 'search', input: number, output = 0) =>
    world.deps.metering.countTokens(access.instanceNumber, { provider: 'default', purpose, input, output });
  spent('extraction', 100, 20);
  spent('extraction', 100, 20);
  spent('search', 7);
  expect(await usageOf(key)).toMatchObject({
    llm_tokens_in: 200,
    llm_tokens_out: 40,
    embedding_tokens: 7,
    tokens: [
      { provider: 'default', purpose: 'extraction', background: true, tokens_in: 200, tokens_out: 40 },
      { provider: 'default', purpose: 'search', background: false, tokens_in: 7, tokens_out: 0 },
    ],
  });
  expect(await usageOf(key, '2026-01')).toMatchObject({ month: '2026-01', api_calls: 0, tokens: [], memories_peak: 0 });
  for (const invalid of ['2026-13', 'November', '2026-1'])
    expect(await usageOf(key, invalid)).toMatchObject({
      status: 400,
      detail: 'month: must be a month such as 2026-11',
    });
});

test('a batch whose answer was lost is sent again and counted once, and so is what came meanwhile', async () => {
  const { access, key } = await world.instance();
  const { db } = world.deps;
  let losing = true;
  const lossy = new Proxy(db, {
    get: (target, name) =>
      name !== '$executeRaw'
        ? Reflect.get(target, name)
        : async (...statement: Parameters<Db['$executeRaw']>) => {
            const done = await db.$executeRaw(...statement);
            if (losing) throw new Error('the connection was cut');
            return done;
          },
  });
  const [one, other] = [lossy, db].map((each) => new Metering({ db: each, usageWriters, now: () => new Date() }));
  const call = (metering: Metering, times: number) => {
    for (let n = 0; n < times; n++) metering.countCall(access.instanceNumber, '00000000-0000-0000-0000-000000000000');
  };
  call(one!, 500);
  call(other!, 250);
  await expect(one!.flushUsage()).rejects.toThrow('the connection was cut');
  call(one!, 250);
  await expect(one!.flush(new Date())).rejects.toThrow('the connection was cut');
  losing = false;
  await Promise.all([one!.flush(new Date()), other!.flush(new Date()), one!.flushUsage()]);
  expect((await usageOf(key)).api_calls).toBe(1_000 + 1);
});

test('a key reads the usage of its own instance only, and none of the deployment', async () => {
  const { key, id } = await world.instance();
  expect((await doors.send(key, 'GET', `/v1/admin/usage?instance_id=${id}`)).status).toBe(403);
  expect((await doors.ask(key, '{ deploymentUsage { apiCalls } }')).json().data).toBeNull();
  expect((await doors.send(viewer, 'GET', '/v1/analytics/usage')).status).toBe(403);
  expect((await adminUsage('?instance_id=inst_0000000000000001')).code).toBe('not_found');
  expect((await adminUsage('?client_id=nonsense')).code).toBe('not_found');
  expect(await adminUsage(`?client_id=cli_0000000000000001&instance_id=${id}`)).toMatchObject({
    status: 400,
    errors: [{ field: 'instance_id' }],
  });
});

test('an administrator of one client neither reads nor raises what another client used', async () => {
  const { key, id } = await world.instance();
  const theirs = await world.app.administration.createClient(world.admin, { name: 'Mill Lane' });
  const stranger = { ...world.admin, clientId: theirs.id };
  world.app.countAdminCall(stranger, id as never);
  expect(await usageOf(key)).toMatchObject({ api_calls: 1, admin_calls: 0 });
  await expect(world.app.analytics.usageOf(stranger, { instanceId: id })).rejects.toMatchObject({ code: 'not_found' });
  expect(await world.app.analytics.usageOf(stranger, {})).toMatchObject({ apiCalls: 0 });
});
