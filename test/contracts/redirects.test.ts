import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { chatModel } from '../../src/adapters/openai-compatible/chat-model.ts';
import { remoteEmbedder } from '../../src/adapters/openai-compatible/remote-embedder.ts';
import { openCommandSession } from '../../src/cli/command-session.ts';
import { memoriesQuestion } from '../../src/domain/extraction/ask-model.ts';

/** What arrived at the host that nobody named. */
const arrived: string[] = [];
let status = 0;
let [elsewhere, redirecting]: [Server?, Server?] = [];
const addressOf = (server: Server | undefined) => `http://127.0.0.1:${(server!.address() as AddressInfo).port}`;

beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  redirecting = createServer((request, response) => {
    response.writeHead(status, { location: addressOf(elsewhere) + request.url! }).end();
  });
  for (const server of [elsewhere, redirecting]) await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => [elsewhere, redirecting].forEach((server) => server?.close()));
beforeEach(() => void (arrived.length = 0));

const provider = () => ({ baseUrl: `${addressOf(redirecting)}/v1`, apiKey: 'sk-not-to-be-told', model: 'tiny' });
const notFollowed = (code: number) =>
  `the provider answered with a redirect (${code}), which is not followed: set its base URL to where it leads`;

const askModel = () =>
  chatModel(provider()).answer([{ role: 'user', content: 'The harbour.' }], {
    schema: memoriesQuestion.schema,
    signal: AbortSignal.timeout(5_000),
    used: () => undefined,
  });
const openEmbedder = () => remoteEmbedder(provider()).open();

test.each([301, 302, 303, 307, 308])(
  'a provider that answers with %s is refused, and nobody else is told',
  async (code) => {
    status = code;
    for (const ask of [askModel, openEmbedder]) {
      await expect(ask()).rejects.toMatchObject({ code: 'unavailable', message: notFollowed(code) });
    }
    expect(arrived).toEqual([]);
  },
);

test('the command line tells where it was sent to, and sends nothing there', async () => {
  status = 308;
  const variables = { PRESAGE_URL: addressOf(redirecting), PRESAGE_ADMIN_TOKEN: 'an-administrator-of-these-tests' };
  const asked = openCommandSession(variables, {}, () => undefined).admin.send('POST', '/clients', { name: 'Acme' });
  await expect(asked).rejects.toThrow(`redirects to ${addressOf(elsewhere)}/v1/admin/clients: set PRESAGE_URL`);
  expect(arrived).toEqual([]);
});
