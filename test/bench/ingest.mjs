import { setTimeout as pause } from 'node:timers/promises';

const firstLookMs = 5;
const lookEveryMs = 2;
const patienceMs = 30_000;

/**
 * Submits documents of one turn, one after the other, and asks for each until it is completed: its memories can be
 * fetched from then on. Returns the times as the caller meets them, as the service recorded them, and of the first
 * answer alone. Throws when the last one cannot be fetched.
 */
export async function measureIngest(client, writer, { userId, count }) {
  const times = { retrievable: [], recorded: [], accepted: [], looks: 0 };
  let last;
  for (let n = 0; n < count; n++) {
    last = writer.turn();
    const turns = [{ role: 'user', content: last }];
    const began = performance.now();
    const { ingestion_id: id } = await client.post('/v1/memories', {
      document: turns,
      document_type: 'ai-chat-conversation',
      user_id: userId,
    });
    times.accepted.push(performance.now() - began);
    const { ended, looks } = await completion(client, id);
    times.retrievable.push(performance.now() - began);
    times.recorded.push(Date.parse(ended.completed_at) - Date.parse(ended.queued_at));
    times.looks += looks;
  }
  await mustFind(client, userId, last);
  return times;
}

async function completion(client, id) {
  const deadline = performance.now() + patienceMs;
  await pause(firstLookMs);
  for (let looks = 1; ; looks++) {
    const ingestion = await client.get(`/v1/memories/${id}/status`);
    if (ingestion.status === 'completed' && ingestion.memory_ids.length > 0) return { ended: ingestion, looks };
    if (ingestion.status === 'failed') throw new Error(`an ingestion failed: ${ingestion.error}`);
    if (ingestion.status === 'completed') throw new Error('an ingestion kept nothing of its turn');
    if (performance.now() > deadline) throw new Error(`an ingestion is still ${ingestion.status}`);
    await pause(lookEveryMs);
  }
}

async function mustFind(client, userId, text) {
  const { memories } = await client.post('/v1/context/fetch', { search_queries: [text], user_id: userId });
  if (!memories.some((memory) => memory.content === text)) throw new Error(`not retrievable though completed: ${text}`);
}
