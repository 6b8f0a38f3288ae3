import { expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/domain/configurations/configuration.ts';
import { recordEvents } from '../../support/events.ts';
import { openAdmin } from './open-admin.ts';

const administered = openAdmin();
const { world } = administered;
const admin = administered.as('admin');

async function instance() {
  const { access, key, id } = await world.instance();
  return { access, key, id, path: `/instances/${id}/configurations` };
}

const longer = { ...defaultConfiguration, retention: { policy: 'custom', base_days: 500, on_expiry: 'archive' } };

/** A version with these settings, in force. */
async function apply(path: string, configuration: unknown): Promise<number> {
  const { version } = (await admin('POST', path, { configuration })).json();
  await admin('POST', `${path}/${version}/submit`);
  await admin('POST', `${path}/${version}/review`, { decision: 'approve' });
  const told = await admin('POST', `${path}/${version}/apply`);
  expect(told.status).toBe(200);
  return version;
}

test('a version goes from a draft into force, and tells who did what and when', async () => {
  const { access, path } = await instance();
  const recorded = await recordEvents(world, access);
  const made = await admin('POST', path, { configuration: longer, comment: 'asked by legal' });
  expect(made.status).toBe(201);
  expect(made.json()).toMatchObject({
    version: 2,
    semantic_version: '2.0.0',
    next_version: '3.0.0',
    state: 'draft',
    revision: 1,
    base_version: 1,
    configuration: longer,
  });
  expect((await admin('POST', `${path}/2.0.0/submit`)).json()).toMatchObject({ state: 'pending_review' });
  expect((await admin('POST', `${path}/2/review`, { decision: 'approve' })).json()).toMatchObject({
    state: 'approved',
  });
  expect((await admin('GET', `${path}/active`)).json()).toMatchObject({ version: 1 });
  const applied = (await admin('POST', `${path}/2/apply`, { comment: 'go' })).json();
  expect(applied).toMatchObject({ state: 'active', previous_active_version: 1 });
  expect(applied.history.map((each: any) => [each.step, each.comment])).toEqual([
    ['init', 'asked by legal'],
    ['submit', null],
    ['approve', null],
    ['apply', 'go'],
  ]);
  for (const { actor, at } of applied.history) {
    expect(actor).toMatch(/^admin:[0-9a-f-]{36}$/);
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
  }
  const versions = (await admin('GET', path)).json();
  expect(versions.data.map((each: any) => [each.version, each.state])).toEqual([
    [2, 'active'],
    [1, 'superseded'],
  ]);
  const diff = (await admin('GET', `${path}/diff?from=1&to=2`)).json();
  expect(diff.text).toBe('~ retention.policy "standard" → "custom"\n~ retention.base_days 365 → 500');
  expect((await recorded())[0]?.data).toEqual({
    version: 2,
    semantic_version: '2.0.0',
    previous_version: 1,
    cause: 'apply',
  });
  const audit = await world.deps.db.audit.findMany({
    where: { instanceNumber: access.instanceNumber },
    orderBy: { at: 'asc' },
  });
  expect(audit.map(({ action }) => action)).toEqual(
    expect.arrayContaining([
      'configuration.init',
      'configuration.submit',
      'configuration.approve',
      'configuration.apply',
    ]),
  );
  const change = audit.find(({ action }) => action === 'configuration.apply')!;
  expect(access.keys.open('audit.before', change.id, change.before!)).toBe('{"state":"approved"}');
  expect(access.keys.open('audit.after', change.id, change.after!)).toBe('{"state":"active"}');
});

test('what is rejected is mended and comes back; what is under review stands still', async () => {
  const { path } = await instance();
  await admin('POST', path, {});
  await admin('POST', `${path}/2/submit`, { revision: 1 });
  expect((await admin('PUT', `${path}/2`, { configuration: longer, revision: 2 })).status).toBe(409);
  const rejected = await admin('POST', `${path}/2/review`, { decision: 'reject', comment: 'too short' });
  expect(rejected.json()).toMatchObject({ state: 'rejected', revision: 3 });
  expect((await admin('POST', `${path}/2/apply`)).status).toBe(409);
  const mended = await admin('PUT', `${path}/2`, { configuration: longer, revision: 3 });
  expect(mended.json()).toMatchObject({ state: 'draft', revision: 4, configuration: longer });
});

test('of two who change one draft at once, one is told', async () => {
  const { path } = await instance();
  await admin('POST', path, {});
  const change = (base_days: number) =>
    admin('PUT', `${path}/2`, {
      configuration: { ...longer, retention: { ...longer.retention, base_days } },
      revision: 1,
    });
  const told = await Promise.all([change(100), change(200), change(300)]);
  expect(told.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const kept = told.find(({ status }) => status === 200)!.json();
  expect((await admin('GET', `${path}/2`)).json().configuration).toEqual(kept.configuration);
  expect(told.find(({ status }) => status === 409)!.json()).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('revision 2'),
  });
});

