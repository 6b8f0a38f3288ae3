import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { migrations } from '../../src/db/migrate.ts';
import { changes, expectNoDowntime } from '../behaviour/configurations/expect-no-downtime.ts';
import { openClient, says, start } from '../behaviour/grpc/open-client.ts';
import { brokenRules } from '../support/consistency.ts';
import { ownServer } from '../support/own-server.ts';
import { newPlace, startInVain, startService, type Place, type ServiceProcess } from '../support/service-process.ts';

const own = ownServer();
let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'presage-processes-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const running = new Set<ServiceProcess>();
afterEach(async () => {
  await Promise.all([...running].map((service) => service.kill().catch(() => undefined)));
  running.clear();
});
const secrets = {
  PRESAGE_API_KEY: `presage_${'k'.repeat(43)}`,
  PRESAGE_ADMIN_TOKEN: 'an-administrator-of-these-tests',
};

/** Where processes of one empty database run. */
async function emptyDatabase(name: string) {
  await own.server.query(`CREATE DATABASE ${name}`);
  const url = own.server.urlOf(name);
  const shared = { DATABASE_URL: url, MASTER_KEY: createHash('sha256').update('these tests').digest('hex') };
  let places = 0;
  const place = async (more: Partial<Place> = {}): Promise<Place> => {
    const at = await newPlace(join(folder, `${name}-${places++}`));
    return { ...at, ...more, variables: { ...shared, ...more.variables } };
  };
  return {
    url,
    place,
    async begin(more: Partial<Place> = {}) {
      const service = await startService(await place(more));
      running.add(service);
      return service;
    },
  };
}

async function rowsOf(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql).finally(() => client.end());
  return rows;
}

test('two that start at once on an empty database make everything once, and Prisma calls it up to date', async () => {
  const { url, begin } = await emptyDatabase('raced');
  const [one, other] = await Promise.all([begin(), begin()]);
  const keys = [one, other].map((service) => service.key).filter((key) => key !== '');
  expect(keys).toHaveLength(1);
  const welcomed = () => [one, other].filter((service) => service.output().includes('Presage is ready.'));
  await expect.poll(() => welcomed().length).toBe(2); // what it prints comes after what it answers
  expect(welcomed().filter((service) => service.output().includes('shown once'))).toHaveLength(1);
  for (const { baseUrl } of [one, other]) {
    const answer = await fetch(`${baseUrl}/v1/instance`, { headers: { authorization: `Bearer ${keys[0]}` } });
    expect(answer.status).toBe(200);
  }
  const applied = await rowsOf(url, 'SELECT migration_name FROM _prisma_migrations ORDER BY 1');
  expect(applied.map((row) => row['migration_name'])).toEqual(migrations().map(({ name }) => name));
  const counts = `SELECT (SELECT count(*) FROM instance)::int AS instances, (SELECT count(*) FROM api_key)::int AS keys,
    (SELECT count(*) FROM admin_token)::int AS tokens`;
  expect(await rowsOf(url, counts)).toEqual([{ instances: 1, keys: 1, tokens: 1 }]);
  const engine = fileURLToPath(new URL('../../scripts/prisma-schema-engine.mjs', import.meta.url));
  const { stdout, status } = spawnSync('node_modules/.bin/prisma', ['migrate', 'status'], {
    env: { ...process.env, DATABASE_URL: url, PRISMA_SCHEMA_ENGINE_BINARY: engine },
    encoding: 'utf8',
  });
  expect(stdout).toContain('up to date');
  expect(status).toBe(0);
});

test('an api process tells who may get in when nobody could, and makes up no secret', async () => {
  const { place, url } = await emptyDatabase('closed');
  const { code, said } = await startInVain(await place({ kind: 'api' }));
  expect(code).not.toBe(0);
  expect(said).toContain('PRESAGE_ADMIN_TOKEN');
  expect(await rowsOf(url, 'SELECT * FROM instance')).toEqual([]);
  const { said: keyless } = await startInVain(await place({ kind: 'api', variables: { MASTER_KEY: '' } }));
  expect(keyless).toContain('MASTER_KEY');
});

