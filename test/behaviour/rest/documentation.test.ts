import { expect, test } from 'vitest';
import type { z } from 'zod';
import { routes } from '../../../src/transports/rest/mount-rest.ts';
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

test('what is told once is documented as null, as a repetition has it', async () => {
  const telling = routes.flatMap(({ path, secrets = [], answer }) => secrets.map((name) => ({ path, name, answer })));
  expect(telling.length).toBeGreaterThan(3);
  for (const { path, name, answer } of telling)
    expect({ path, allows: (answer as z.ZodObject).shape[name]!.safeParse(null).success }).toEqual({
      path,
      allows: true,
    });
});

test('every documented route exists', async () => {
  const agent = await server.agent();
  const { detail } = (await agent.send('GET', '/v1/no-route')).json();
  for (const { path, method } of await operations()) {
    const answer = await agent.send(method, path.replaceAll(/\{\w+\}/g, 'nothing'));
    expect({ method, path, detail: answer.json().detail }).not.toEqual({ method, path, detail });
  }
});

test('the example of a request is one that is taken', async () => {
  const agent = await server.agent();
  for (const { path, method, requestBody, ...operation } of await operations()) {
    if (!requestBody || operation['x-least-role']) continue;
    const body = requestBody.content['application/json']?.example;
    const { status } = await agent.send(method, path, { body });
    // One that names things of ours is right as far as it goes: they are not there.
    const namesOurs =
      /"(?:ent|mem)_/.test(JSON.stringify(body)) ||
      /\{(?:webhook|memory)_id\}/.test(path) ||
      path === '/v1/context/compact';
    expect({ path, taken: namesOurs ? status === 404 : status < 300 }).toEqual({ path, taken: true });
  }
});

test('every reference of the document leads somewhere', async () => {
  const { text, json } = await server.agentWith('').send('GET', '/v1/openapi.json');
  const { schemas } = json<{ components: { schemas: object } }>().components;
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) expect(schemas).toHaveProperty(name!);
});

const pageOf = (accepted: string) =>
  server.agentWith('').send('GET', '/docs', { headers: { 'Accept-Encoding': accepted } });

test('the page is found with a slash at its end, too', async () => {
  const { status, headers } = await fetch(`${server.baseUrl}/docs/`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, '/docs']);
});

test('the page loads files of this server alone, and less than 1 MB with the document', async () => {
  const page = await pageOf('gzip');
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(policy).not.toMatch(/https?:|\*|unsafe/);
  const links = [...page.text.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, link]) => link!);
  expect(links).toEqual(['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'docs/start.js']);
  const start = await server.agentWith('').send('GET', '/docs/start.js');
  expect(start.text).toContain("url: 'v1/openapi.json'");
  let transferred = Number(page.headers.get('content-length'));
  for (const link of [...links, 'v1/openapi.json']) {
    const { status, headers } = await server.agentWith('').send('GET', `/${link}`, {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    expect([link, status, headers.get('content-encoding')]).toEqual([link, 200, 'gzip']);
    transferred += Number(headers.get('content-length'));
  }
  expect(transferred).toBeGreaterThan(100_000);
  expect(transferred).toBeLessThan(1_000_000);
});

test('the page is there for whoever takes nothing compressed', async () => {
  const [plain, compressed] = [await pageOf('identity'), await pageOf('gzip')];
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(plain.text).toBe(compressed.text);
});
