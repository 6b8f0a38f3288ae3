import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { readEnvironment } from '../../src/environment.ts';
import { freePort } from './free-port.ts';
import { databaseVariables, isOnPostgres } from './place-database.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The service as its users start it, in a process group of its own. */
export interface ServiceProcess {
  readonly pid: number;
  readonly baseUrl: string;
  readonly grpcAddress: string;
  readonly key: string;
  readonly adminToken: string;
  /** All it has printed. */
  output(): string;
  /** The JSON that REST answers with. */
  call(method: string, path: string, body?: unknown): Promise<any>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<Ending>;
  /** Stands still, and goes on. */
  freeze(): void;
  thaw(): void;
}

/** How a process ended: by its exit code, or by a signal that it did not handle. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Place {
  readonly folder: string;
  readonly port: number;
  readonly grpcPort: number;
  /** Default: all in one process. */
  readonly kind?: 'api' | 'stream' | 'worker';
  /** As a newcomer starts it, through npm. */
  readonly byNpm?: boolean;
  /** Beside those of the place itself. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The command that runs another one, such as where a small disk is mounted. */
  readonly within?: (command: readonly string[]) => readonly [string, ...string[]];
}

/** Where a service may run: its data and configuration under `folder`, on ports that are free now. */
export const newPlace = async (folder: string): Promise<Place> => ({
  folder,
  port: await freePort(),
  grpcPort: await freePort(),
});

/** The same with a database that is migrated, as one of the second start: the first takes some seconds more. */
export async function migratedPlace(folder: string): Promise<Place> {
  if (!isOnPostgres()) cpSync(inject('template'), join(folder, 'data'), { recursive: true });
  return newPlace(folder);
}

export async function startService(place: Place): Promise<ServiceProcess> {
  const began = performance.now();
  const { child, output, ended } = await launchService(place);
  const baseUrl = `http://127.0.0.1:${place.port}`;
  while (!(await isReady(baseUrl))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the service ended: ${output()}`);
    if (performance.now() - began > 60_000) throw new Error(`the service was not ready: ${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const credentials = credentialsOf(place);
  const end = async (signal: NodeJS.Signals) => {
    process.kill(-child.pid!, signal);
    await ended;
  };
  return {
    pid: child.pid!,
    baseUrl,
    grpcAddress: `127.0.0.1:${place.grpcPort}`,
    key: credentials['api_key']!,
    adminToken: credentials['admin_token']!,
    ended,
    output,
    async call(method, path, body) {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${credentials['api_key']!}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return response.json();
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    freeze: () => void process.kill(-child.pid!, 'SIGSTOP'),
    thaw: () => void process.kill(-child.pid!, 'SIGCONT'),
  };
}

/** Starts the service where it cannot run; resolves with its exit code and words. Null: it went on, and was killed. */
export async function startInVain(place: Place): Promise<{ code: number | null; said: string }> {
  const { child, output } = await launchService(place);
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), 45_000); // a busy machine is no failure
  await once(child, 'close');
  clearTimeout(timer);
  return { code: child.exitCode, said: output() };
}

const variablesOf = ({ folder, port, grpcPort }: Place) => ({
  PRESAGE_DATA_DIR: join(folder, 'data'),
  XDG_CONFIG_HOME: join(folder, 'config'),
  PORT: String(port),
  GRPC_PORT: String(grpcPort),
});

/** A process from its first moment on, long before it serves. */
export interface LaunchedService {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  output(): string;
}

export async function launchService(place: Place): Promise<LaunchedService> {
  const own = { PATH: process.env['PATH'], HOME: place.folder };
  const environment = { ...own, ...variablesOf(place), ...(await databaseVariables(place.folder)), ...place.variables };
  const within = place.within ?? ((command: readonly string[]) => command as [string, ...string[]]);
  const [command, ...words] = within(
    place.byNpm ? ['npm', 'start'] : ['node', 'dist/cli/presage.js', place.kind ?? 'all'],
  );
  const child = spawn(command, words, { cwd: root, env: environment, detached: true });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const ended: Promise<Ending> = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return { child, ended, output: () => said };
}

/** Written by the service, or given to it. */
function credentialsOf(place: Place): Record<string, string> {
  const { PRESAGE_API_KEY = '', PRESAGE_ADMIN_TOKEN = '' } = place.variables ?? {};
  if (place.kind) return { api_key: PRESAGE_API_KEY, admin_token: PRESAGE_ADMIN_TOKEN };
  return JSON.parse(readFileSync(join(ownFolder(place), 'credentials.json'), 'utf8')) as Record<string, string>;
}

function ownFolder(place: Place): string {
  const before = process.env['XDG_CONFIG_HOME'];
  process.env['XDG_CONFIG_HOME'] = variablesOf(place).XDG_CONFIG_HOME;
  try {
    return readEnvironment(variablesOf(place)).ownFolder;
  } finally {
    if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
    else process.env['XDG_CONFIG_HOME'] = before;
  }
}

const isReady = (baseUrl: string) =>
  fetch(`${baseUrl}/ready`).then(
    (answer) => answer.status === 200,
    () => false,
  );