test('api, stream and workers apart; a worker that is killed and one that is stopped lose nothing and double nothing', async () => {
  const { url, begin } = await emptyDatabase('apart');
  const api = await begin({ kind: 'api', variables: secrets });
  const [stream, first, second] = await Promise.all([
    begin({ kind: 'stream', variables: secrets }),
    begin({ kind: 'worker' }),
    begin({ kind: 'worker' }),
  ]);
  const submit = async (n: number) => {
    const document = Array.from({ length: 12 }, (_, turn) => ({
      role: 'user',
      content: `Crate ${turn} of harvest ${n} went to cellar ${n * 7 + turn} with Rosalind${n % 3}.`,
    }));
    const { ingestion_id: id } = await api.call('POST', '/v1/memories', {
      document,
      document_type: 'ai-chat-conversation',
      user_id: `u${n % 4}`,
      customer_id: 'acme',
    });
    return id as string;
  };
  const ids = await Promise.all(Array.from({ length: 24 }, (_, n) => submit(n)));
  const locked = () => rowsOf(url, 'SELECT id FROM job WHERE locked_until > now()');
  await expect.poll(async () => (await locked()).length, { interval: 5, timeout: 20_000 }).toBeGreaterThan(2); // both work
  await first.kill();
  running.delete(first);
  const third = await begin({ kind: 'worker' });
  await second.stop(); // finishes what it holds, or hands it back
  running.delete(second);
  const statusOf = (id: string) => api.call('GET', `/v1/memories/${id}/status?wait=30`);
  const ended = await Promise.all(ids.map(statusOf));
  expect(ended.map(({ status }) => status)).toEqual(ids.map(() => 'completed'));
  const stored = await rowsOf(
    url,
    `SELECT document_id, count(*)::int AS n FROM memory WHERE type = 'episodes' GROUP BY 1`,
  );
  expect(stored.map((row) => row['n'])).toEqual(ids.map(() => 12));

  using client = openClient(stream.grpcAddress);
  const call = client.anticipate({ key: secrets.PRESAGE_API_KEY });
  call.send(start('u0'), says('Which cellar did crate 3 of harvest 4 go to?'));
  const update = await call.next();
  expect(update?.bundle?.memories.some(({ content }) => content.includes('harvest 4'))).toBe(true);
  call.hangUp();

  for (const { baseUrl } of [third, stream]) {
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
    expect(await (await fetch(`${baseUrl}/metrics`)).text()).toContain('process="');
    expect((await fetch(`${baseUrl}/v1/instance`)).status).toBe(404);
  }
  const { db, close } = await openDatabase({ url, poolSize: 2, name: 'test' });
  try {
    expect(await db.job.count()).toBe(0);
    const [instance] = await db.instance.findMany();
    expect(await brokenRules({ db }, instance!)).toEqual({});
  } finally {
    await close();
  }
  for (const service of [api, stream, third]) {
    await service.stop();
    running.delete(service);
    expect(service.output()).not.toMatch(/"level":"(error|fatal)"/);
  }
});

test(
  `${changes} applies and rollbacks at two processes under load: no request fails, each is of exactly one version`,
  { timeout: 180_000 },
  async () => {
    const { begin } = await emptyDatabase('changed');
    const variables = { ...secrets, REQUESTS_PER_MINUTE: '60000', REQUEST_BURST: '10000' };
    const one = await begin({ kind: 'api', variables });
    const [other] = await Promise.all([begin({ kind: 'api', variables }), begin({ kind: 'worker' })]);
    const { instance_id: instance } = await one.call('GET', '/v1/instance');
    const [key, adminToken] = [secrets.PRESAGE_API_KEY, secrets.PRESAGE_ADMIN_TOKEN];
    await expectNoDowntime({ urls: [one.baseUrl, other.baseUrl], key, adminToken, instance });
    for (const each of [one, other]) expect(each.output()).not.toMatch(/"level":"(error|fatal)"/);
  },
);

test('what is said to a stream process is answered by an api process before it is asked, until it changes or the key is revoked', async () => {
  const { url, begin } = await emptyDatabase('ahead');
  const api = await begin({ kind: 'api', variables: secrets });
  const [stream] = await Promise.all([begin({ kind: 'stream', variables: secrets }), begin({ kind: 'worker' })]);
  const document = { document: 'I live in Leeds.', document_type: 'note', user_id: 'ada' };
  const { ingestion_id: id } = await api.call('POST', '/v1/memories', document);
  const { memory_ids: remembered } = await api.call('GET', `/v1/memories/${id as string}/status?wait=30`);
  using client = openClient(stream.grpcAddress);
  const call = client.anticipate({ key: secrets.PRESAGE_API_KEY });
  call.send({ sessionStart: { userId: 'ada', conversationId: 'talk' } }, says('Where do I live?'));
  const answers = () => rowsOf(url, 'SELECT conversation_id FROM prefetched_context');
  await expect.poll(async () => (await answers()).length, { interval: 20, timeout: 30_000 }).toBe(1);

  const body = { search_queries: ['Where do I live?'], conversation_id: 'talk' };
  const fetchAgain = () => api.call('POST', '/v1/context/fetch', body);
  const ready = { source: 'anticipation', memories: [{ content: 'I live in Leeds.' }] };
  expect(await fetchAgain()).toMatchObject(ready);
  await rowsOf(url, 'DELETE FROM prefetched_context');
  expect(await fetchAgain()).toMatchObject(ready); // which the api keeps from then on
  for (const memory of remembered as string[]) await api.call('DELETE', `/v1/memories/${memory}`);
  expect(await fetchAgain()).toMatchObject({ source: 'store', memories: [] });

  call.send(says('Where do I work?'));
  await expect.poll(async () => (await answers()).length, { interval: 20, timeout: 30_000 }).toBe(1);
  const sent = () =>
    fetch(`${api.baseUrl}/v1/context/fetch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secrets.PRESAGE_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, search_queries: ['Where do I work?'] }),
    });
  expect(await (await sent()).json()).toMatchObject({ source: 'anticipation' });
  await rowsOf(url, 'UPDATE api_key SET revoked_at = now()');
  expect((await sent()).status).toBe(401);
  call.hangUp();
});
