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
import { command, inTemporaryFolder, say, tell } from '../command.mjs';
import { machineLine } from '../report.mjs';
import { newKey, startService } from '../service.mjs';
import { endure } from './endurance.mjs';
import { measureFanOut } from './fan-out.mjs';
import { measureLatency } from './latency.mjs';
import { reports, resultLine } from './report.mjs';
import { help, readSettings } from './settings.mjs';

const work = { latency: measureLatency, 'fan-out': measureFanOut, endurance: endure };
const needsNoService = new Set(['fan-out']);

await command({ help, readSettings, run });

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

function measure(part, settings) {
  return inTemporaryFolder({ name: 'streams', keep: settings.keep }, async (folder, opened) => {
    const key = newKey();
    const service = needsNoService.has(part) ? undefined : await startService(folder, key);
    if (service) opened.push(service.stop);
    return work[part](settings[part], { service, key, opened, tell });
  });
}
