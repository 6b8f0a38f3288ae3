import { setTimeout as pause } from 'node:timers/promises';

const turnsOfDocument = 40;
const documentsOfBatch = 25;
const dayMs = 86_400_000;

/** Gives the user this many memories or a few more, in documents of forty turns over a year. Returns how many. */
export async function fill(client, writer, { userId, memories, tell }) {
  let kept = 0;
  let perDocument = Infinity; // the first batch, of one document, tells
  while (kept < memories) {
    const count = Math.min(documentsOfBatch, Math.max(1, Math.ceil((memories - kept) / perDocument)));
    const documents = Array.from({ length: count }, () => documentOf(writer, userId));
    const { batch_id: id } = await client.post('/v1/memories/batch', { documents });
    const added = await completion(client, id, (soFar) => tell(kept + soFar));
    perDocument = added / count;
    kept += added;
  }
  return kept;
}

const documentOf = (writer, userId) => ({
  document: Array.from({ length: turnsOfDocument }, () => ({ role: 'user', content: writer.turn() })),
  document_type: 'ai-chat-conversation',
  user_id: userId,
  document_created_at: new Date(Date.UTC(2025, 0, 1) + writer.below(365) * dayMs).toISOString(),
});

async function completion(client, id, tell) {
  const added = new Map();
  for (;;) {
    const { results } = await client.get(`/v1/memories/batch/${id}`);
    for (const { ingestion_id: ingestion, status, error } of results) {
      if (error || status === 'failed') throw new Error(`a document was not taken: ${error?.message ?? status}`);
      if (status !== 'completed' || added.has(ingestion)) continue;
      added.set(ingestion, (await client.get(`/v1/memories/${ingestion}/status`)).memories_created);
    }
    const sum = [...added.values()].reduce((one, other) => one + other, 0);
    tell(sum);
    if (added.size === results.length) return sum;
    await pause(500);
  }
}
