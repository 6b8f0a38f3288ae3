import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, describe, test } from 'vitest';
import { databaseVariables, isOnPostgres, openDatabaseOf } from '../../support/place-database.ts';
import { migratedPlace, startService, type Place, type ServiceProcess } from '../../support/service-process.ts';
import { emptyFolder } from '../../support/world.ts';

/** A document of this id is never stored, and the statement that stores it never ends: a rule of the database says so. */
const endless = 'endless';
/** Long enough for every other statement; by default the endless one would keep a processor busy for 45 seconds. */
const variables = { DATABASE_STATEMENT_TIMEOUT_SECONDS: '8' };
const all = emptyFolder();
afterAll(() => rmSync(all, { recursive: true, force: true }));

async function placeThatMayHang(): Promise<Place> {
  const folder = emptyFolder(all);
  const place = await migratedPlace(folder);
  const { db, close } = await openDatabaseOf(folder, join(folder, 'data'));
  await db.$executeRawUnsafe(
    `CREATE FUNCTION never_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN LOOP END LOOP; END $$`,
  );
  await db.$executeRawUnsafe(
    `CREATE TRIGGER never_end BEFORE INSERT ON document FOR EACH ROW WHEN (NEW.external_id = '${endless}') EXECUTE FUNCTION never_end()`,
  );
  await close();
  return place;
}

const note = (document: string, more: object = {}) => ({ document, document_type: 'note', user_id: 'ada', ...more });
const submit = (service: ServiceProcess, body: object) => service.call('POST', '/v1/memories', body);
const ask = async (service: ServiceProcess, path: string) => {
  const began = performance.now();
  const answer = await fetch(service.baseUrl + path);
  return { status: answer.status, body: await answer.text(), ms: performance.now() - began };
};

/** A statement that keeps the embedded database from all others; on a server, a lock that every request waits for. */
async function hang(service: ServiceProcess, { folder }: Place): Promise<AsyncDisposable> {
  const { DATABASE_URL: url } = await databaseVariables(folder);
  if (url) {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE api_key');
    return { [Symbol.asyncDispose]: () => client.end() };
  }
  void submit(service, note('This never ends.', { document_id: endless })).catch(() => undefined);
  return { [Symbol.asyncDispose]: async () => undefined };
}

// They mostly wait, so both at once.
describe.concurrent('a process whose database hangs', { timeout: 150_000 }, () => {
  test('is not ready, and ends in time when it is asked to', async ({ expect }) => {
    const place = await placeThatMayHang();
    const service = await startService(place);
    try {
      await using _hanging = await hang(service, place);
      await expect.poll(async () => (await ask(service, '/ready')).status, { timeout: 20_000 }).toBe(503);
      expect((await ask(service, '/ready')).ms).toBeLessThan(5_000);
      const asked = performance.now();
      process.kill(service.pid, 'SIGTERM');
      const { signal } = await service.ended;
      expect(signal).toBe(null);
      expect(performance.now() - asked).toBeLessThan(10_000);
    } finally {
      await service.kill().catch(() => undefined);
    }
  });

  test.skipIf(isOnPostgres())(
    'says so, refuses calls, and ends; the next one has all that was accepted',
    async ({ expect }) => {
      const place = { ...(await placeThatMayHang()), variables };
      let service = await startService(place);
      try {
        const { ingestion_id: accepted } = await submit(service, note('The ferry to Hydra leaves at six.'));
        const refused = submit(service, note('This never ends.', { document_id: endless }));
        const health = () => ask(service, '/health');
        await expect.poll(async () => (await health()).status, { timeout: 60_000, interval: 250 }).toBe(503);
        expect((await health()).body).toMatch(/embedded database.*has not answered for \d+ seconds/);
        expect(await refused).toMatchObject({ status: 503, code: 'unavailable' });
        expect((await ask(service, '/ready')).status).toBe(503);
        expect(await submit(service, note('Is anybody there?'))).toMatchObject({ status: 503 });
        expect(await service.ended).toEqual({ code: 1, signal: null });
        expect(service.output()).toMatch(/^presage: the embedded database in .*\/data failed: .* Start Presage again/m);
        service = await startService(place);
        const status = () => service.call('GET', `/v1/memories/${accepted}/status`);
        await expect.poll(async () => (await status()).status, { timeout: 30_000 }).toBe('completed');
      } finally {
        await service.kill().catch(() => undefined);
      }
    },
  );
});
