import type { EventEmitter } from 'node:events';
import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { openPostgres } from '../../src/db/postgres.ts';
import { isOutage } from '../../src/db/outage.ts';
import { DomainError } from '../../src/domain/errors.ts';
import { createTelemetry } from '../../src/telemetry.ts';
import { createIdempotency } from '../../src/domain/tenancy/idempotency.ts';
import { createHttpServer } from '../../src/transports/http/server.ts';
import { brokenRules } from '../support/consistency.ts';
import { ownServer } from '../support/own-server.ts';
import { newFolder, startWorld } from '../support/world.ts';

const own = ownServer();
const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['stop', 'kill'] as const)(
  'a Postgres that goes (%s) in the middle of requests and comes back: 503 meanwhile, nothing lost, and no restart of ours',
  { timeout: 90_000 },
  async (how) => {
    await own.server.query(`CREATE DATABASE of_${how}`);
    const world = await startWorld({}, { folder, variables: { DATABASE_URL: own.server.urlOf(`of_${how}`) } });
    const telemetry = createTelemetry({ level: 'silent', process: 'test' });
    const parts = { app: world.app, telemetry, idempotency: createIdempotency(world.deps.db), mount: [] };
    const http = createHttpServer(parts);
    const ready = async () => (await http.inject('/ready')).statusCode;
    try {
      const ada = await world.user('ada', { customer: 'acme' });
      await ada.says('I live in Leeds.');
      const [accepted, refusals] = [new Set<string>(), [] as unknown[]];
      const run = { isOver: false };
      const refused = (error: unknown) => void refusals.push(error);
      const requests = Array.from({ length: 6 }, async (_, line) => {
        for (let n = 0; !run.isOver; n++) {
          const document = `Crate ${line}-${n} went to the cellar with Rosalind${n % 3}.`;
          const submission = { document, documentType: 'note', mode: 'fast', ...ada.named } as const;
          await world.app.submit(ada.access, submission).then(() => accepted.add(document), refused);
          await ada.fetches('Where do I live?').catch(refused);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      });
      await expect.poll(() => accepted.size, { timeout: 20_000 }).toBeGreaterThan(30);
      expect(refusals).toEqual([]);
      await own.server[how]();
      await expect.poll(() => refusals.length, { timeout: 20_000 }).toBeGreaterThan(12);
      expect(await ready()).toBe(503);
      await own.server.start();
      await expect.poll(ready, { timeout: 20_000 }).toBe(200);
      const before = accepted.size;
      await expect.poll(() => accepted.size, { timeout: 20_000 }).toBeGreaterThan(before + 12);
      run.isOver = true;
      await Promise.all(requests);

      const others = refusals.filter((error) => !(error instanceof DomainError && error.code === 'unavailable'));
      expect(others).toEqual([]);
      expect(refusals.every((error) => isOutage((error as Error).cause))).toBe(true);
      await world.settle(); // a job whose lease nobody renewed is taken up again
      const stored = await storedOf(world, ada);
      expect([...accepted].filter((document) => !stored.includes(document))).toEqual([]);
      expect(new Set(stored).size).toBe(stored.length);
      expect(await brokenRules(world.deps, ada.access)).toEqual({});
    } finally {
      await http.close();
      await world.close();
    }
  },
);

test('a connection that breaks between two statements of a migration fails the migration, and no process', async () => {
  const connection = await openPostgres({ url: own.server.urlOf('postgres'), poolSize: 1, name: 'migrating' });
  try {
    const migrating = connection.exclusively(async (client) => {
      // The types of the client leave out that it emits events.
      const broken = new Promise((resolve) => (client as unknown as EventEmitter).once('end', resolve));
      await own.server.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'migrating' AND query LIKE '%advisory%'`,
      );
      await broken;
      await client.query('SELECT 1');
    });
    await expect(migrating).rejects.toThrow(/terminat|connection|not queryable/i);
  } finally {
    await connection.close();
  }
});

async function storedOf(
  world: Awaited<ReturnType<typeof startWorld>>,
  { access, named }: { access: any; named: object },
) {
  const contents: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await world.app.memories(access, { ...named, type: 'episodes' }, { limit: 100, cursor });
    contents.push(...page.data.map(({ content }) => content));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return contents;
}
