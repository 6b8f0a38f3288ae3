import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import { openDependencies, type Dependencies } from '../../src/dependencies.ts';
import { newUuid, parseInstanceId } from '../../src/domain/ids.ts';
import { hashSecret, newSecret } from '../../src/domain/tenancy/credentials.ts';
import type { Access, Admin } from '../../src/domain/tenancy/access.ts';
import { readEnvironment } from '../../src/environment.ts';
import { createTelemetry } from '../../src/telemetry.ts';
import { ownServer } from '../support/own-server.ts';
import { newPlace, startService, type ServiceProcess } from '../support/service-process.ts';
import { lengthOf, tell } from './length.ts';

/** Processes that count the calls of one instance, and are stopped or killed: what is charged for in the end. */
const own = ownServer();
const folder = mkdtempSync(join(tmpdir(), 'presage-usage-'));
let deps: Dependencies;
let app: App;
let admin: Admin;
let variables: Record<string, string>;

beforeAll(async () => {
  await own.server.query('CREATE DATABASE usage_faults');
  const common = { DATABASE_URL: own.server.urlOf('usage_faults'), MASTER_KEY: randomBytes(32).toString('hex') };
  variables = { ...common, REQUESTS_PER_MINUTE: '1000000', REQUEST_BURST: '100000' };
  const here = { ...variables, PRESAGE_DATA_DIR: join(folder, 'here'), LOG_LEVEL: 'silent' };
  const environment = { ...readEnvironment(here), ownFolder: join(folder, 'own') };
  deps = await openDependencies(environment, createTelemetry({ level: 'silent', process: 'test' }));
  app = createApp(deps);
  const tokenId = newUuid();
  await deps.db.adminToken.create({ data: { id: tokenId, hash: hashSecret(newSecret('admin')), role: 'owner' } });
  admin = { kind: 'admin', tokenId, role: 'owner' };
});
afterAll(async () => {
  await deps?.close();
  rmSync(folder, { recursive: true, force: true });
});

let places = 0;
const startApi = async () =>
  startService({ ...(await newPlace(join(folder, String(places++)))), kind: 'api', variables });

async function newInstance(): Promise<{ access: Access; key: string }> {
  const { id } = await app.createInstance(admin, { name: 'counted' });
  const access = await app.accessAsAdmin(admin, parseInstanceId(id));
  return { access, key: (await app.createKey(access, { label: null })).key };
}

const atOnce = 8;

/** Calls one after the other in a few lanes; `answered`: when each answer came, by the clock of this process. */
function caller({ baseUrl }: ServiceProcess, key: string, calls: number) {
  const answered: number[] = [];
  let sent = 0;
  const lane = async () => {
    while (sent < calls) {
      sent += 1;
      const answer = await fetch(`${baseUrl}/v1/receipts/rcp_nothing`, { headers: { authorization: `Bearer ${key}` } });
      await answer.text();
      expect(answer.status).toBe(404); // let in, and found nothing
      answered.push(performance.now());
    }
  };
  return { answered, sent: () => sent, done: Promise.allSettled(Array.from({ length: atOnce }, lane)) };
}

const counted = async (access: Access) => (await app.analytics.usage(access)).apiCalls;

const calls = lengthOf(10_000, 400);
const timeout = lengthOf(600_000, 120_000);

test('two processes that are stopped have counted every call', { timeout }, async () => {
  const { access, key } = await newInstance();
  const services = await Promise.all([startApi(), startApi()]);
  const callers = services.map((service) => caller(service, key, calls / 2));
  for (const { done } of callers) expect((await done).every(({ status }) => status === 'fulfilled')).toBe(true);
  await Promise.all(services.map((service) => service.stop()));
  const told = await counted(access);
  tell('usage of stopped processes', { calls, counted: told });
  expect(told).toBe(calls);
});

test(
  'a process that is killed has counted all calls but those of its last second, and none twice',
  { timeout },
  async () => {
    const { access, key } = await newInstance();
    const [killed, stopped] = await Promise.all([startApi(), startApi()]);
    const [lost, kept] = [caller(killed, key, Infinity), caller(stopped, key, calls / 2)];
    await expect.poll(() => lost.answered.length, { interval: 10, timeout }).toBeGreaterThanOrEqual(calls / 2);
    await new Promise((resolve) => setTimeout(resolve, 1_500)); // so that some were made before the last second
    const killedAt = performance.now();
    await killed.kill();
    await Promise.all([lost.done, kept.done]);
    await stopped.stop();
    const before = lost.answered.filter((at) => at < killedAt - 1_000).length + calls / 2;
    const [told, made] = [await counted(access), lost.sent() + kept.sent()];
    tell('usage of a killed process', { 'before the last second': before, counted: told, made });
    expect(told).toBeGreaterThanOrEqual(before);
    expect(told).toBeLessThanOrEqual(made);
  },
);
