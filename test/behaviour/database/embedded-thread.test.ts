import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseConnection } from '../../../src/db/database-connection.ts';
import { isOutage } from '../../../src/db/outage.ts';
import { openPglite } from '../../../src/db/pglite.ts';
import { newFolder } from '../../support/world.ts';

const folder = newFolder();
let connected: DatabaseConnection;
beforeAll(async () => {
  connected = await openPglite(join(folder, 'postgres'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what a statement answers after its connection was dropped reaches no other one', async () => {
  const { pool } = connected;
  const slow = (await pool.connect()).on('error', () => undefined);
  const dropped = slow.query(`SELECT 'slow' AS word, count(*) FROM generate_series(1, 300000)`);
  const { connection } = slow as unknown as { connection: { stream: Duplex } };
  connection.stream.destroy();
  await expect(dropped).rejects.toThrow('Connection terminated');
  slow.release(true);
  const words = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => (await pool.query(`SELECT 'word ${n}' AS word`)).rows[0].word),
  );
  expect(words).toEqual(Array.from({ length: 20 }, (_, n) => `word ${n}`));
});

test('a database whose thread ends answers with an outage, says why, and can still be closed', async () => {
  const { pool } = connected;
  expect(connected.trouble()).toBe(null);
  // Postgres gives up by itself: a commit that cannot be written to its log must not go on.
  rmSync(join(folder, 'postgres', 'pg_wal'), { recursive: true });
  const writing = async () => {
    for (;;) await pool.query(`SELECT pg_switch_wal(), pg_logical_emit_message(true, 'test', repeat('x', 1000000))`);
  };
  const failure = await writing().catch((error: unknown) => error);
  expect(isOutage(failure)).toBe(true);
  expect(connected.trouble()).toMatchObject({ isFinal: true, reason: expect.stringMatching(/^PANIC: .*pg_wal/) });
  await expect(pool.query('SELECT 1')).rejects.toSatisfy(isOutage);
  await connected.close();
});
