#!/usr/bin/env node
// Stands in for Prisma's native schema engine, which is downloaded and so not everywhere to be had: the same engine as
// WebAssembly (newline JSON-RPC on stdio). Use: PRISMA_SCHEMA_ENGINE_BINARY=scripts/prisma-schema-engine.mjs npx prisma …
// Speaks to Postgres, and with DATABASE_URL=pglite:<folder> to the embedded one (build first; nobody else may use it).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';

const argv = process.argv.slice(2);
const flags = (name) => argv.flatMap((word, at) => (word === name ? [argv[at + 1]] : []));
if (argv.includes('--version')) {
  process.stdout.write('schema-engine wasm\n');
  process.exit(0);
}
const { url } = JSON.parse(flags('--datasource')[0] ?? '{}');
// `migrate diff` names none, and the engine panics without one.
const datamodels = flags('--datamodels').length ? flags('--datamodels') : ['prisma/schema.prisma'];
const closers = [];
// Where the engine leaves the reason before it panics.
globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => process.stderr.write(`${message}\n`) };

const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
const wasm = createRequire(import.meta.url)
  .resolve('@prisma/schema-engine-wasm')
  .replace(/\.js$/, '_bg.wasm');
const { instance } = await WebAssembly.instantiate(readFileSync(wasm), { './schema_engine_bg.js': glue });
glue.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

const factory = url?.startsWith('pglite:') ? embedded(url.slice('pglite:'.length)) : server();

if (argv.includes('cli')) await checkConnection();
const engine = await glue.SchemaEngine.new(
  { datamodels: datamodels.map((path) => [path, readFileSync(path, 'utf8')]) },
  () => {},
  bindMigrationAwareSqlAdapterFactory(factory),
);
await serve();

function server() {
  const pool = (connectionString) => new Pool({ connectionString, max: 1 });
  return {
    provider: 'postgres',
    adapterName: 'pg',
    connect: () => adapterOf(pool(url)),
    async connectToShadowDb() {
      const name = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
      const admin = pool(url);
      const shadow = new URL(url);
      shadow.pathname = name;
      await admin.query(`CREATE DATABASE "${name}"`);
      return adapterOf(pool(`${shadow}`), async () => {
        await admin.query(`DROP DATABASE IF EXISTS "${name}"`);
        await admin.end();
      });
    },
  };
}

function embedded(folder) {
  const open = async (dataFolder) => {
    const { openPglite } = await import('../dist/db/pglite.js');
    const { pool, close } = await openPglite(dataFolder);
    closers.push(close);
    return pool;
  };
  let main;
  return {
    provider: 'postgres',
    adapterName: 'pg',
    connect: async () => adapterOf(await (main ??= open(folder)), () => {}, false),
    connectToShadowDb: async () => adapterOf(await open('memory://'), () => {}, false),
  };
}

async function adapterOf(pool, after, ends = true) {
  // The engine reads a catalogue column of type "char" (18) as text (25).
  const query = pool.query.bind(pool);
  pool.query = async (...args) => {
    const result = await query(...args);
    for (const each of [result].flat()) {
      for (const field of each.fields ?? []) if (field.dataTypeID === 18) field.dataTypeID = 25;
    }
    return result;
  };
  const adapter = await new PrismaPg(pool).connect();
  adapter.executeScript = async (script) => {
    try {
      await query(script); // the whole file at once: $$ bodies survive
    } catch (error) {
      adapter.onError(error);
    }
  };
  adapter.dispose = async () => {
    if (ends) await pool.end();
    await after?.();
  };
  return adapter;
}

async function checkConnection() {
  try {
    const adapter = await factory.connect();
    await adapter.executeScript('SELECT 1');
    await adapter.dispose();
    process.exit(0);
  } catch (error) {
    const fields = { error_code: 'P1001', message: String(error.cause?.kind ?? error.message) };
    process.stderr.write(`\n${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields })}\n`);
    process.exit(1);
  }
}

async function serve() {
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let work = Promise.resolve();
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      work = work.then(() => answer(JSON.parse(line), send));
    })
    .on('close', async () => {
      await work;
      for (const close of closers) await close();
      process.exit(0);
    });
}

async function answer({ id, method, params }, send) {
  if (!method) return;
  try {
    // These two read a cache that only this call fills from the shadow database.
    if (method === 'evaluateDataLoss' || method === 'createMigration') {
      const { migrationsList, filters } = params;
      await engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: true, filters });
    }
    const result = await engine[method === 'getDatabaseVersion' ? 'version' : method](params);
    if (method === 'diff' && result?.stdout != null)
      send({ id: 1e6 + id, method: 'print', params: { content: result.stdout } });
    send({ id, result: result ?? null });
  } catch (error) {
    const data = {
      is_panic: false,
      message: String(error?.message ?? error),
      error_code: error?.code ?? null,
      meta: error?.meta ?? null,
    };
    send({ id, error: { code: 4466, message: 'error', data } });
  }
}
