import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { openServer } from './open-server.ts';

const server = openServer();
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test.each([
  '/v1/memories',
  '/v1/no-such-route',
  '/v1/memories/%zz',
  '/health',
  '/v1/memories?limit=0',
  '/v1/openapi.json',
])('the correlation id of a call to %s is the caller’s, or a new one', async (path) => {
  const agent = await server.agent();
  const headers = { 'X-Correlation-Id': 'trace-1' };
  expect((await agent.send('GET', path, { headers })).headers.get('x-correlation-id')).toBe('trace-1');
  expect((await agent.send('GET', path)).headers.get('x-correlation-id')).toMatch(uuid);
});

test.each(['', 'two words', 'x'.repeat(129), 'Zo\u00eb'])('%j is no correlation id', async (id) => {
  const answer = await server.agentWith('').send('GET', '/health', { headers: { 'X-Correlation-Id': id } });
  expect(answer.headers.get('x-correlation-id')).toMatch(uuid);
});

test('what is not HTTP is refused with a problem, too', async () => {
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
  socket.end('nonsense\r\n\r\n');
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  expect(chunk.toString()).toMatch(
    /^HTTP\/1\.1 400 [^]*application\/problem\+json[^]*x-correlation-id: [^]*"code":"invalid_input"/,
  );
});

test('a fault of ours says nothing of the inside', async () => {
  const agent = await server.agent();
  const fault = vi.spyOn(server.world.app, 'memories').mockRejectedValue(new Error('the password is Tangerine'));
  const answer = await agent.send('GET', '/v1/memories');
  fault.mockRestore();
  expect(answer.status).toBe(500);
  expect(answer.json()).toMatchObject({ code: 'internal', errors: [] });
  expect(answer.text).not.toContain('Tangerine');
});

test('a server that cannot serve lives but is not ready', async () => {
  const anybody = server.agentWith('');
  expect((await anybody.send('GET', '/ready')).status).toBe(200);
  const fault = vi.spyOn(server.world.app, 'checkReady').mockRejectedValue(new Error('no database'));
  const answer = await anybody.send('GET', '/ready');
  fault.mockRestore();
  expect(answer.status).toBe(503);
  expect(answer.json()).toMatchObject({ code: 'unavailable' });
  expect((await anybody.send('GET', '/health')).status).toBe(200);
});

test('metrics name routes, never what was asked', async () => {
  await (await server.agent()).send('GET', '/v1/users/ada-lovelace/export');
  const { text } = await server.agentWith('').send('GET', '/metrics');
  expect(text).toContain('route="/v1/users/:user_id/export"');
  expect(text).not.toContain('ada-lovelace');
});
