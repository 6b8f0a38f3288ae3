// `npm run bench:anticipation`: how often what a conversation needs next is at hand before it is asked for.
//
// It starts the real service in a process of its own, in a temporary folder, and replays BEAM chats as a client would:
// what was said is ingested as it is said, in documents of eight turns, and told to a gRPC stream; partial messages are
// sent before each turn of the user. What counts as needed, and the baselines: see `replay.mjs`.
import { parseArgs } from 'node:util';
import { inDocuments } from '../../../scripts/lab/replay.mjs';
import { loadBeam } from '../../../scripts/lab/data.mjs';
import { inTemporaryFolder, say } from '../command.mjs';
import { newKey, startService } from '../service.mjs';
import { askQuestions } from './questions.mjs';
import { replayChat } from './replay.mjs';
import { describe, resultLine } from './report.mjs';
import { openStreams } from './stream.mjs';

const help = `npm run bench:anticipation -- [options]

  --beam <dir>   chats of BEAM (../shared/data/beam-dev)
  --chats <n>    only the first n
  --keep         leave the temporary folder, with the data and the log of the service
  --help
`;

const { values: options } = parseArgs({
  options: {
    beam: { type: 'string', default: '../shared/data/beam-dev' },
    chats: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) say(help);
else await run();

async function run() {
  const chats = loadBeam(options.beam).slice(0, options.chats && Number(options.chats));
  await inTemporaryFolder({ name: 'anticipation', keep: options.keep }, async (folder, opened) => {
    const key = newKey();
    const service = await startService(folder, key);
    opened.push(service.stop);
    const streams = openStreams(service.grpcAddress, key);
    opened.push(streams.close);
    const [turns, questions] = [[], []];
    for (const chat of chats.map(inDocuments)) {
      const began = performance.now();
      const told = { client: service.client, streams, chat, userId: `beam-${chat.name}` };
      turns.push(...(await replayChat(told)));
      questions.push(...(await askQuestions(told)));
      say(`chat ${chat.name} (${Math.round((performance.now() - began) / 1_000)} s): ${describe(turns, questions)}`);
    }
    say(resultLine(turns, questions));
  });
}
