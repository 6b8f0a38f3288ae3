import { expect, test } from 'vitest';
import { hashSecret } from '../../../src/domain/tenancy/credentials.ts';
import { newUuid } from '../../../src/domain/ids.ts';
import { openServer } from './open-server.ts';

const server = openServer();

test.each([
  { case: 'no credential', header: '' },
  { case: 'Bearer alone', header: 'Bearer' },
  { case: 'another scheme', header: 'Basic abc' },
  { case: 'an unknown key', header: `Bearer presage_${'0'.repeat(43)}` },
])('$case: 401 with a challenge', async ({ header }) => {
  const agent = server.agentWith('');
  const answer = await agent.send('GET', '/v1/memories', { headers: header ? { Authorization: header } : {} });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  expect(answer.json()).toMatchObject({ code: 'unauthenticated' });
});

test('a credential is asked for before a body is read', async () => {
  const answer = await server.agentWith('').send('POST', '/v1/memories', { raw: '{"a"' });
  expect(answer.status).toBe(401);
});

test('an admin token does not open an agent’s routes', async () => {
  const token = 'an-admin-token-of-this-test';
  await server.world.deps.db.adminToken.create({ data: { id: newUuid(), hash: hashSecret(token), role: 'owner' } });
  const admin = server.agentWith(token);
  for (const [method, path] of [
    ['GET', '/v1/memories'],
    ['POST', '/v1/context/fetch'],
  ] as const) {
    const answer = await admin.send(method, path, method === 'POST' ? { body: {} } : {});
    expect(answer.status).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'forbidden' });
  }
});

test('a revoked key opens nothing from the next request on', async () => {
  const { access, key } = await server.world.instance();
  const agent = server.agentWith(key);
  expect((await agent.send('GET', '/v1/memories')).status).toBe(200);
  const [record] = (await server.world.app.keys(server.world.asAdmin(access), { limit: 100 })).data;
  await server.world.app.revokeKey(server.world.asAdmin(access), record!.id);
  expect((await agent.send('GET', '/v1/memories')).status).toBe(401);
});

test('each call is counted once, a refused one too; probes and the unauthenticated are not', async () => {
  const { world } = server;
  const { access, key } = await world.instance();
  const agent = server.agentWith(key);
  await agent.send('GET', '/v1/memories');
  await agent.send('POST', '/v1/context/fetch', { body: {} });
  await agent.send('POST', '/v1/memories/batch', { body: { documents: [1, 2, 3] } });
  for (const path of ['/health', '/ready', '/metrics', '/docs', '/v1/openapi.json']) {
    expect((await server.agentWith('').send('GET', path)).status).toBe(200);
  }
  await world.deps.metering.flush(new Date());
  const [usage] = await world.deps.db.usage.findMany({
    where: { instanceNumber: access.instanceNumber, metric: 'api_calls' },
  });
  expect(usage?.count).toBe(3n);
});
