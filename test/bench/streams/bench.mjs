// `npm run bench:streams`: what streams cost beside what bare grpc-js costs, and whether they hold out.
//
// latency    from a signal to its bundle and from a ping to its pong, with a thousand streams open, in turns with a bare
//            echo that answers with the same bundles and has as many streams open
// fan-out    bundles that are ready, pushed to a thousand streams, in turns with a bare server stream of the same payload
// endurance  five thousand streams for ten minutes: slow readers, readers that are cut off and resume, memories that are
//            forgotten meanwhile
//
// Servers and readers are processes of their own; the service is the real one, in a temporary folder. A broken budget
// ends it with 1. See `settings.mjs` for options.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineLine } from '../report.mjs';
import { newKey, startService } from '../service.mjs';
import { endure } from './endurance.mjs';
import { measureFanOut } from './fan-out.mjs';
import { measureLatency } from './latency.mjs';
import { reports, resultLine } from './report.mjs';
import { help, readSettings } from './settings.mjs';

const work = { latency: measureLatency, 'fan-out': measureFanOut, endurance: endure };
const needsNoService = new Set(['fan-out']);

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
  say(machineLine());
  let isWithin = true;
  for (const part of settings.wanted) {
    const measured = await measure(part, settings);
    const { told, broken } = reports[part](measured);
    tell('');
    say(resultLine(part, told));
    for (const each of broken.filter(Boolean)) {
      say(`over budget: ${each}${settings.enforced ? '' : ' (not enforced in this run)'}`);
      isWithin = false;
    }
  }
  say(`at the end: ${machineLine()}`);
  return isWithin || !settings.enforced;
}

async function measure(part, settings) {
  const folder = await mkdtemp(join(tmpdir(), 'presage-streams-'));
  const opened = [];
  const close = async () => {
    for (const end of opened.splice(0).toReversed()) await end();
    if (settings.keep) tell(`kept: ${folder}\n`);
    else await rm(folder, { recursive: true, force: true });
  };
  const onSignal = () => void close().finally(() => process.exit(130));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    const key = newKey();
    const service = needsNoService.has(part) ? undefined : await startService(folder, key);
    if (service) opened.push(service.stop);
    return await work[part](settings[part], { service, key, opened, tell });
  } finally {
    await close();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
