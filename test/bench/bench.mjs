// `npm run bench`: how fast the service is to those who call it, beside what its own store needs at the least.
//
// It starts the real service in a process of its own, in a temporary folder, and calls it over HTTP on kept
// connections. The order: ingest single turns; fill one user with memories; stop, copy the database, start again; fetch,
// in turns with the bare store on that copy; ingest again beside what is there. What is written and asked is generated
// here, with the same seed at every run. A budget that is broken ends it with 1. See `settings.mjs` for options.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBareStore } from './bare-store.mjs';
import { budgets } from './budgets.mjs';
import { fetcher, takeTurns } from './fetch.mjs';
import { fill } from './fill.mjs';
import { measureIngest } from './ingest.mjs';
import { timed } from './measure.mjs';
import { machineLine, tableOf } from './report.mjs';
import { newKey, startService } from './service.mjs';
import { help, readSettings } from './settings.mjs';
import { createWriter } from './writing.mjs';

const seed = 20_261_121;
const single = 'bench-single';
const filled = 'bench-filled';

const say = (line) => process.stdout.write(`${line}\n`);
const tell = (line) => process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);

try {
  const settings = readSettings(process.argv.slice(2));
  if (settings.help) say(help);
  else if (!(await run(settings))) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`\n${error.code?.startsWith('ERR_PARSE_ARGS') ? error.message : error.stack}\n`);
  process.exitCode = 1;
}

async function run(settings) {
  const folder = await mkdtemp(join(tmpdir(), 'presage-bench-'));
  const opened = [];
  const close = async () => {
    for (const end of opened.splice(0).toReversed()) await end();
    if (settings.keep) tell(`kept: ${folder}\n`);
    else await rm(folder, { recursive: true, force: true });
  };
  const onSignal = () => void close().finally(() => process.exit(130)); // calls under way fail meanwhile
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    say(machineLine());
    const measurements = await measure(settings, folder, opened);
    const { table, broken } = tableOf(measurements);
    say(`\n${table}\n\nat the end: ${machineLine()}`);
    if (broken.length === 0) return true;
    say(`\nover budget: ${broken.join('; ')}${settings.enforced ? '' : ' (not enforced in this run)'}`);
    return !settings.enforced;
  } finally {
    await close();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

async function measure(settings, folder, opened) {
  const writer = createWriter(seed);
  const key = newKey();
  const start = async () => {
    const service = await startService(folder, key);
    opened.push(service.stop);
    tell(`the service was ready after ${Math.round(service.readyMs)} ms`);
    return service.client;
  };

  let client = await start();
  await measureIngest(client, writer, { userId: single, count: settings.ingestWarmUps });
  tell(`${settings.ingests} documents of one turn`);
  const alone = await measureIngest(client, writer, { userId: single, count: settings.ingests });

  let memories = 0;
  const fillMs = await timed(async () => {
    const progress = (soFar) => tell(`${soFar} of ${settings.memories} memories`);
    memories = await fill(client, writer, { userId: filled, memories: settings.memories, tell: progress });
  });
  await opened.pop()();

  const bare = await openBareStore(folder, { userId: filled });
  opened.push(bare.close);
  client = await start();
  tell('fetches, in turns with the bare store');
  const works = {
    bare: { count: settings.fetches, run: bare.run },
    fast: { count: settings.fetches, run: fetcher(client, writer, { userId: filled, mode: 'fast' }) },
    accurate: { count: settings.accurate, run: fetcher(client, writer, { userId: filled, mode: 'accurate' }) },
  };
  const one = await takeTurns(works, { ...settings, callers: 1 });
  tell('the same with 8 callers');
  const eight = await takeTurns(works, { ...settings, callers: 8 });
  tell(`${settings.ingests} documents of one turn, of the user with ${memories} memories`);
  const beside = await measureIngest(client, writer, { userId: filled, count: settings.ingests });
  tell('');

  say(
    `one user with ${memories} memories, of which ${bare.size} hold; filled in ${Math.round(fillMs / 1000)} s, ` +
      `${(fillMs / memories).toFixed(1)} ms a memory`,
  );
  return [
    { name: 'ingest a turn, until retrievable', times: alone.retrievable, budget: budgets.ingest.p95 },
    { name: '  until accepted', times: alone.accepted },
    { name: '  queued_at to completed_at, as recorded', times: alone.recorded },
    { name: `ingest a turn beside ${memories} memories`, times: beside.retrievable, budget: budgets.ingest.p95 },
    { name: 'bare store, 1 caller', times: one.bare },
    { name: 'fetch fast, 1 caller', times: one.fast, beside: one.bare, budget: budgets.fast.p95 },
    { name: 'fetch accurate, 1 caller', times: one.accurate, beside: one.bare },
    { name: 'bare store, 8 callers', times: eight.bare },
    { name: 'fetch fast, 8 callers', times: eight.fast, beside: eight.bare },
    { name: 'fetch accurate, 8 callers', times: eight.accurate, beside: eight.bare },
  ];
}
