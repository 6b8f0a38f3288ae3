import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { DatabaseConnection } from '../db/database-connection.ts';
import { lockFolder } from '../db/lock-file.ts';
import { migrate, migrations, readApplied, unknownIn } from '../db/migrate.ts';
import { readEnvironment, type Environment } from '../environment.ts';
import type { RunCommand } from './command-session.ts';
import { formatTable } from './table.ts';

interface Migration {
  readonly name: string;
  readonly state: 'applied' | 'pending' | 'changed since it was applied' | 'of a newer release';
  readonly sql: string;
}

/** The database of this folder or of `DATABASE_URL`, without a server: each server also migrates when it starts. */
export function addMigrateCommands(program: Command, run: RunCommand, variables: NodeJS.ProcessEnv): void {
  const command = program
    .command('migrate')
    .description('show and apply migrations of the database; every start of a server applies them too');
  command
    .command('status')
    .description('tell which migrations the database has')
    .action(() =>
      run(async ({ tell, progress }) => {
        progress(opening);
        const all = await migrationsOf(readEnvironment(variables));
        const listed = all.map(({ name, state }) => ({ name, state }));
        tell({ migrations: listed, pending: pendingIn(all).length }, () =>
          [formatTable(all.map(({ name, state }) => ({ migration: name, state }))), summary(all)].join('\n'),
        );
      }),
    );
  command
    .command('plan')
    .description('print the SQL that apply would run; nothing is changed')
    .action(() =>
      run(async ({ tell, progress }) => {
        progress(opening);
        const all = await migrationsOf(readEnvironment(variables));
        const pending = pendingIn(all);
        tell({ pending: pending.map(({ name, sql }) => ({ name, sql })) }, () =>
          pending.length ? pending.map(({ name, sql }) => `-- ${name}\n${sql}`).join('\n') : summary(all),
        );
      }),
    );
  command
    .command('apply')
    .description('apply what is pending, in order; one process at a time')
    .action(() =>
      run(async ({ tell, progress, confirm }) => {
        const environment = readEnvironment(variables);
        progress(opening);
        const all = await migrationsOf(environment);
        const pending = pendingIn(all);
        if (pending.length) {
          await confirm(
            `Apply ${pending.map(({ name }) => name).join(', ')}? Servers of an older version may fail then.`,
          );
          progress(`migrations are being applied: ${pending.length} …`);
          await onDatabase(environment, (database) => database.exclusively((session) => migrate(session)));
        }
        const names = pending.map(({ name }) => name);
        tell({ applied: names }, () => (names.length ? `Applied: ${names.join(', ')}` : summary(all)));
      }),
    );
}

/** Shown first, since a database that does not answer is waited for. */
const opening = 'the database is being opened …';

const pendingIn = (all: readonly Migration[]) => all.filter(({ state }) => state === 'pending');

function summary(all: readonly Migration[]): string {
  if (all.some(({ state }) => state === 'of a newer release'))
    return 'A newer release migrated the database: start that one.';
  if (all.some(({ state }) => state === 'changed since it was applied'))
    return 'A migration was changed since it was applied: start the release that applied it.';
  const pending = pendingIn(all).length;
  return pending ? `${pending} pending: presage migrate apply` : 'The database is up to date.';
}

async function migrationsOf(environment: Environment): Promise<Migration[]> {
  const isNew = environment.DATABASE_URL === undefined && !existsSync(folderOf(environment));
  const applied = isNew
    ? new Map<string, string>()
    : await onDatabase(environment, (database) => readApplied(database.pool));
  const ours = migrations();
  const newer = unknownIn(applied, ours).map((name) => ({ name, state: 'of a newer release' as const, sql: '' }));
  const known = ours.map(({ name, sql, checksum }): Migration => {
    const existing = applied.get(name);
    const state =
      existing === undefined ? 'pending' : existing === checksum ? 'applied' : 'changed since it was applied';
    return { name, state, sql };
  });
  return [...known, ...newer];
}

const folderOf = ({ PRESAGE_DATA_DIR: folder }: Environment) => join(folder, 'postgres');

async function onDatabase<T>(environment: Environment, work: (database: DatabaseConnection) => Promise<T>): Promise<T> {
  const { DATABASE_URL: url, PRESAGE_DATA_DIR: folder } = environment;
  const unlock = url === undefined ? await lockFolder(folder) : () => undefined;
  try {
    const database = await open(environment);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  } finally {
    unlock();
  }
}

/** The drivers are loaded here: no other command waits for them. */
async function open(environment: Environment): Promise<DatabaseConnection> {
  const { DATABASE_URL: url } = environment;
  if (url === undefined) return (await import('../db/pglite.ts')).openPglite(folderOf(environment));
  return (await import('../db/postgres.ts')).openPostgres({ url, poolSize: 2, name: 'presage migrate' });
}
