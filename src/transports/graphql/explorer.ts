import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { getDistDirectory, renderAltair, renderInitSnippet } from 'altair-static';
import type { FastifyInstance } from 'fastify';
import { introspectionFromSchema, type GraphQLSchema } from 'graphql';
import { sendCompressed } from '../http/compress.ts';
import { contentTypes, filesIn } from '../http/static-files.ts';

/** Nothing from elsewhere, nothing to elsewhere, no script but the page's own files. Its editor makes styles as it goes. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const firstQuery = `# Put your key (or admin token) into Auth, as the token
{
  instance { name state }
  memories(first: 5) {
    nodes { type content entities { name kind } }
    pageInfo { hasNextPage endCursor }
  }
}
`;

/**
 * A script that the page runs before it asks for anything. Its questions for the schema are answered by a file, which needs
 * no key: it asks for it whenever its address changes, and when it opens. The cookie of somebody who is signed in to the
 * dashboard is left at home: a session is for the pages of the dashboard, and a key is for this one.
 */
const fetchScript = (base: string) => `
const send = window.fetch;
window.fetch = (input, init) =>
  typeof init?.body === 'string' && init.body.includes('IntrospectionQuery')
    ? send('${base}/schema.json')
    : send(input, { ...init, credentials: 'omit' });
`;

/** A page to try the schema on (Altair), from files that ship with the service; it needs a key only to run something. */
export function serveExplorer(server: FastifyInstance, graphql: string, schema: GraphQLSchema): void {
  const base = `${graphql}/explorer`;
  const options = {
    baseURL: `${base}/`,
    endpointURL: graphql,
    subscriptionsEndpoint: graphql,
    initialQuery: firstQuery,
    initialAuthorization: { type: 'bearer' as const, data: { token: '' } },
    initialSettings: { 'banners.disable': true, 'alert.disableUpdateNotification': true }, // its makers' offers
    serveInitialOptionsInSeperateRequest: 'options.js',
    disableAccount: true,
  };
  const html = renderAltair(options);
  const script = fetchScript(base) + renderInitSnippet(options);
  const introspection = JSON.stringify({ data: introspectionFromSchema(schema) });
  const folder = getDistDirectory();
  const files = new Set(filesIn(folder).filter((path) => !path.endsWith('.html'))); // its one page is made here

  const headers = {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'cache-control': 'public, max-age=300',
  };
  const sendPage = () => html;
  server.register(async (scope) => {
    scope.addHook('onRequest', async (_, reply) => void reply.headers(headers));
    scope.get(base, async (_, reply) => reply.type('text/html; charset=utf-8').send(sendPage()));
    scope.get(`${base}/options.js`, async (_, reply) => reply.type(contentTypes['.js']!).send(script));
    scope.get(`${base}/schema.json`, async (request, reply) => {
      reply.type(contentTypes['.json']!);
      return sendCompressed(request, reply, introspection);
    });
    scope.get<{ Params: { '*': string } }>(`${base}/*`, async ({ params }, reply) => {
      const path = params['*'];
      if (!files.has(path)) return reply.callNotFound();
      return reply.type(contentTypes[extname(path)]!).send(readFileSync(join(folder, path)));
    });
  });
}
