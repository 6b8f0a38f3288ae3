// Packs this checkout, installs the tarball in an empty folder as a newcomer does, and has the service remember and
// recall something, by its API, by its command and as an assistant does: fails when what these read at run time is missing
// from the package. `npm run check:package`
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const root = fileURLToPath(new URL('..', import.meta.url));
const startsWithinMs = 180_000; // on a machine that does much else
const stopsWithinMs = 20_000;
/** What may stand at the top of the package; tests, sources and the corpus stay in the checkout. */
const contents = `CHANGELOG.md LICENSE README.md dist models package.json prisma proto schema.graphql scripts`.split(
  ' ',
);
/** What the package serves from files of its own or of its dependencies. */
const pages = ['/docs', '/docs/swagger-ui-bundle.js', '/v1/openapi.json', '/graphql/explorer', '/dashboard/'];
const said = 'I am allergic to peanuts.';

const folder = mkdtempSync(join(tmpdir(), 'presage-package-'));
const log = join(folder, 'service.log');
try {
  const tarball = pack();
  install(tarball);
  await serve();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function pack() {
  const [packed] = Object.values(JSON.parse(npm(root, 'pack', '--json', '--pack-destination', folder)));
  const tops = [...new Set(packed.files.map(({ path }) => path.split('/')[0]))].toSorted();
  expect(tops.join() === contents.join(), `the package holds ${tops.join(', ')}, and not ${contents.join(', ')}`);
  console.log(`packed: ${packed.files.length} files, ${mebibytes(packed.size)} MiB`);
  return join(folder, packed.filename);
}

/** Nothing of the package or of what it needs is compiled, generated or downloaded at an installation. */
function install(tarball) {
  writeFileSync(join(folder, 'package.json'), '{}');
  npm(folder, 'install', '--ignore-scripts', '--no-audit', '--no-fund', tarball);
  const modules = join(folder, 'node_modules');
  const before = mebibytes(bytesOf(modules));
  const script = join(modules, '@presage-memory/server/scripts/prune-binaries.mjs');
  execFileSync(process.execPath, [script, modules]);
  const version = npm(folder, 'exec', '--no', '--', 'presage', '--version').trim();
  expect(version === JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version, `npx runs ${version}`);
  console.log(`installed: ${before} MiB, ${mebibytes(bytesOf(modules))} MiB when pruned`);
}

/** Starts the installed command without arguments, and plays the README to it. */
async function serve() {
  const key = `presage_${'Kq7vWn2xRt9mZp4cLb8d'.repeat(3).slice(0, 43)}`;
  const [port, grpcPort] = await freePorts(2);
  const output = openSync(log, 'a');
  // The file that npx finds, without npx between it and the signal that stops it.
  const command = join(folder, 'node_modules/.bin/presage');
  // What finds the server that was started here, and its key.
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    PRESAGE_DATA_DIR: join(folder, 'data'),
  };
  const service = spawn(command, {
    cwd: folder,
    env: { ...env, PRESAGE_API_KEY: key, PORT: String(port), GRPC_PORT: String(grpcPort) },
    stdio: ['ignore', output, output],
  });
  const gone = once(service, 'exit');
  const ask = async (path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, accept: '*/*', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.ok, `${path} answers ${response.status}: ${await response.clone().text()}`);
    return response;
  };
  try {
    const began = performance.now();
    while (!(await ask('/ready').then(Boolean, () => false))) {
      const isLate = performance.now() - began > startsWithinMs;
      expect(!isLate && service.exitCode === null, `the service is not ready:\n${readFileSync(log, 'utf8')}`);
      await pause(100);
    }
    console.log(`ready after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    for (const page of pages) await ask(page);
    await remembers(ask);
    await remembersByCommand(command, env);
    await remembersByMcp(command, env);
  } finally {
    const patience = setTimeout(() => service.kill('SIGKILL'), stopsWithinMs);
    if (service.exitCode === null) service.kill('SIGTERM');
    await gone;
    clearTimeout(patience);
    closeSync(output);
  }
  expect(service.exitCode === 0, `the service ended with ${service.exitCode ?? service.signalCode}, told to stop`);
  console.log('stopped');
}

async function remembers(ask) {
  const document = { document: said, document_type: 'ai-chat-conversation', user_id: 'ada' };
  const { ingestion_id: id } = await (await ask('/v1/memories', document)).json();
  const { status } = await (await ask(`/v1/memories/${id}/status?wait=30`)).json();
  expect(status === 'completed', `the ingestion is ${status}`);
  const query = { search_queries: ['What must Ada not eat?'], user_id: 'ada' };
  const { memories } = await (await ask('/v1/context/fetch', query)).json();
  expect(memories[0]?.content === said, `what is recalled is ${JSON.stringify(memories)}`);
  const { data } = await (await ask('/graphql', { query: '{ memories { nodes { content } } }' })).json();
  expect(data?.memories.nodes.length > 0, 'GraphQL answers nothing');
  console.log(`recalled: ${memories[0].content}`);
}

async function remembersByCommand(command, env) {
  const run = async (...words) => (await promisify(execFile)(command, words, { cwd: folder, env })).stdout;
  await run('remember', 'I keep bees.', '--user', 'bo');
  const { memories } = JSON.parse(await run('recall', 'What do I keep?', '--user', 'bo', '--json'));
  expect(memories[0]?.content === 'I keep bees.', `the command recalls ${JSON.stringify(memories)}`);
  await run('doctor'); // ends with 1 when something is wrong
  console.log(`recalled by the command: ${memories[0].content}`);
}

async function remembersByMcp(command, env) {
  const client = new Client({ name: 'check-package', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args: ['mcp', '--user', 'li'], cwd: folder, env }));
  const call = async (name, given) => (await client.callTool({ name, arguments: given })).structuredContent;
  await call('remember', { text: 'Li plays the cello.' });
  const { memories } = await call('recall', { queries: ['What does Li play?'] });
  await client.close();
  expect(memories[0]?.content === 'Li plays the cello.', `an assistant recalls ${JSON.stringify(memories)}`);
  console.log(`recalled by MCP: ${memories[0].content}`);
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  for (const server of servers) server.close();
  return ports;
}

function npm(cwd, ...args) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function bytesOf(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function mebibytes(bytes) {
  return Math.round(bytes / 2 ** 20);
}

function expect(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}
