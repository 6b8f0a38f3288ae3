// Fails unless the migrations make exactly what prisma/schema.prisma says, and Prisma calls a database of ours up to date.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../dist/db/database.js';

const folder = mkdtempSync(join(tmpdir(), 'presage-schema-'));
const environment = {
  ...process.env,
  DATABASE_URL: `pglite:${folder}`,
  PRISMA_SCHEMA_ENGINE_BINARY: fileURLToPath(new URL('prisma-schema-engine.mjs', import.meta.url)),
};

const prisma = (...args) => spawnSync('node_modules/.bin/prisma', args, { env: environment, encoding: 'utf8' });

/** The statements of a script, without comments and the schema that every database has. */
const statementsOf = (sql) =>
  sql
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*/)
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement && !statement.startsWith('CREATE SCHEMA'));

try {
  const database = await openDatabase({ dataFolder: folder });
  await database.close();
  const { status, stdout, stderr } = prisma('migrate', 'status');
  if (status !== 0) fail(`${stdout}${stderr}`);
  // The engine does not describe Postgres 18 yet, so what the migrations make is compared as statements: exact while
  // there is one migration. With the second, compare databases on a real Postgres 15 to 17 (`migrate diff --exit-code`).
  const migrations = readdirSync('prisma/migrations', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (migrations.length !== 1) fail('there are several migrations: compare databases instead of statements');
  const made = statementsOf(readFileSync(join('prisma/migrations', migrations[0].name, 'migration.sql'), 'utf8'));
  const meant = statementsOf(
    prisma('migrate', 'diff', '--from-empty', '--to-schema', 'prisma/schema.prisma', '--script').stdout,
  );
  if (!meant.length) fail('the schema engine gave no statements');
  for (const statement of meant) if (!made.includes(statement)) fail(`no migration makes: ${statement}`);
  for (const statement of made) if (!meant.includes(statement)) fail(`the schema does not have: ${statement}`);
  console.log(process.exitCode ? 'schema: the migrations do not match it' : 'schema: up to date');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
