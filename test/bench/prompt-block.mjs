// `npm run bench:prompt-block`: how often the standing part of a prompt block stays the same, byte for byte, from one turn
// to the next, since providers cache prompts by their prefix.
//
// It starts the real service in a process of its own, in a temporary folder, says everyday histories turn by turn, and asks
// for a prompt block after each. Whether a standing memory changed is read off the memories themselves, not the block.
// Ends with 1 when a block changed though no standing memory did, or too few turns were seen.
import { parseArgs } from 'node:util';
import { inTemporaryFolder, say, tell } from './command.mjs';
import { loadHistories, turnsOf } from './compaction/everyday.mjs';
import { completed } from './compaction/conversation.mjs';
import { newKey, startService } from './service.mjs';

const help = `npm run bench:prompt-block -- [options]

  --everyday <dir>  everyday histories (../shared/data/everyday-dev)
  --help
`;
const leastTurns = 50;

const { values: options } = parseArgs({
  options: {
    everyday: { type: 'string', default: '../shared/data/everyday-dev' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) say(help);
else process.exitCode = (await run()) ? 0 : 1;

async function run() {
  const turns = await inTemporaryFolder({ name: 'prompt-block', keep: false }, async (folder, opened) => {
    const service = await startService(folder, newKey());
    opened.push(service.stop);
    const all = [];
    for (const history of loadHistories(options.everyday)) {
      all.push(...(await play(service.client, history)));
      tell(history.id);
    }
    return all;
  });
  const held = turns.filter(({ isHeld }) => isHeld);
  const same = held.filter(({ isSame }) => isSame);
  const shared = same.reduce((sum, { bytes }) => sum + bytes, 0) / (same.length || 1);
  say(
    `RESULT prompt_block turns=${turns.length} unchanged=${held.length} identical=${same.length} standing_bytes=${shared.toFixed(0)}`,
  );
  return held.length >= leastTurns && same.length === held.length;
}

/**
 * Says the turns of a history and then its questions. For each turn with standing memories before it: whether these still
 * are the same, and their text is.
 */
async function play(client, history) {
  const user = `everyday-${history.id}`;
  const seen = [];
  let before;
  const asked = history.questions.map(({ text }) => ({ role: 'user', content: text }));
  for (const message of [...turnsOf(history), ...asked]) {
    const path = `/v1/conversations/${user}/messages`;
    const { ingestion_ids: ingestions } = await client.post(path, { user_id: user, messages: [message] });
    for (const id of ingestions) await completed(client, id);
    const { prompt } = await client.post('/v1/context/fetch', {
      search_queries: [message.content],
      user_id: user,
      format: 'prompt',
    });
    const now = { text: standingPart(prompt), memories: await standingMemories(client, user) };
    if (before?.text) {
      const isSame = now.text === before.text;
      seen.push({ isHeld: now.memories === before.memories, isSame, bytes: Buffer.byteLength(now.text) });
    }
    before = now;
  }
  return seen;
}

function standingPart(prompt) {
  return prompt.slice(0, prompt.indexOf('</standing>') + 1);
}

/** All that the standing part may tell of, as the service lists it. */
async function standingMemories(client, user) {
  const lists = ['type=preferences', 'type=facts&category=identity'].map((filter) =>
    client.get(`/v1/memories?user_id=${user}&status=active&limit=100&${filter}`),
  );
  const memories = (await Promise.all(lists)).flatMap(({ data }) => data);
  const shown = memories.map((each) => [each.id, each.content, each.provenance, each.valid_from, each.evidence.length]);
  return JSON.stringify(shown.toSorted());
}