test('a version does not undo unseen what came into force since it was made', async () => {
  const { path } = await instance();
  const late = (await admin('POST', path, { configuration: longer })).json().version;
  const first = await apply(path, { ...defaultConfiguration, confidence_threshold: 0.8 });
  await admin('POST', `${path}/${late}/submit`);
  await admin('POST', `${path}/${late}/review`, { decision: 'approve' });
  const refused = await admin('POST', `${path}/${late}/apply`);
  expect(refused.status).toBe(409);
  expect(refused.json().detail).toContain(`version ${first} is in force since`);
  expect((await admin('GET', `${path}/${late}`)).json().state).toBe('approved');
  expect((await admin('POST', `${path}/${late}/apply`, { expected_active_version: first })).json()).toMatchObject({
    state: 'active',
  });
});

test('a rollback is a new version with the settings before; once more goes one further back', async () => {
  const { path } = await instance();
  const at = (base_days: number) => ({ ...longer, retention: { ...longer.retention, base_days } });
  const days = async () => (await admin('GET', `${path}/active`)).json().configuration.retention.base_days;
  await apply(path, at(200));
  await apply(path, at(300));
  const back = (await admin('POST', `${path}/rollback`, { comment: 'too long' })).json();
  expect(back).toMatchObject({ version: 4, state: 'active', restored_version: 2, previous_active_version: 3 });
  expect(back.history).toMatchObject([{ step: 'rollback', comment: 'too long' }]);
  expect(await days()).toBe(200);
  expect((await admin('POST', `${path}/rollback`)).json()).toMatchObject({ version: 5, restored_version: 1 });
  expect(await days()).toBe(365);
  expect((await admin('POST', `${path}/rollback`)).status).toBe(409);
  expect((await admin('POST', `${path}/rollback`, { to: 3 })).json()).toMatchObject({
    version: 6,
    restored_version: 3,
  });
  expect(await days()).toBe(300);
  expect((await admin('GET', `${path}/3`)).json()).toMatchObject({ state: 'superseded', configuration: at(300) });
});

test('a page of the history leads to the next', async () => {
  const { path } = await instance();
  for (let n = 0; n < 3; n++) await admin('POST', path, {});
  const first = (await admin('GET', `${path}?limit=2`)).json();
  expect(first.data.map(({ version }: any) => version)).toEqual([4, 3]);
  const rest = (await admin('GET', `${path}?limit=2&cursor=${first.next_cursor}`)).json();
  expect(rest.data.map(({ version }: any) => version)).toEqual([2, 1]);
  expect(rest.next_cursor).toBeNull();
});

const retention = (change: object) => ({ ...longer, retention: { ...longer.retention, ...change } });

