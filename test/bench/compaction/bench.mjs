// `npm run bench:compaction`: how much of what must be remembered a compaction holds, beside baselines of equal length.
//
// It starts the real service in a process of its own, in a temporary folder, says everyday histories and BEAM chats in
// conversations, lets them become memories, and compacts them. What counts as held: see `everyday.mjs` and `beam.mjs`. It
// also times compactions of 200 turns beside 200 embeddings.
import { parseArgs } from 'node:util';
import { inTemporaryFolder, say, tell } from '../command.mjs';
import { newKey, startService } from '../service.mjs';
import { loadBeamChats, measureChat } from './beam.mjs';
import { loadHistories, measureHistory, turnsOf } from './everyday.mjs';
import { latencyLine, measureLatency } from './latency.mjs';
import { summarise } from './report.mjs';

const help = `npm run bench:compaction -- [options]

  --everyday <dir>  everyday histories (../shared/data/everyday-dev)
  --beam <dir>      chats of BEAM (../shared/data/beam-dev)
  --chats <n>       only the first n chats
  --keep            leave the temporary folder, with the data and the log of the service
  --help
`;

const { values: options } = parseArgs({
  options: {
    everyday: { type: 'string', default: '../shared/data/everyday-dev' },
    beam: { type: 'string', default: '../shared/data/beam-dev' },
    chats: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) say(help);
else await run();

async function run() {
  const histories = loadHistories(options.everyday);
  const chats = loadBeamChats(options.beam).slice(0, options.chats && Number(options.chats));
  await inTemporaryFolder({ name: 'compaction', keep: options.keep }, async (folder, opened) => {
    const service = await startService(folder, newKey());
    opened.push(service.stop);
    const everyday = [];
    for (const history of histories) {
      everyday.push(await measureHistory(service.client, history));
      tell(`everyday ${history.id}`);
    }
    const latency = histories.length && (await measureLatency(service.client, histories.flatMap(turnsOf)));
    const beam = [];
    for (const chat of chats) {
      const began = performance.now();
      beam.push(await measureChat(service.client, chat));
      tell(`chat ${chat.name} (${Math.round((performance.now() - began) / 1_000)} s)`);
    }
    for (const line of summarise({ everyday, beam })) say(line);
    if (latency) say(latencyLine(latency));
  });
}
