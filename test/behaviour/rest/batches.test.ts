import { expect, test } from 'vitest';
import { openServer } from './open-server.ts';

const server = openServer();
const valid = { document: 'I own a kayak.', document_type: 'note', user_id: 'ada' };

test('each document of a batch is judged for itself', async () => {
  const agent = await server.agent();
  const documents = [valid, { ...valid, mode: 'slow' }, 'no document', { ...valid, user_id: undefined }];
  const answer = await agent.send('POST', '/v1/memories/batch', { body: { documents } });
  expect(answer.status).toBe(202);
  expect(answer.json()).toMatchObject({
    total: 4,
    succeeded: 1,
    failed: 3,
    results: [
      { index: 0, status: 'queued', error: null },
      { index: 1, status: 'refused', error: { message: 'mode: must be "fast", "long-range" or "verbatim"' } },
      { index: 2, status: 'refused', error: { message: 'the document must be a JSON object' } },
      { index: 3, status: 'refused', ingestion_id: null, error: { code: 'invalid_input' } },
    ],
  });
  await server.world.settle();
  const batch = await agent.send('GET', `/v1/memories/batch/${String(answer.json().batch_id)}`);
  expect(batch.json<{ results: unknown[] }>().results[0]).toMatchObject({ index: 0, status: 'completed' });
});

test('with fail_fast an invalid document refuses the whole batch and names itself', async () => {
  const agent = await server.agent();
  const body = { fail_fast: true, documents: [valid, { ...valid, mode: 'slow' }] };
  const answer = await agent.send('POST', '/v1/memories/batch', { body });
  expect(answer.status).toBe(400);
  expect(answer.json()).toMatchObject({ errors: [{ field: 'documents[1].mode' }] });
  expect((await agent.send('GET', '/v1/memories')).json()).toMatchObject({ data: [] });
});

test('a batch holds up to 1,000 documents', async () => {
  const agent = await server.agent();
  for (const documents of [[], Array.from({ length: 1_001 }, () => valid)]) {
    expect((await agent.send('POST', '/v1/memories/batch', { body: { documents } })).status).toBe(400);
  }
});
