import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { defaultConfiguration } from '../../../src/domain/configurations/configuration.ts';
import { openAdmin } from './open-admin.ts';

const administered = openAdmin();
const { world } = administered;
const admin = administered.as('admin');
const example = (name: string) => readFileSync(new URL(`../../../docs/use-cases/${name}.md`, import.meta.url), 'utf8');

const newcomer = { client_name: 'Fern Street Clinic', instance_name: 'front desk' };

test('one file gives a client, an instance, a key and a configuration; completing it opens them', async () => {
  const made = await admin('POST', '/onboarding', { ...newcomer, use_case: example('clinic') });
  expect(made.status).toBe(201);
  const { onboarding_id: id, api_key: key, instance_id: instance, ...rest } = made.json();
  expect(rest).toMatchObject({
    state: 'open',
    instance: { name: 'front desk', state: 'provisioning', active_version: 1 },
    done: ['client', 'instance', 'key', 'use_case', 'configuration'],
    next: [{ step: 'complete', method: 'POST', path: `/v1/admin/onboarding/${id}/complete` }],
    configuration: {
      version: 2,
      state: 'draft',
      configuration: { retention: { policy: 'compliance', base_days: 3650, on_expiry: 'archive' } },
      explanation: { by: 'rules' },
    },
  });
  const days = rest.configuration.explanation.derived_settings.find(
    ({ setting }: any) => setting === 'retention.base_days',
  );
  expect(days).toMatchObject({ value: 3650, lines: [{ line: 25, text: expect.stringContaining('for 10 years') }] });
  expect((await administered.send(key, 'GET', '/v1/memories')).status).toBe(403);
  const done = (await admin('POST', `/onboarding/${id}/complete`)).json();
  expect(done).toMatchObject({ state: 'completed', next: [], instance: { state: 'active', active_version: 2 } });
  expect(done.configuration.history.map(({ step }: any) => step)).toEqual(['init', 'submit', 'approve', 'apply']);
  expect((await administered.send(key, 'GET', '/v1/memories')).status).toBe(200);
  expect((await admin('POST', `/onboarding/${id}/complete`)).status).toBe(409);
  expect((await admin('PUT', `/onboarding/${id}/use-case`, { use_case: 'x' })).status).toBe(409);
  expect((await admin('GET', `/onboarding/${id}`)).json()).toEqual(done);
  const again = await admin('GET', `/instances/${instance}/configurations/active`);
  expect(again.json()).toMatchObject({ version: 2, state: 'active' });
  expect((await admin('GET', `/onboarding/${id}/use-case`)).json()).toEqual({
    onboarding_id: id,
    use_case: example('clinic'),
  });
});

test('a Markdown file is sent as it is, and completes in one call', async () => {
  const path = '/onboarding?client_name=Milo&instance_name=app&complete=true';
  const told = await administered.upload(path, example('companion-app'));
  expect(told.status).toBe(201);
  const { api_key: key, state, instance } = told.json();
  expect([state, instance.state, instance.active_version]).toEqual(['completed', 'active', 2]);
  const fetched = await administered.send(key, 'POST', '/v1/context/fetch', { search_queries: ['x'], user_id: 'u' });
  expect(fetched.status).toBe(200);
});

