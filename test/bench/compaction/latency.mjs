// How long a compaction takes, beside as many embeddings as the conversation has turns, in one run and in turns.
import { openOnnxEmbedder } from '../../../dist/adapters/onnx-embedder/onnx-embedder.js';
import { percentile, timed } from '../measure.mjs';
import { sayAll } from './conversation.mjs';

const turnsSaid = 200;
const warmUps = 3;
const rounds = 40;

/** Milliseconds of each compaction of so many turns, made anew each time, and of the embeddings of the same turns. */
export async function measureLatency(client, allTurns) {
  const turns = allTurns.slice(0, turnsSaid);
  const conversationId = 'latency';
  await sayAll(client, { conversationId, userId: conversationId, turns });
  const embedder = await openOnnxEmbedder();
  const took = { compact: [], embed: [] };
  for (let round = -warmUps; round < rounds; round++) {
    // Another target each time: a repetition would answer the version that is there.
    const body = { conversation_id: conversationId, strategy: 'balanced', target_tokens: 1_000 + warmUps + round };
    const compact = await timed(() => client.post('/v1/context/compact', body));
    // Other words each time: the embedder knows a text that it has just seen.
    const embed = await timed(() => embedder.embed(turns.map(({ content }) => `${round} ${content}`)));
    if (round < 0) continue;
    took.compact.push(compact);
    took.embed.push(embed);
  }
  await embedder.close();
  return { turns: turns.length, ...took };
}

/** The line that is compared over time. */
export function latencyLine({ turns, compact, embed }) {
  const p95 = { compact: percentile(compact, 0.95), embed: percentile(embed, 0.95) };
  const ms = (time) => time.toFixed(0);
  return `RESULT compaction-latency turns=${turns} p50=${ms(percentile(compact, 0.5))} p95=${ms(p95.compact)} embeddings=${ms(p95.embed)} ratio=${(p95.compact / p95.embed).toFixed(2)}`;
}
