import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/db/database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A data folder whose database is migrated: each test file starts from a copy of it. */
    template: string;
  }
}

/** Makes the database once, so that no test file waits for it. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'presage-template-'));
  const database = await openDatabase({ dataFolder: join(folder, 'postgres') });
  await database.close();
  project.provide('template', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