test('step by step: no file yet, a preview that keeps nothing, a file, another, complete', async () => {
  const { onboarding_id: id, client_id: client } = (await admin('POST', '/onboarding', newcomer)).json();
  const at = `/onboarding/${id}`;
  expect((await admin('GET', at)).json()).toMatchObject({ configuration: null, next: [{ step: 'use_case' }] });
  expect((await admin('GET', `${at}/use-case`)).status).toBe(404);
  expect((await admin('POST', `${at}/complete`)).status).toBe(409);
  expect((await admin('POST', `${at}/preview`)).json()).toMatchObject({ errors: [{ field: 'use_case' }] });
  const preview = (await admin('POST', `${at}/preview`, { use_case: example('shop') })).json();
  expect(preview.configuration.retention).toEqual({ policy: 'consumer', base_days: 90, on_expiry: 'evict' });
  expect(preview.changes).toContainEqual(expect.objectContaining({ text: '- memory_types.emotions' }));
  expect((await admin('GET', at)).json()).toMatchObject({ configuration: null });
  expect((await admin('PUT', `${at}/use-case`, { use_case: example('shop') })).json().configuration.version).toBe(2);
  const second = await administered.upload(`${at}/use-case`, example('support-desk'));
  expect(second.json().configuration).toMatchObject({ version: 3, configuration: { isolation: 'b2b' } });
  const done = await admin('POST', `${at}/complete`);
  expect(done.json()).toMatchObject({ client_id: client, instance: { active_version: 3 } });
});

test('a configuration that is put in force by itself completes the onboarding', async () => {
  const made = (await admin('POST', '/onboarding', { ...newcomer, use_case: example('clinic') })).json();
  const version = `/instances/${made.instance_id}/configurations/2`;
  await admin('POST', `${version}/submit`);
  await admin('POST', `${version}/review`, { decision: 'approve' });
  expect((await administered.send(made.api_key, 'GET', '/v1/memories')).status).toBe(403);
  expect((await admin('POST', `${version}/apply`)).json()).toMatchObject({ state: 'active' });
  expect((await administered.send(made.api_key, 'GET', '/v1/memories')).status).toBe(200);
  const onboarding = (await admin('GET', `/onboarding/${made.onboarding_id}`)).json();
  expect(onboarding).toMatchObject({ state: 'completed', instance: { state: 'active' }, next: [] });
  expect(onboarding.completed_at).not.toBeNull();
});

test('a file about nothing gives the defaults, and says so and how to write one', async () => {
  const told = (await admin('POST', '/onboarding', { ...newcomer, use_case: 'Bake the bread for an hour.' })).json();
  expect(told.configuration.configuration).toEqual(defaultConfiguration);
  expect(told.configuration.explanation.warnings).toEqual([
    expect.stringMatching(/are the defaults[.] .*"Keep it for two years[.]"/),
  ]);
});

test.each([
  { case: 'neither a name nor a client', body: { instance_name: 'x' }, status: 400, field: 'client_name' },
  { case: 'a name and a client', body: { ...newcomer, client_id: 'cli_0' }, status: 400, field: 'client_name' },
  { case: 'a client that is not there', body: { client_id: 'cli_0123456789abcdef' }, status: 400, field: 'client_id' },
  { case: 'completing without a file', body: { ...newcomer, complete: true }, status: 400, field: 'use_case' },
  { case: 'an empty file', body: { ...newcomer, use_case: ' \n' }, status: 400, field: 'use_case' },
  { case: 'another type', body: { ...newcomer, use_case: 7 }, status: 400, field: 'use_case' },
])('$case is refused, and nothing is made', async ({ body, status, field }) => {
  const before = await world.deps.db.instance.count();
  const told = await admin('POST', '/onboarding', body);
  expect([told.status, told.json().errors[0].field]).toEqual([status, field]);
  expect(await world.deps.db.instance.count()).toBe(before);
});

test('an onboarding that fails while its language model is asked makes nothing', async () => {
  const { client, instance, onboarding } = world.deps.db;
  const made = () => Promise.all([client.count(), instance.count(), onboarding.count()]);
  const before = await made();
  const answer = () => Promise.reject(new Error('out of memory'));
  vi.spyOn(world.deps.languageModels, 'get').mockReturnValueOnce({ model: 'failing', answer });
  expect((await admin('POST', '/onboarding', { ...newcomer, use_case: example('shop') })).status).toBe(500);
  expect(await made()).toEqual(before);
});

