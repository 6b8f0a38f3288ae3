import { spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../src/transports/rest/openapi-types.ts';
import { operationsOf } from '../../support/openapi.ts';
import { openServer } from './open-server.ts';

const server = openServer();
const behindProxy = openServer(server.world, true);
const document = async () => (await server.agentWith('').send('GET', '/v1/openapi.json')).json<OpenApiDocument>();

/** Every pattern of the documents that generators and validators of other languages read. */
async function patterns(): Promise<string[]> {
  const texts = await Promise.all(
    ['openapi', 'configuration-schema'].map((name) => server.agentWith('').send('GET', `/v1/${name}.json`)),
  );
  const found = new Set<string>();
  for (const { text } of texts) {
    JSON.parse(text, (key, value: unknown) => {
      if (key === 'pattern' && typeof value === 'string') found.add(value);
      return value;
    });
  }
  return [...found];
}

test('every pattern is one that Go reads', async () => {
  const all = await patterns();
  expect(all.length).toBeGreaterThan(2);
  const unreadable = all.filter((pattern) => {
    try {
      return !RE2JS.compile(pattern);
    } catch {
      return true;
    }
  });
  expect(unreadable).toEqual([]);
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.runIf(hasPython)('every pattern is one that Python reads, and means there what it means here', async () => {
  const cases = (await patterns()).flatMap((pattern) =>
    ['a', 'past-orders', '', 'a\tb', 'a\u0085b', 'é 日本', '2026-01-05', '2026-01-05T09:30:00Z'].map((text) => ({
      pattern,
      text,
      fits: new RegExp(pattern, 'u').test(text),
    })),
  );
  const script = `
import json, re, sys
json.dump([bool(re.search(each["pattern"], each["text"])) for each in json.load(sys.stdin)], sys.stdout)`;
  const { stdout, stderr } = spawnSync('python3', ['-c', script], { input: JSON.stringify(cases), encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual(cases.map(({ fits }) => fits));
});

test('every request body has an example, which its own schema takes', async () => {
  const { components, ...rest } = await document();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', components });
  const bodies = operationsOf({ components, ...rest }).filter(({ requestBody }) => requestBody);
  expect(bodies.length).toBeGreaterThan(10);
  const wrong = bodies.flatMap(({ operationId, requestBody }) => {
    const { schema, example } = requestBody!.content['application/json']!;
    if (example === undefined) return [`${operationId}: no example`];
    return ajv.validate({ $ref: `api${schema.$ref}` }, example) ? [] : [`${operationId}: ${ajv.errorsText()}`];
  });
  expect(wrong).toEqual([]);
});

test.each([
  { asked: { host: 'memory.example.com' }, told: 'http://memory.example.com' },
  { asked: { host: 'memory.example.com', 'x-forwarded-proto': 'https' }, told: 'http://memory.example.com' },
  { asked: { host: '"}], "x": "' }, told: '/' },
  {
    at: behindProxy,
    asked: { host: 'memory.example.com:8443', 'x-forwarded-proto': 'https' },
    told: 'https://memory.example.com:8443',
  },
  { at: behindProxy, asked: { host: 'memory.example.com', 'x-forwarded-proto': 'javascript' }, told: '/' },
])('the document names the server that was asked: $asked', async ({ at = server, asked, told }) => {
  const text = await new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(at.baseUrl);
    request({ hostname, port, path: '/v1/openapi.json', headers: asked }, (answer) => {
      let all = '';
      answer.setEncoding('utf8').on('data', (part: string) => (all += part));
      answer.on('end', () => resolve(all)).on('error', reject);
    }).end();
  });
  expect((JSON.parse(text) as OpenApiDocument).servers).toEqual([{ url: told }]);
});
