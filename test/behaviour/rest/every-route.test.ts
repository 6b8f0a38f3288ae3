import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../src/transports/rest/openapi-types.ts';
import { openDoors } from '../../support/open-doors.ts';
import { operationsOf, type Operation } from '../../support/openapi.ts';

const doors = openDoors();
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
/** What is served beside the routes of the document, with the methods that each takes. */
const others: Record<string, readonly string[]> = {
  '/': ['GET', 'HEAD'],
  '/health': ['GET', 'HEAD'],
  '/ready': ['GET', 'HEAD'],
  '/metrics': ['GET', 'HEAD'],
  '/docs': ['GET', 'HEAD'],
  '/docs/': ['GET', 'HEAD'],
  '/docs/start.js': ['GET', 'HEAD'],
  '/docs/swagger-ui-bundle.js': ['GET', 'HEAD'],
  '/docs/swagger-ui.css': ['GET', 'HEAD'],
  '/v1/openapi.json': ['GET', 'HEAD'],
  '/v1/configuration-schema.json': ['GET', 'HEAD'],
  '/graphql/stream': ['POST'],
  '/graphql/schema': ['GET', 'HEAD'],
  '/graphql/explorer': ['GET', 'HEAD'],
  '/graphql/explorer/schema.json': ['GET', 'HEAD'],
};
let operations: Operation[];

beforeAll(async () => {
  const document: OpenApiDocument = (await doors.send('', 'GET', '/v1/openapi.json')).json();
  operations = operationsOf(document);
});

/** Without the client's own ideas of what a method is: `fetch` sends no TRACE. */
async function send(method: string, path: string, headers: Record<string, string> = {}) {
  const sent = request(doors.baseUrl + path, { method, headers });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await answer.toArray()).join('');
  return { status: answer.statusCode, headers: answer.headers, text };
}

const filled = (path: string) => path.replaceAll(/\{\w+\}/g, 'nothing');

describe('a method that a path does not take', () => {
  test('is refused at every path with 405, a problem, and the methods that it takes', async () => {
    const taken = new Map(Object.entries(others));
    for (const { path } of operations) {
      const own = operations.filter((each) => filled(each.path) === filled(path)).map(({ method }) => method);
      taken.set(filled(path), own.includes('GET') ? [...own, 'HEAD'] : own);
    }
    expect(taken.size).toBeGreaterThan(50);
    for (const [path, allowed] of taken) {
      for (const method of methods.filter((each) => !allowed.includes(each))) {
        const { status, headers, text } = await send(method, path);
        const asked = `${method} ${path}`;
        expect({ asked, status, allow: headers.allow?.split(', ').toSorted() }).toEqual({
          asked,
          status: 405,
          allow: allowed.toSorted(),
        });
        if (method !== 'HEAD') expect(JSON.parse(text)).toMatchObject({ code: 'method_not_allowed', status: 405 });
      }
    }
  });

  test('a path that is not there is 404 for every method', async () => {
    for (const method of methods) expect((await send(method, '/v1/nothing-of-the-kind')).status).toBe(404);
  });

  test('GraphQL says so in its own form', async () => {
    const { status, headers, text } = await send('GET', '/graphql');
    expect([status, headers.allow]).toEqual([405, 'POST']);
    expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { code: 'method_not_allowed' } }] });
  });
});

describe('an Accept that cannot be met', () => {
  test('is refused by every route of the document before anything is done', async () => {
    for (const { method, path } of operations) {
      const { status, text } = await send(method, filled(path), { accept: 'image/png' });
      expect({ path, status, ...JSON.parse(text) }).toMatchObject({ path, status: 406, code: 'not_acceptable' });
    }
  });

  test.each(['/', '/health', '/ready', '/docs', '/v1/openapi.json', '/v1/configuration-schema.json'])(
    'is refused by %s',
    async (path) => {
      expect((await send('GET', path, { accept: 'image/png' })).status).toBe(406);
      expect((await send('GET', path, { accept: '*/*;q=0.1, image/png' })).status).toBe(200);
      expect((await send('GET', path)).status).toBe(200);
    },
  );

  test('GraphQL answers 406 too', async () => {
    const { key } = await doors.world.instance();
    const answer = await fetch(`${doors.baseUrl}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, accept: 'image/png', 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ instance { id } }' }),
    });
    expect(answer.status).toBe(406);
  });
});

describe('the address alone', () => {
  test('answers links, each of which answers', async () => {
    const { status, headers, text } = await send('GET', '/');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const { name, version, links } = JSON.parse(text) as {
      name: string;
      version: string;
      links: Record<string, string>;
    };
    expect([name, version]).toEqual(['presage', expect.stringMatching(/^\d+[.]\d+[.]\d+/)]);
    expect(Object.keys(links)).toEqual(
      expect.arrayContaining(['documentation', 'openapi', 'rest', 'graphql', 'explorer', 'health', 'ready']),
    );
    const { key } = await doors.world.instance();
    for (const [link, path] of Object.entries(links)) {
      const { status: told } = await send('GET', path, { authorization: `Bearer ${key}` });
      expect([link, told]).toEqual([link, ['graphql', 'mcp'].includes(link) ? 405 : 200]);
    }
  });

  test('is a page for a browser', async () => {
    const { headers, text } = await send('GET', '/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<a href="/docs">');
  });
});
