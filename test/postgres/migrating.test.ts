import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { migrate, type Migration } from '../../src/db/migrate.ts';
import { ownServer } from '../support/own-server.ts';

const own = ownServer();
const sessions: Client[] = [];
const session = async () => {
  const client = new Client({ connectionString: own.server.urlOf('migrating') });
  sessions.push(client);
  await client.connect();
  return client;
};
beforeAll(async () => {
  await own.server.query('CREATE DATABASE migrating');
  await (await session()).query('CREATE TABLE shelf (n int)');
});
afterEach(() => Promise.all(sessions.splice(0).map((client) => client.end())));

const addColumn = (name: string): Migration => ({
  name,
  sql: `ALTER TABLE shelf ADD COLUMN ${name} int`,
  checksum: name,
});

test('a migration that waits for a dump lets those who read pass, and is applied once the dump is done', async () => {
  const [dump, reader, migrating] = await Promise.all([session(), session(), session()]);
  await dump.query('BEGIN; LOCK TABLE shelf IN ACCESS SHARE MODE');
  const applied = migrate(migrating, [addColumn('height')]);
  await pause(500); // it stands at the lock
  const startedAt = performance.now();
  await reader.query('SELECT FROM shelf');
  expect(performance.now() - startedAt).toBeLessThan(2_500);
  await dump.query('COMMIT');
  await applied;
  await reader.query('SELECT height FROM shelf');
});

test('a migration that fails leaves nothing of itself, and says by which SQLSTATE', async () => {
  const failing = { ...addColumn('width'), sql: 'CREATE TABLE half (n int); ALTER TABLE nowhere ADD COLUMN n int' };
  const client = await session();
  await expect(migrate(client, [addColumn('height'), failing])).rejects.toThrow('migration width failed: 42P01');
  await expect(client.query('SELECT FROM half')).rejects.toThrow('does not exist');
});

test('a release does not start on a database that a newer one migrated, and says which one did', async () => {
  const client = await session();
  await migrate(client, [addColumn('height'), addColumn('width')]);
  await expect(migrate(client, [addColumn('height')])).rejects.toThrow('migrated by a newer release (width)');
});
