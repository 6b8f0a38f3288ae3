// `npm run bench`: how fast the service is to those who call it, beside what its own store needs at the least.
//
// It starts the real service in a process of its own, in a temporary folder, and calls it over HTTP on kept
// connections. The order: ingest single turns; fill one user with memories; stop, copy the database, start again; fetch,
// in turns with the bare store on that copy; ingest again beside what is there. With `--postgres` or `--weaviate` the service
// is an api and two workers on servers of its own, and the bare store those same servers. What is written and asked is generated
// here, with the same seed at every run. A budget that is broken ends it with 1. See `settings.mjs` for options.
import { budgets } from './budgets.mjs';
import { command, inTemporaryFolder, say, tell } from './command.mjs';
import { fetcher, takeTurns } from './fetch.mjs';
import { fill } from './fill.mjs';
import { measureIngest } from './ingest.mjs';
import { memoryTable } from './memory.mjs';
import { machineLine, resultLine, tableOf } from './report.mjs';
import { newKey, startService } from './service.mjs';
import { help, readSettings } from './settings.mjs';
import { openStores } from './stores.mjs';
import { createWriter } from './writing.mjs';

const seed = 20_261_121;
const single = 'bench-single';
const filled = 'bench-filled';

await command({ help, readSettings, run });

function run(settings) {
  return inTemporaryFolder({ name: 'bench', keep: settings.keep }, async (folder, opened) => {
    say(machineLine());
    const measurements = await measure(settings, folder, opened);
    const { table, broken } = tableOf(measurements);
    say(`\n${table}\n\nat the end: ${machineLine()}`);
    say(resultLine(measurements, broken));
    if (broken.length === 0) return true;
    say(`\nover budget: ${broken.join('; ')}${settings.enforced ? '' : ' (not enforced in this run)'}`);
    return !settings.enforced;
  });
}

async function measure(settings, folder, opened) {
  const writer = createWriter(seed);
  const key = newKey();
  const stores = await openStores(settings, folder);
  opened.push(stores.close);
  say(stores.words);
  let running = [];
  const start = async () => {
    running = [];
    for (const kind of stores.kinds) {
      const service = await startService(folder, key, { kind, variables: stores.variables });
      running.push({ kind, pid: service.pid, client: service.client, stop: service.stop });
      tell(`${kind} was ready after ${Math.round(service.readyMs)} ms`);
    }
    const stop = async () => {
      for (const service of running.toReversed()) await service.stop();
    };
    opened.push(stop);
    return running[0].client;
  };

  let client = await start();
  await measureIngest(client, writer, { userId: single, count: settings.ingestWarmUps });
  tell(`${settings.ingests} documents of one turn`);
  const alone = await measureIngest(client, writer, { userId: single, count: settings.ingests });

  const people = await populate(client, writer, settings);
  const bare = {};
  if (!stores.servers.length) await opened.pop()(); // what is copied must stand still
  for (const { userId } of people) bare[userId] = await stores.openBare?.(userId);
  for (const each of Object.values(bare)) if (each) opened.push(each.close);
  if (!stores.servers.length) client = await start();

  const measured = [];
  for (const { userId, memories, budget } of people) {
    const besides = bare[userId];
    const works = {
      ...(besides ? { bare: { count: settings.fetches, run: besides.run } } : {}),
      fast: { count: settings.fetches, run: fetcher(client, writer, { userId, mode: 'fast' }) },
      accurate: { count: settings.accurate, run: fetcher(client, writer, { userId, mode: 'accurate' }) },
    };
    for (const callers of [1, 8]) {
      const who = `${memories} memories, ${callers} ${callers === 1 ? 'caller' : 'callers'}`;
      tell(`fetches of a user of ${who}`);
      const times = await takeTurns(works, { ...settings, callers });
      if (besides) measured.push({ name: `bare store, ${who}`, times: times.bare });
      for (const mode of ['fast', 'accurate']) {
        const max = budgets.besideBare[mode]?.[callers];
        measured.push({
          name: `fetch ${mode}, ${who}`,
          times: times[mode],
          ...(besides ? { beside: times.bare, max } : {}),
          budget: budget[mode]?.[callers],
        });
      }
    }
  }
  const { memories } = people[0];
  tell(`${settings.ingests} documents of one turn, of the user with ${memories} memories`);
  const beside = await measureIngest(client, writer, { userId: filled, count: settings.ingests });
  tell('');
  say(memoryTable([...running.map(({ kind, pid }) => ({ name: kind, pid })), ...stores.servers]));
  return [
    { name: 'ingest a turn, until retrievable', times: alone.retrievable, budget: budgets.ingest.p95 },
    { name: '  until accepted', times: alone.accepted },
    { name: '  queued_at to completed_at, as recorded', times: alone.recorded },
    { name: `ingest a turn beside ${memories} memories`, times: beside.retrievable, budget: budgets.ingest.p95 },
    ...measured,
  ];
}

/** One user with many memories, and so many others with fewer; of whom the one in the middle is asked too. */
async function populate(client, writer, { memories, users, each }) {
  const fillOne = async (userId, count, of) => {
    const progress = (soFar) => tell(`${of}: ${soFar} of ${count} memories`);
    return fill(client, writer, { userId, memories: count, tell: progress });
  };
  const began = performance.now();
  const large = { userId: filled, memories: await fillOne(filled, memories, filled), budget: budgets.of10_000 };
  let total = large.memories;
  let middle = 0;
  for (let n = 0; n < users; n++) {
    const count = await fillOne(`bench-${n}`, each, `user ${n + 1} of ${users}`);
    total += count;
    if (n === users >> 1) middle = count;
  }
  const ms = performance.now() - began;
  say(
    `one user with ${large.memories} memories${users ? `, ${users} users with some ${middle} each` : ''}; ` +
      `${total} filled in ${Math.round(ms / 1000)} s, ${(ms / total).toFixed(1)} ms a memory`,
  );
  return users ? [large, { userId: `bench-${users >> 1}`, memories: middle, budget: budgets.of1_000 }] : [large];
}
