/**
 * A voice agent in small: while somebody speaks, their memories arrive; when they have said it, the model can be asked
 * at once. Start the service, remember something of ada (see the README), then from the checkout:
 *
 *   PRESAGE_KEY=presage_… npm run example:voice-agent -- "What can I cook tonight?"
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Presage } from '@presage-memory/client';
import { MemoryStream } from '@presage-memory/client/stream';

const [utterance = 'What can I cook tonight?'] = process.argv.slice(2);
/** About as fast as people speak. */
const wordMs = Number(process.env['WORD_MS'] ?? 300);

// PRESAGE_KEY, PRESAGE_URL and PRESAGE_GRPC of the environment tell where the service is.
const stream = new MemoryStream(new Presage(), {
  user_id: 'ada',
  conversation_id: `voice-${crypto.randomUUID()}`,
  remember: true,
});

// The recognizer hears one word after the other.
const words = utterance.split(' ');
for (const n of words.keys()) {
  const sofar = words.slice(0, n + 1).join(' ');
  stream.hears(sofar);
  await pause(wordMs);
  console.log(`${sofar} …  (memories at hand: ${stream.memories.length})`);
}

// The turn is over: what it calls for is here, mostly before this line.
const kept = stream.said('user', utterance);
const recalled = await stream.recall(utterance);
for (const { content, reason } of recalled) console.log(`  ${reason}: ${content}`);

// Here the model is asked, with what was recalled in its prompt. Tell what it said, and what of it was of use.
await kept;
await stream.said('assistant', 'Let me think of something.');
stream.used(recalled.slice(0, 1).map(({ id }) => id));
await stream.close();
