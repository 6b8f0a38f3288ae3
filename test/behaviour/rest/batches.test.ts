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
      { index: 1, status: 'refused', error: { message: 'mode: must be "fast" or "long-range"' } },
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
  for (const [wrong, field] of [
    [{ ...valid, mode: 'slow' }, 'documents[1].mode'],
    [null, 'documents[1]'],
  ]) {
    const body = { fail_fast: true, documents: [valid, wrong] };
    const answer = await agent.send('POST', '/v1/memories/batch', { body });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ field }] });
  }
  expect((await agent.send('GET', '/v1/memories')).json()).toMatchObject({ data: [] });
});

test('a batch holds up to 1,000 documents', async () => {
  const agent = await server.agent();
  for (const documents of [[], Array.from({ length: 1_001 }, () => valid)]) {
    expect((await agent.send('POST', '/v1/memories/batch', { body: { documents } })).status).toBe(400);
  }
});

test('when the database fails in the middle, the answer says what was accepted, and that is remembered', async () => {
  const agent = await server.agent();
  const { db } = server.world.deps;
  const documents = Array.from({ length: 4 }, (_, n) => ({ ...valid, document: `Crate ${n} is in cellar ${n * 7}.` }));
  // Every other statement on it works: the third document alone meets a database that refuses it.
  await db.$executeRawUnsafe(`CREATE FUNCTION refuse_third() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF NEW.batch_index = 2 THEN RAISE EXCEPTION 'the disk is full'; END IF; RETURN NEW; END $$`);
  await db.$executeRawUnsafe(
    'CREATE TRIGGER refuse_third BEFORE INSERT ON ingestion FOR EACH ROW EXECUTE FUNCTION refuse_third()',
  );
  const headers = { 'idempotency-key': 'the-crates' };
  const send = () => agent.send('POST', '/v1/memories/batch', { body: { documents }, headers });
  const answer = await send();
  await db.$executeRawUnsafe('DROP FUNCTION refuse_third CASCADE');
  expect(answer.status).toBe(202);
  const { batch_id: id, results } = answer.json<{ batch_id: string; results: { status: string }[] }>();
  expect(results.map(({ status }) => status)).toEqual(['queued', 'queued', 'refused', 'refused']);
  expect(results[2]).toMatchObject({ error: { code: 'unavailable' } });
  expect(answer.text).not.toContain('disk');
  await server.world.settle();
  const batch = (await agent.send('GET', `/v1/memories/batch/${id}`)).json();
  expect(batch).toMatchObject({ total: 4, succeeded: 2, failed: 2 });
  expect((await send()).json()).toMatchObject({ batch_id: id }); // and nothing is remembered twice
});
