// Fails unless the migrations make exactly what prisma/schema.prisma says, and Prisma calls a database of ours up to date.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { migrations } from '../dist/db/migrate.js';
import { openDatabase } from '../dist/db/database.js';

const folder = mkdtempSync(join(tmpdir(), 'presage-schema-'));
const environment = {
  ...process.env,
  DATABASE_URL: `pglite:${folder}`,
  PRISMA_SCHEMA_ENGINE_BINARY: fileURLToPath(new URL('prisma-schema-engine.mjs', import.meta.url)),
};
const prisma = (...args) => spawnSync('node_modules/.bin/prisma', args, { env: environment, encoding: 'utf8' });

/** What a script makes of an empty database, a line for each column, index and constraint. */
async function madeBy(script) {
  const database = await PGlite.create();
  try {
    await database.exec(script);
    return new Set((await database.query(catalogue)).rows.map(({ line }) => line));
  } finally {
    await database.close();
  }
}

const catalogue = `
  SELECT format('column %s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                CASE WHEN a.attnotnull THEN ' not null' END, ' default ' || pg_get_expr(d.adbin, d.adrelid)) AS line
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL
  SELECT format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n' -- not null stands with its column`;

try {
  const database = await openDatabase({ dataFolder: folder });
  await database.close();
  const { status, stdout, stderr } = prisma('migrate', 'status');
  if (status !== 0) fail(`${stdout}${stderr}`);
  // The engine cannot describe Postgres 18, which PGlite is: so what it would make is made, and Postgres describes both.
  const schema = prisma('migrate', 'diff', '--from-empty', '--to-schema', 'prisma/schema.prisma', '--script').stdout;
  const meant = await madeBy(schema);
  const made = await madeBy(
    migrations()
      .map(({ sql }) => sql)
      .join('\n'),
  );
  if (!meant.size) fail('the schema engine gave no statements');
  for (const line of meant) if (!made.has(line)) fail(`no migration makes: ${line}`);
  for (const line of made) if (!meant.has(line)) fail(`the schema does not have: ${line}`);
  console.log(process.exitCode ? 'schema: the migrations do not match it' : 'schema: up to date');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
