import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseSession } from './database-connection.ts';

const folder = fileURLToPath(new URL('../../prisma/migrations/', import.meta.url));
/**
 * Applies the migrations that the database lacks, in order, and records them as `prisma migrate` does, so that
 * `prisma migrate status` says "up to date". Throws when an applied one was changed since. One process at a time.
 */
export async function migrate(session: DatabaseSession): Promise<void> {
  await session.query(recordTable);
  const applied = await finished(session);
  for (const { name, sql, checksum } of migrations()) {
    const existing = applied.get(name);
    if (existing === undefined) await apply(session, name, sql, checksum);
    else if (existing !== checksum) throw new Error(`migration ${name} was changed after it was applied`);
  }
}

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

async function apply(session: DatabaseSession, name: string, sql: string, checksum: string): Promise<void> {
  await session.query('BEGIN');
  try {
    await session.query(sql);
    await session.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
    await session.query('COMMIT');
  } catch (error) {
    await session.query('ROLLBACK');
    throw new Error(`migration ${name} failed`, { cause: error });
  }
}

/** Every migration there is, in the order in which they are applied. */
export function migrations(): { name: string; sql: string; checksum: string }[] {
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
