import { expect, test } from 'vitest';
import { later, old } from '../../support/doubtful-update.ts';
import { openServer } from './open-server.ts';

const server = openServer();

async function doubting() {
  const agent = await server.agent();
  await agent.remembers(old, { user_id: 'ada', document_created_at: '2026-01-06T00:00:00Z' });
  await agent.remembers(later, { user_id: 'ada', document_created_at: '2026-01-14T00:00:00Z' });
  type Listed = { data: { id: string; content: string; possibly_outdated_by: string | null }[] };
  const list = async (query: string) =>
    (await agent.send('GET', `/v1/memories?type=temporal_events&${query}`)).json<Listed>().data;
  const [outdated] = await list('possibly_outdated=true');
  return { agent, list, outdated: outdated! };
}

test('memories are listed by whether they may be outdated', async () => {
  const { agent, list, outdated } = await doubting();
  const others = await list('possibly_outdated=false');
  expect(outdated).toMatchObject({ content: old, possibly_outdated_by: others[0]!.id });
  expect(others).toMatchObject([{ content: later, possibly_outdated_by: null }]);
  const refused = await agent.send('GET', '/v1/memories?possibly_outdated=maybe');
  expect(refused.status).toBe(400);
  expect(refused.json()).toMatchObject({ errors: [{ field: 'possibly_outdated' }] });
});

test('a memory is confirmed to be outdated, once', async () => {
  const { agent, outdated } = await doubting();
  const confirm = () => agent.send('POST', `/v1/memories/${outdated.id}/confirm-outdated?user_id=ada`);
  const answer = await confirm();
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({
    status: 'superseded',
    superseded_by: outdated.possibly_outdated_by,
    possibly_outdated_by: null,
  });
  const again = await confirm();
  expect(again.status).toBe(409);
  expect(again.json()).toMatchObject({ code: 'conflict', detail: 'this memory is not possibly outdated' });
});

test('a memory that still holds is told of no more', async () => {
  const { agent, list, outdated } = await doubting();
  const path = `/v1/memories/${outdated.id}/reject-outdated`;
  expect((await agent.send('POST', `${path}?user_id=bob`)).status).toBe(404);
  const answer = await agent.send('POST', path);
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({ status: 'active', possibly_outdated_by: null });
  expect(await list('possibly_outdated=true')).toEqual([]);
});
