// Starts the compiled service in a folder of its own for the tests of a client, prints where it is as a line of JSON, and
// ends with its input. A line of input is a command: `kill` it, `start` it again; each is answered with a line.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../dist/cli/presage.js', import.meta.url));
const readyWithinMs = 300_000; // on a machine that does much else
const folder = mkdtempSync(join(tmpdir(), 'presage-client-'));
const [port, grpcPort] = await freePorts(2);
const key = `presage_${'Kq7vWn2xRt9mZp4cLb8d'.repeat(3).slice(0, 43)}`;
const url = `http://127.0.0.1:${port}`;
let service;
/** What a test may set of the service. */
const settings = Object.fromEntries(
  ['CORS_ORIGINS', 'REQUESTS_PER_MINUTE', 'REQUEST_BURST'].flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value]] : [];
  }),
);

process.once('SIGTERM', () => process.stdin.destroy());
try {
  await start();
  tell({ url, grpc: `127.0.0.1:${grpcPort}`, key });
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'kill') await end('SIGKILL');
    if (line === 'start') await start();
    tell({ did: line });
  }
} catch (error) {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
} finally {
  await end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

async function start() {
  service = spawn(process.execPath, [command], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      PRESAGE_DATA_DIR: join(folder, 'data'),
      PRESAGE_API_KEY: key,
      PORT: String(port),
      GRPC_PORT: String(grpcPort),
      LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'], // what is printed here are answers
  });
  const began = performance.now();
  while (!(await isReady())) {
    if (service.exitCode !== null || performance.now() - began > readyWithinMs)
      throw new Error('the service is not ready');
    await pause(100);
  }
}

async function end(signal) {
  if (!service || service.exitCode !== null || service.signalCode !== null) return;
  const gone = once(service, 'exit');
  service.kill(signal);
  await gone;
}

function isReady() {
  return fetch(`${url}/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

function tell(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  for (const server of servers) server.close();
  return ports;
}
