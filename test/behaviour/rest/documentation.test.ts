import { expect, test } from 'vitest';
import { openServer } from './open-server.ts';

const server = openServer();
interface Operation {
  operationId: string;
  /** Of administrators' routes; `admin-contract.test.ts` sends those. */
  'x-least-role'?: string;
  requestBody?: { content: Record<string, { example?: unknown }> };
}
type Paths = Record<string, Record<string, Operation>>;

async function operations() {
  const document = (await server.agentWith('').send('GET', '/v1/openapi.json')).json<{ paths: Paths }>();
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
}

test('every documented route exists', async () => {
  const agent = await server.agent();
  for (const { path, method } of await operations()) {
    const answer = await agent.send(method, path.replaceAll(/\{\w+\}/g, 'nothing'));
    expect({ method, path, detail: answer.json().detail }).not.toEqual({ method, path, detail: 'no such route' });
  }
});

test('the example of a request is one that is taken', async () => {
  const agent = await server.agent();
  for (const { path, method, requestBody, ...operation } of await operations()) {
    if (!requestBody || operation['x-least-role']) continue;
    const body = requestBody.content['application/json']?.example;
    const { status } = await agent.send(method, path, { body });
    // One that names things of ours is right as far as it goes: they are not there.
    const namesOurs = /"(?:ent|mem)_/.test(JSON.stringify(body));
    expect({ path, taken: namesOurs ? status === 404 : status < 300 }).toEqual({ path, taken: true });
  }
});

test('every reference of the document leads somewhere', async () => {
  const { text, json } = await server.agentWith('').send('GET', '/v1/openapi.json');
  const { schemas } = json<{ components: { schemas: object } }>().components;
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) expect(schemas).toHaveProperty(name!);
});

test('the page shows every route and may load nothing', async () => {
  const page = await server.agentWith('').send('GET', '/docs');
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(page.text).not.toMatch(/<(script|link|img|iframe)\b|@import|url\(/);
  for (const { operationId } of await operations()) expect(page.text).toContain(`<article id="${operationId}">`);
});