test('an onboarding that is given up is archived with its instance, and completed once that is open again', async () => {
  const {
    onboarding_id: id,
    instance_id: instance,
    client_id: client,
  } = (await admin('POST', '/onboarding', { ...newcomer, use_case: example('shop') })).json();
  expect((await admin('POST', `/instances/${instance}/archive`)).json()).toMatchObject({ state: 'archived' });
  expect((await admin('POST', `/onboarding/${id}/complete`)).status).toBe(409);
  expect((await admin('GET', `/onboarding/${id}`)).json()).toMatchObject({ instance: { active_version: 1 } });
  for (const step of ['suspend', 'resume']) await admin('POST', `/instances/${instance}/${step}`);
  expect((await admin('POST', `/onboarding/${id}/complete`)).status).toBe(200);
  const { data } = (await admin('GET', `/clients/${client}/audit?limit=100`)).json();
  expect(data.map(({ action }: { action: string }) => action)).toContain('onboarding.complete');
});

test('a file of more than 256 KiB is too large, as JSON and as Markdown; one that is no text is refused', async () => {
  const long = 'We remember everything. '.repeat(12_000);
  expect((await admin('POST', '/onboarding', { ...newcomer, use_case: long })).status).toBe(413);
  expect((await administered.upload('/onboarding?client_name=x', long)).status).toBe(413);
  expect((await administered.upload('/onboarding?client_name=x', Buffer.of(0xff, 0xfe))).status).toBe(400);
});

