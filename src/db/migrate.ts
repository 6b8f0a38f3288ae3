import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pRetry from 'p-retry';
import type { DatabaseSession } from './database-connection.ts';
import { isConflict } from './outage.ts';

const folder = fileURLToPath(new URL('../../prisma/migrations/', import.meta.url));

/** A migration as its file says it. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/**
 * Whoever asks for the table meanwhile stands behind a migration that waits for its lock, also one that only reads: the
 * migration does not wait for long, and lets them pass before it tries again. A dump may hold its locks for hours.
 */
const lockTimeoutMs = 2_000;
const tries = { retries: 20, minTimeout: 1_000, factor: 1 };

/**
 * Applies the migrations that the database lacks, in order, and records them as `prisma migrate` does, so that
 * `prisma migrate status` says "up to date". Throws when an applied one was changed since, or is of a newer release,
 * whose names this one does not know. One process at a time.
 */
export async function migrate(session: DatabaseSession, wanted: readonly Migration[] = migrations()): Promise<void> {
  await session.query(recordTable);
  const applied = await finished(session);
  const newer = unknownIn(applied, wanted);
  if (newer.length) {
    throw new Error(
      `the database was migrated by a newer release (${newer.join(', ')}): start that release, ` +
        'or this one on a backup from before',
    );
  }
  for (const migration of wanted) {
    const existing = applied.get(migration.name);
    if (existing === undefined) await apply(session, migration);
    else if (existing !== migration.checksum) {
      throw new Error(`migration ${migration.name} was changed after it was applied`);
    }
  }
}

/** The names of applied migrations that this release does not have. */
export const unknownIn = (applied: ReadonlyMap<string, string>, wanted: readonly Migration[]): string[] =>
  [...applied.keys()].filter((name) => !wanted.some((migration) => migration.name === name)).toSorted();

/** The checksums of the migrations that a database has, by their names; none where it is new. Changes nothing. */
export async function readApplied(session: DatabaseSession): Promise<Map<string, string>> {
  const { rows } = await session.query<{ known: string | null }>(`SELECT to_regclass('_prisma_migrations') AS known`);
  return rows[0]?.known ? finished(session) : new Map();
}

async function finished(session: DatabaseSession): Promise<Map<string, string>> {
  const { rows } = await session.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL',
  );
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

async function apply(session: DatabaseSession, migration: Migration): Promise<void> {
  const shouldRetry = ({ error }: { error: unknown }) => isConflict(error) || stateOf(error) === lockNotAvailable;
  try {
    await pRetry(() => applyOnce(session, migration), { ...tries, shouldRetry });
  } catch (error) {
    throw new Error(`migration ${migration.name} failed: ${reasonOf(error)}`, { cause: error });
  }
}

async function applyOnce(session: DatabaseSession, { name, sql, checksum }: Migration): Promise<void> {
  await session.query('BEGIN');
  try {
    await session.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await session.query(sql);
    await session.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
    await session.query('COMMIT');
  } catch (error) {
    await session.query('ROLLBACK').catch(() => undefined); // the connection may be gone, as the error says
    throw error;
  }
}

/** The SQLSTATE of a lock that was not granted in time. */
const lockNotAvailable = '55P03';
const stateOf = (error: unknown) => (error as { code?: string }).code ?? 'no SQLSTATE';

/** Tells what to do about an error. Its own message is left out, which may quote a row. */
const reasonOf = (error: unknown) =>
  stateOf(error) === lockNotAvailable
    ? 'another session holds a lock on its tables, such as a dump or a long transaction (pg_stat_activity); ' +
      'end it or wait for it, and start again'
    : `${stateOf(error)}; the log of Postgres says why`;

/** Every migration there is, in the order in which they are applied. */
export function migrations(): Migration[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names
    .map((entry) => entry.name)
    .toSorted()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/** Prisma's own table, as its schema engine makes it. */
const recordTable = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY NOT NULL,
  checksum varchar(64) NOT NULL,
  finished_at timestamptz,
  migration_name varchar(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`;