test.each([
  { body: { configuration: retention({ base_days: 0 }) }, field: 'configuration.retention.base_days' },
  { body: { configuration: retention({ years: 7 }) }, field: 'configuration.retention.years' },
  {
    body: { configuration: retention({ policy: 'compliance', on_expiry: 'evict' }) },
    field: 'configuration.retention.on_expiry',
  },
  { body: { configuration: { ...longer, customer_documents: ['email'] } }, field: 'configuration.customer_documents' },
  {
    body: { configuration: { ...longer, inference: { extraction: 'nobody', embedding: 'default' } } },
    field: 'configuration.inference.extraction',
  },
  { body: { configuration: longer, from: 1 }, field: 'from' },
  { body: { from: 0 }, field: 'from' },
  { body: { settings: {} }, field: 'settings' },
])('$field is named when it is wrong, and no version is made', async ({ body, field }) => {
  const { path } = await instance();
  const told = await admin('POST', path, body);
  expect(told.status).toBe(400);
  expect(told.json().errors).toMatchObject([{ field }]);
  expect((await admin('GET', path)).json().data).toHaveLength(1);
});

test('viewers read, keys do not come in, and what is not there is not found', async () => {
  const { path, key } = await instance();
  await admin('POST', path, {});
  const viewer = administered.as('viewer');
  for (const each of ['', '/active', '/2', '/diff?from=1&to=2']) {
    expect((await viewer('GET', path + each)).status).toBe(200);
    expect((await administered.send(key, 'GET', `/v1/admin${path}${each}`)).status).toBe(403);
  }
  for (const [method, each, body] of [
    ['POST', '', {}],
    ['PUT', '/2', { configuration: longer, revision: 1 }],
    ['POST', '/2/submit', {}],
    ['POST', '/2/review', { decision: 'approve' }],
    ['POST', '/2/apply', {}],
    ['POST', '/rollback', {}],
  ] as const) {
    expect((await viewer(method, path + each, body)).status).toBe(403);
    expect((await administered.send(key, method, `/v1/admin${path}${each}`, body)).status).toBe(403);
  }
  for (const each of ['/9', '/zero', '/2.1.0', '/diff?from=1&to=9']) {
    expect((await admin('GET', path + each)).status).toBe(404);
  }
  expect((await admin('GET', '/instances/inst_0123456789abcdef/configurations')).status).toBe(404);
});

test('the schema of a configuration is served, and takes what is in force', async () => {
  const schema = (await administered.send('', 'GET', '/v1/configuration-schema.json')).json();
  expect(schema.$schema).toMatch(/^https:\/\/json-schema.org/);
  expect(Object.keys(schema.properties)).toEqual(Object.keys(defaultConfiguration));
});

