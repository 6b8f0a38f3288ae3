import { setTimeout as pause } from 'node:timers/promises';

/** Waits for a batch. Throws when one of its documents was not ingested. */
export async function completed(client, batch) {
  for (;;) {
    const { results } = await client.get(`/v1/memories/batch/${batch}`);
    const failed = results.find(({ status, error }) => error || status === 'failed');
    if (failed) throw new Error(`a document was not taken: ${failed.error?.message ?? failed.status}`);
    if (results.every(({ status }) => status === 'completed')) return;
    await pause(250);
  }
}
