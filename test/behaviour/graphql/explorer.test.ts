import { runInNewContext } from 'node:vm';
import { buildClientSchema, type IntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { openGraphql } from './open-graphql.ts';

const graphql = openGraphql();

const get = (path: string, accept = '*/*') =>
  fetch(new URL(path, graphql.baseUrl), { headers: { Accept: accept }, redirect: 'manual' });

test('a browser that opens the endpoint finds the page', async () => {
  const answer = await get('/graphql', 'text/html,application/xhtml+xml');
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/graphql/explorer']);
});

test('the page loads what it needs from this server, and nothing from another', async () => {
  const page = await get('/graphql/explorer');
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  const html = await page.text();
  const base = /<base href="([^"]+)"/.exec(html)![1]!;
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!).filter((path) => path !== base);
  expect(files).toEqual(expect.arrayContaining(['main.js', 'styles.css', 'options.js']));
  for (const file of files) {
    expect(file).not.toMatch(/^(https?:)?\/\//);
    const { status, headers } = await get(`${base}${file}`);
    expect([file, status, headers.get('x-content-type-options')]).toEqual([file, 200, 'nosniff']);
  }
  expect(html).not.toMatch(/<script(?![^>]*src=)/);
});

test('the page reads the schema without a key, and takes no session of the dashboard along', async () => {
  const asked: unknown[][] = [];
  const window = { fetch: (...call: unknown[]) => void asked.push(call) };
  const script = await (await get('/graphql/explorer/options.js')).text();
  runInNewContext(script, { window, AltairGraphQL: { init: () => undefined } });
  const fetchOfPage = window.fetch as (url: string, init: object) => void;
  fetchOfPage('/graphql', { method: 'POST', body: '{"query":"query IntrospectionQuery { __schema { … } }"}' });
  fetchOfPage('/graphql', { method: 'POST', body: '{"query":"{ memories { … } }"}' });
  expect(asked).toEqual([
    ['/graphql/explorer/schema.json'],
    ['/graphql', expect.objectContaining({ credentials: 'omit', method: 'POST' })],
  ]);
  const answer = (await (await get('/graphql/explorer/schema.json')).json()) as { data: IntrospectionQuery };
  expect(buildClientSchema(answer.data).getQueryType()?.getFields()).toHaveProperty('memories');
});

test('only its own files are served', async () => {
  for (const path of ['..%2f..%2fpackage.json', '%2e%2e/index.js', 'nothing.js', '..%5cindex.js']) {
    expect((await get(`/graphql/explorer/${path}`)).status).toBe(404);
  }
});

test('the schema is there to generate clients from', async () => {
  expect(await (await get('/graphql/schema')).text()).toContain('type Query {');
});
