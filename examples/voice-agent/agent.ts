/**
 * A voice agent in small: while somebody speaks, their memories arrive; when they have said it, the model can be asked
 * at once. Start the service, remember something of ada (see the README), then from the checkout:
 *
 *   PRESAGE_KEY=presage_… npm run example:voice-agent -- "What can I cook tonight?"
 */
import { setTimeout as pause } from 'node:timers/promises';
import { MemoryStream } from './memory-stream.ts';

const { PRESAGE_KEY: key = '', PRESAGE_GRPC = '127.0.0.1:50051', PRESAGE_URL = 'http://127.0.0.1:8080' } = process.env;
const [utterance = 'What can I cook tonight?'] = process.argv.slice(2);
/** About as fast as people speak. */
const wordMs = 300;

const memory = new MemoryStream({
  grpc: PRESAGE_GRPC,
  http: PRESAGE_URL,
  key,
  userId: 'ada',
  conversationId: 'voice-example',
});
memory.ended.catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});

// The recognizer hears one word after the other.
const words = utterance.split(' ');
for (const [n] of words.entries()) {
  const sofar = words.slice(0, n + 1).join(' ');
  memory.hears(sofar);
  await pause(wordMs);
  console.log(`${sofar} …  (${memory.memories.length} memories at hand)`);
}

// The turn is over: what it calls for is here, mostly before this line.
memory.said('user', utterance);
const recalled = await memory.recall(utterance);
for (const { content, reason } of recalled) console.log(`  ${reason ?? 'fetched'}: ${content}`);

// Here the model is asked, with what was recalled in its prompt. Tell what it said, and what of it was of use.
memory.said('assistant', 'Let me think of something.');
memory.used(recalled.slice(0, 1).map(({ id }) => id));
await memory.close();
