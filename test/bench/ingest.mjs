const patienceSeconds = 30;
const mostMs = 300_000;

/**
 * Submits documents of one turn, one after the other, and asks for the status of each, which answers when it has ended:
 * its memories can be fetched from then on. Returns the times as the caller meets them, as the service recorded them,
 * and of the first answer alone. Throws when the last one cannot be fetched.
 */
export async function measureIngest(client, writer, { userId, count }) {
  const times = { retrievable: [], recorded: [], accepted: [] };
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
    let ended;
    do ended = await client.get(`/v1/memories/${id}/status?wait=${patienceSeconds}`);
    while (!['completed', 'failed'].includes(ended.status) && performance.now() - began < mostMs);
    times.retrievable.push(performance.now() - began);
    if (ended.status !== 'completed') throw new Error(`an ingestion is ${ended.status}: ${ended.error}`);
    if (ended.memory_ids.length === 0) throw new Error('an ingestion kept nothing of its turn');
    times.recorded.push(Date.parse(ended.completed_at) - Date.parse(ended.queued_at));
  }
  await mustFind(client, userId, last);
  return times;
}

async function mustFind(client, userId, text) {
  const { memories } = await client.post('/v1/context/fetch', { search_queries: [text], user_id: userId });
  if (!memories.some((memory) => memory.content === text)) throw new Error(`not retrievable though completed: ${text}`);
}
