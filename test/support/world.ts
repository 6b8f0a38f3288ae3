import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import { openDependencies, type Dependencies, type Overrides } from '../../src/dependencies.ts';
import { hashSecret, newSecret } from '../../src/domain/tenancy/credentials.ts';
import { newUuid, parseInstanceId } from '../../src/domain/ids.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';
import type { Admin } from '../../src/domain/tenancy/access.ts';
import { readEnvironment, type Environment } from '../../src/environment.ts';
import { createTelemetry, type Telemetry } from '../../src/telemetry.ts';
import { releaseLeases } from '../../src/jobs/queue.ts';
import { runWorker } from '../../src/jobs/worker.ts';
import { Person } from './person.ts';
import { databaseVariables, isOnPostgres } from './place-database.ts';

/** The real service on a database of its own, with a clock that tests set. */
export interface World {
  readonly app: App;
  readonly deps: Dependencies;
  readonly admin: Admin;
  readonly environment: Environment;
  /** Where the service counts; its doors have another in tests. */
  readonly registry: Telemetry['registry'];
  /** A new instance: each test has one, so that every test tests isolation too. */
  instance(): Promise<{ access: Access; key: string; id: string }>;
  /** The access of an administrator to the same instance. */
  asAdmin(access: Access): Access;
  /** A user of a new instance, or of the given one. */
  user(name: string, of?: { access?: Access; customer?: string }): Promise<Person>;
  /** Waits until no job is left but purges. */
  settle(): Promise<void>;
}

/**
 * A world for the tests of one file. Files share the one of their process, since each test has instances of its own; one
 * that replaces a part, or says something of the whole database, has its own.
 */
export function openWorld(overrides?: Overrides): World {
  let opened: (World & { close(): Promise<void> }) | undefined;
  beforeAll(async () => {
    opened = await (overrides ? startWorld(overrides) : sharedWorld());
  });
  afterAll(() => (overrides ? opened?.close() : opened && dropJobs(opened)));
  return new Proxy({} as World, { get: (_, name) => Reflect.get(opened!, name) });
}

let shared: ReturnType<typeof startWorld> | undefined;
/** It ends with the process, and its folder with the run. */
const sharedWorld = () => (shared ??= startWorld({}, { folder: newFolder(dirname(inject('template'))) }));

/** What the tests of one file leave for later, such as a retry, is nothing for the next to wait for. */
const dropJobs = ({ deps }: World) => deps.db.job.deleteMany({ where: { queue: { not: 'purge-instance' } } });

/** A folder with nothing in it, removed by nobody but its maker. */
export const emptyFolder = (within = tmpdir()): string => mkdtempSync(join(within, 'presage-test-'));

/** The data folder of a migrated database without a row, removed by nobody but its maker. */
export function newFolder(within = tmpdir()): string {
  const folder = emptyFolder(within);
  if (!isOnPostgres()) cpSync(inject('template'), folder, { recursive: true });
  return folder;
}

/** `place`: a folder that stays when the world is closed, and what the environment says beside or before the usual. */
export async function startWorld(
  overrides: Overrides = {},
  place: { folder?: string; providers?: Partial<Environment['providers']>; variables?: NodeJS.ProcessEnv } = {},
): Promise<World & { close(): Promise<void> }> {
  const folder = place.folder ?? newFolder();
  const quiet = { LOG_LEVEL: 'silent', PORT: '0', GRPC_PORT: '0' };
  const variables = { PRESAGE_DATA_DIR: folder, WEBHOOK_ALLOW_PRIVATE: 'true', ...quiet }; // receivers are on loopback
  const usual = readEnvironment({ ...variables, ...(await databaseVariables(folder)), ...place.variables });
  const providers = { ...usual.providers, ...place.providers };
  const environment = { ...usual, ownFolder: join(folder, 'own'), providers };
  const telemetry = createTelemetry({ level: 'silent', process: 'test' });
  const deps = await openDependencies(environment, telemetry, overrides);
  await releaseLeases(deps.db); // nobody else is on this database
  await deps.embedding.askToReembed();
  const app = createApp(deps);
  const admin = await newAdmin(deps);
  const stopping = new AbortController();
  const working = runWorker(deps, telemetry, { signal: stopping.signal, concurrency: 2 });

  const world: World = {
    app,
    deps,
    admin,
    environment,
    registry: telemetry.registry,
    async instance() {
      const { id } = await app.createInstance(admin, { name: 'test' });
      const { key } = await app.createKey(await app.accessAsAdmin(admin, parseInstanceId(id)), { label: null });
      const caller = await app.authenticate(`Bearer ${key}`);
      if (caller.kind !== 'instance') throw new Error('a key opens an instance');
      return { access: caller.access, key, id };
    },
    asAdmin: (access) => Object.freeze({ ...access, principal: admin, readableOwners: 'instance' as const }),
    async user(name, { access, customer } = {}) {
      return new Person(world, access ?? (await world.instance()).access, { userId: name, customerId: customer });
    },
    async settle() {
      // A purge looks once more minutes later: nobody waits for that.
      while (await deps.db.job.count({ where: { queue: { not: 'purge-instance' } } }))
        await new Promise((resolve) => setTimeout(resolve, 10));
    },
  };
  return {
    ...world,
    async close() {
      stopping.abort();
      await working;
      await deps.close();
      if (!place.folder) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function newAdmin(deps: Dependencies): Promise<Admin> {
  const id = newUuid();
  await deps.db.adminToken.create({ data: { id, hash: hashSecret(newSecret('admin')), role: 'owner' } });
  return { kind: 'admin', tokenId: id, role: 'owner' };
}
