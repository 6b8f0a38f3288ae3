import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openPgvectorIndex } from '../../src/adapters/pgvector/pgvector-index.ts';
import { openDatabase } from '../../src/db/database.ts';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A data folder whose database is migrated, copied for each world; what stands beside it goes with the run. */
    template: string;
    /** Of the real Postgres on which this run is, with `template` as the database that others are made from. */
    postgres: string | null;
  }
}

/** Makes the database once for all suites, so that no test file waits for it. */
export default async function setup(project: TestProject) {
  if (!project.isRootProject()) return undefined; // it has what the root provides
  const folder = mkdtempSync(join(tmpdir(), 'presage-tests-'));
  const template = join(folder, 'template');
  mkdirSync(template);
  project.provide('template', template);
  if (process.env['TEST_DATABASE'] !== 'postgres') {
    const database = await openDatabase({ dataFolder: join(template, 'postgres') });
    await database.close();
    project.provide('postgres', null);
    return () => rmSync(folder, { recursive: true, force: true });
  }
  const server = await startPostgres();
  await server.query('CREATE DATABASE template');
  const database = await openDatabase({ url: server.urlOf('template'), poolSize: 2, name: 'template' });
  const { comparesInDatabase } = await openPgvectorIndex(database);
  await database.close();
  process.stdout.write(`tests run on a real Postgres, ${comparesInDatabase ? 'with' : 'without'} pgvector\n`);
  project.provide('postgres', server.urlOf('template'));
  return async () => {
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  };
}
