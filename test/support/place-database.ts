import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { openDatabase, type Database } from '../../src/db/database.ts';
import { join } from 'node:path';

/** The tests run on a real Postgres, and not on the embedded one. */
export const isOnPostgres = () => inject('postgres') !== null;

/** Every process on one database opens the same data. */
const masterKey = createHash('sha256').update('the tests').digest('base64');

/**
 * What the environment says of the database that belongs to a data folder: on a real Postgres one of its own, made from
 * the migrated template when it is not there; nothing on the embedded one.
 */
export async function databaseVariables(folder: string): Promise<Record<string, string>> {
  const template = inject('postgres');
  if (template === null) return {};
  const url = new URL(template);
  const name = basename(folder);
  const client = new Client({ connectionString: template.replace(/template$/, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (!rowCount) await client.query(`CREATE DATABASE "${name}" TEMPLATE template`);
  } finally {
    await client.end();
  }
  url.pathname = `/${name}`;
  return { DATABASE_URL: url.href, MASTER_KEY: masterKey };
}

/** The database that a service left in a folder, or that belongs to it. */
export async function openDatabaseOf(folder: string, dataFolder: string): Promise<Database> {
  const { DATABASE_URL: url } = await databaseVariables(folder);
  return openDatabase(url ? { url, poolSize: 2, name: 'test' } : { dataFolder: join(dataFolder, 'postgres') });
}