test('a repetition is answered as the first was, without the key', async () => {
  const send = async () => {
    const response = await fetch(`${administered.baseUrl}/v1/admin/onboarding`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${administered.tokenOf('admin')}`,
        'content-type': 'application/json',
        'idempotency-key': 'once',
      },
      body: JSON.stringify(newcomer),
    });
    return (await response.json()) as { onboarding_id: string; api_key: string | null };
  };
  const [first, second] = [await send(), await send()];
  expect(first.api_key).toMatch(/^presage_/);
  expect(second).toEqual({ ...first, api_key: null });
});

test('what a customer wrote is sealed', async () => {
  await admin('POST', '/onboarding', { ...newcomer, use_case: 'Marmalade is what patients ask about.' });
  const rows = await world.deps.db.$queryRaw<{ text: string }[]>`
    SELECT encode(use_case, 'escape') AS text FROM onboarding WHERE use_case IS NOT NULL
    UNION ALL SELECT encode(explanation, 'escape') FROM configuration WHERE explanation IS NOT NULL
    UNION ALL SELECT encode(body, 'escape') FROM configuration`;
  expect(rows.length).toBeGreaterThan(3);
  for (const { text } of rows) expect(text).not.toMatch(/Marmalade|patients|retention/);
});

test('GraphQL does the same', async () => {
  const ask = (query: string, variables: object) =>
    administered.ask(administered.tokenOf('admin'), query, variables as Record<string, unknown>);
  const onboard = `mutation ($input: OnboardInput!) { onboard(input: $input) { __typename
    ... on OnboardingStarted { secret onboarding { id isCompleted useCase instance { id state }
      configuration { version explanation { by derivedSettings { setting value lines { line } } } } } }
    ... on InvalidInput { fields { field } } } }`;
  const useCase = 'Keep it for 2 years.';
  const input = { clientName: 'Acme', instanceName: 'desk', useCase };
  const made = (await ask(onboard, { input })).json().data.onboard;
  expect(made.onboarding).toMatchObject({ isCompleted: false, useCase, instance: { state: 'PROVISIONING' } });
  expect(made.onboarding.configuration.explanation.derivedSettings).toContainEqual({
    setting: 'retention.base_days',
    value: 730,
    lines: [{ line: 1 }],
  });
  const { id } = made.onboarding;
  const preview = await ask('query ($id: ID!) { previewOnboarding(id: $id) { changes { text } } }', { id });
  expect(preview.json().data.previewOnboarding.changes).toContainEqual({ text: '~ retention.base_days 365 → 730' });
  const complete = `mutation ($id: ID!) { completeOnboarding(id: $id) { __typename
    ... on Onboarding { isCompleted instance { state activeVersion } } } }`;
  expect((await ask(complete, { id })).json().data.completeOnboarding).toEqual({
    __typename: 'Onboarding',
    isCompleted: true,
    instance: { state: 'ACTIVE', activeVersion: 2 },
  });
  expect((await ask(complete, { id })).json().data.completeOnboarding.__typename).toBe('Conflict');
  const refused = (await ask(onboard, { input: { instanceName: 'x' } })).json().data.onboard;
  expect(refused).toEqual({ __typename: 'InvalidInput', fields: [{ field: 'clientName' }] });
});

test('a file that is made to take long keeps nobody waiting: it is refused, and nothing is made of it', async () => {
  const clients = async () => (await admin('GET', '/clients')).json().data.length;
  const before = await clients();
  const refused = admin('POST', '/onboarding', { ...newcomer, use_case: '>'.repeat(20_000) });
  const over = new AbortController();
  const answered = (async () => {
    let count = 0;
    while (!over.signal.aborted) count += await clients().then(() => 1);
    return count;
  })();
  const { status, ...answer } = await refused;
  over.abort();
  expect(await answered).toBeGreaterThan(1);
  expect(status).toBe(400);
  expect(answer.json().errors).toMatchObject([{ field: 'use_case' }]);
  expect(await clients()).toBe(before);
});

test('a use-case file, and what cites it, is shown to no viewer; who reads it is in the audit', async () => {
  const viewer = administered.as('viewer');
  const started = (await admin('POST', '/onboarding', { ...newcomer, use_case: example('clinic') })).json();
  const { onboarding_id: id, instance_id: instance, client_id: client } = started.onboarding ?? started;
  const paths = {
    file: `/onboarding/${id}/use-case`,
    versions: `/instances/${instance}/configurations`,
    version: `/instances/${instance}/configurations/2`,
  };
  const reads = async () => {
    const { data } = (await admin('GET', `/clients/${client}/audit?limit=100`)).json();
    return data.filter(({ action }: { action: string }) => action === 'content.read');
  };
  const refused = await viewer('GET', paths.file);
  expect([refused.status, refused.json().detail]).toEqual([403, expect.stringContaining('reads no content')]);
  expect((await viewer('POST', `/onboarding/${id}/preview`, {})).status).toBe(403);
  expect((await viewer('GET', paths.version)).json().explanation).toBe(null);
  expect((await viewer('GET', paths.versions)).json().data.map((each: any) => each.explanation)).toEqual([null, null]);
  expect(await reads()).toEqual([]);
  expect((await admin('GET', paths.file)).json().use_case).toBe(example('clinic'));
  expect((await admin('GET', paths.version)).json().explanation.derived_settings.length).toBeGreaterThan(0);
  await admin('GET', paths.versions);
  await admin('POST', `/onboarding/${id}/preview`, {});
  const told = (await reads()).map(({ after }: any) => after);
  const file = { UseCase: { count: 1, ids: [id] } };
  const version = { Configuration: { count: 1, ids: ['2'] } };
  expect(told).toMatchObject([file, version, version, file]);
});

test.each(['\0', '\ud800'])('%j in a file is replaced, over REST and GraphQL', async (odd) => {
  const file = `We remember${odd} everything.`;
  const sent = (await admin('POST', '/onboarding', { ...newcomer, use_case: file })).json();
  const onboard = `mutation ($useCase: String!) {
    onboard(input: { clientName: "Fern Street Clinic", instanceName: "front desk", useCase: $useCase }) {
      ... on OnboardingStarted { onboarding { useCase } } } }`;
  const answer = await administered.ask(administered.tokenOf('admin'), onboard, { useCase: file });
  const { useCase } = answer.json().data.onboard.onboarding;
  const told = [useCase, (await admin('GET', `/onboarding/${sent.onboarding_id}/use-case`)).json().use_case];
  expect(told).toEqual(Array(2).fill('We remember\ufffd everything.'));
});