test('GraphQL does the same', async () => {
  const { id } = await instance();
  const ask = (query: string, variables: object) =>
    administered.ask(administered.tokenOf('admin'), query, variables as Record<string, unknown>);
  const camel = {
    ...JSON.parse(
      JSON.stringify(longer).replaceAll(
        /"(\w+)":/g,
        (_, name: string) => `"${name.replaceAll(/_(\w)/g, (__, letter: string) => letter.toUpperCase())}":`,
      ),
    ),
    memoryTypes: ['FACTS'],
    isolation: 'B2C',
    retention: { policy: 'CUSTOM', baseDays: 500, onExpiry: 'ARCHIVE' },
    retrieval: { mode: 'ACCURATE', maxResults: 3 },
    compaction: { strategy: 'BALANCED', outputFormat: 'FULL' },
  };
  const version =
    '... on Configuration { version state revision retention { baseDays } retrieval { mode maxResults contextBudget } }';
  const problem = '... on Conflict { message } ... on InvalidInput { fields { field } }';
  const init = `mutation ($input: InitConfigurationInput!) { initConfiguration(input: $input) { __typename ${version} ${problem} } }`;
  const made = (await ask(init, { input: { instanceId: id, configuration: camel } })).json().data;
  expect(made.initConfiguration).toEqual({
    __typename: 'Configuration',
    version: 2,
    state: 'DRAFT',
    revision: 1,
    retention: { baseDays: 500 },
    retrieval: { mode: 'ACCURATE', maxResults: 3, contextBudget: null },
  });
  const wrong = { ...camel, retention: { ...camel.retention, baseDays: 0 } };
  const refused = (await ask(init, { input: { instanceId: id, configuration: wrong } })).json().data;
  expect(refused.initConfiguration).toMatchObject({ fields: [{ field: 'configuration.retention.baseDays' }] });
  const step = (name: string, input: string, more = {}) =>
    ask(`mutation ($input: ${input}!) { ${name}(input: $input) { __typename ${version} ${problem} } }`, {
      input: { instanceId: id, ...(name === 'rollBackConfiguration' ? {} : { version: 2 }), ...more },
    }).then((told) => told.json().data[name]);
  expect(await step('applyConfiguration', 'ApplyConfigurationInput')).toMatchObject({ __typename: 'Conflict' });
  expect(await step('submitConfiguration', 'ConfigurationStepInput')).toMatchObject({ state: 'PENDING_REVIEW' });
  expect(await step('reviewConfiguration', 'ReviewConfigurationInput', { decision: 'APPROVE' })).toMatchObject({
    state: 'APPROVED',
  });
  expect(await step('applyConfiguration', 'ApplyConfigurationInput')).toMatchObject({ state: 'ACTIVE' });
  const read = `query ($i: ID!) { configuration(instanceId: $i) { version history { step actor } }
    configurationDifference(instanceId: $i, from: 1, to: 2) { warnings changes { path text } } }`;
  const told = (await ask(read, { i: id })).json().data;
  expect(told.configuration.history.map(({ step: each }: any) => each)).toEqual(['INIT', 'SUBMIT', 'APPROVE', 'APPLY']);
  expect(told.configurationDifference.warnings).toEqual([]);
  expect(told.configurationDifference.changes).toContainEqual({
    path: 'retrieval.max_results',
    text: '~ retrieval.max_results 10 → 3',
  });
  expect(await step('rollBackConfiguration', 'RollBackConfigurationInput')).toMatchObject({ version: 3 });
});

test('a difference warns of a threshold that hardly a statement reaches', async () => {
  const { path } = await instance();
  await admin('POST', path, { configuration: { ...defaultConfiguration, confidence_threshold: 0.99 } });
  const warnings = [expect.stringMatching(/^statements hardly ever reach the confidence_threshold 0\.99/)];
  expect((await admin('GET', `${path}/diff`)).json()).toMatchObject({ warnings });
  expect((await admin('GET', `${path}/diff?from=2&to=1`)).json()).toMatchObject({ warnings: [] });
});

test('an unknown field is refused by the names of the known ones, also where the body may be left out', async () => {
  const { path } = await instance();
  for (const [route, known] of [
    ['', 'configuration, use_case, from, comment'],
    ['/1/submit', 'revision, comment'],
    ['/1/apply', 'revision, expected_active_version, comment'],
    ['/rollback', 'to, expected_active_version, comment'],
  ] as const) {
    const refused = await admin('POST', `${path}${route}`, { over: 4 });
    const detail = `over: is not a known field; known are ${known}`;
    expect([refused.status, refused.json().detail]).toEqual([400, detail]);
  }
});

test('a number beyond all versions is the mistake of who sends it', async () => {
  const { path } = await instance();
  for (const [route, body] of [
    ['', { from: 2 ** 31 }],
    ['/rollback', { to: 2 ** 31 }],
    ['/1/apply', { expected_active_version: 2 ** 31 }],
  ] as const) {
    const refused = await admin('POST', `${path}${route}`, body);
    expect(refused.status).toBe(400);
    expect(refused.json().errors).toMatchObject([{ field: Object.keys(body)[0] }]);
  }
});
