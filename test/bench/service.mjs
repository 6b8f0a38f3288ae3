import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openClient } from './client.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const startsWithinMs = 180_000; // on a machine that does much else
const stopsWithinMs = 20_000;

/**
 * The service in a process of its own, as `npm start` runs it: with its log, and its data in `folder`. `kind`: all of it,
 * or a part; `variables`: beside the usual environment; `checkout`: another copy of this repository, compiled.
 */
export async function startService(folder, key, { kind = 'all', variables = {}, checkout = root } = {}) {
  mkdirSync(folder, { recursive: true });
  const log = join(folder, 'service.log');
  const [port, grpcPort] = [await freePort(), await freePort()];
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    PRESAGE_DATA_DIR: join(folder, 'data'),
    PRESAGE_API_KEY: key,
    PORT: String(port),
    GRPC_PORT: String(grpcPort),
    // What is measured is the service, not its rate limits.
    REQUESTS_PER_MINUTE: '1000000',
    REQUEST_BURST: '1000000',
    ...variables,
  };
  const file = openSync(log, 'a');
  const began = performance.now();
  const flags = process.env.BENCH_NODE_FLAGS?.split(' ') ?? []; // such as --cpu-prof
  const child = spawn(process.execPath, [...flags, `dist/processes/${kind}.js`], {
    cwd: checkout,
    env,
    stdio: ['ignore', file, file],
  });
  const gone = once(child, 'exit');
  const stop = async () => {
    const patience = setTimeout(() => child.kill('SIGKILL'), stopsWithinMs);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await gone;
    clearTimeout(patience);
  };
  const client = openClient(port, key);
  while (!(await isReady(client))) {
    const isLate = performance.now() - began > startsWithinMs;
    if (!isLate && child.exitCode === null) {
      await pause(25);
      continue;
    }
    await stop();
    throw new Error(`the service did not start:\n${readFileSync(log, 'utf8').split('\n').slice(-20).join('\n')}`);
  }
  return {
    client,
    baseUrl: `http://127.0.0.1:${port}`,
    grpcAddress: `127.0.0.1:${grpcPort}`,
    pid: child.pid,
    readyMs: performance.now() - began,
    async stop() {
      client.close();
      await stop();
    },
  };
}

const isReady = (client) =>
  client.get('/ready').then(
    () => true,
    () => false,
  );

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const newKey = () => `presage_${Array.from({ length: 43 }, () => letters[randomInt(letters.length)]).join('')}`;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
