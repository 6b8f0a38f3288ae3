import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { getDistDirectory, renderAltair, renderInitSnippet } from 'altair-static';
import type { FastifyInstance } from 'fastify';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

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

/** A page to try the schema on (Altair), from files that ship with the service; it needs a key only to run something. */
export function serveExplorer(server: FastifyInstance, graphql: string): void {
  const base = `${graphql}/explorer`;
  const options = {
    baseURL: `${base}/`,
    endpointURL: graphql,
    subscriptionsEndpoint: graphql,
    initialQuery: firstQuery,
    initialAuthorization: { type: 'bearer' as const, data: { token: '' } },
    // Neither its makers' offers, nor an error before there is a key.
    initialSettings: {
      'banners.disable': true,
      'alert.disableUpdateNotification': true,
      'schema.reloadOnStart': false,
    },
    serveInitialOptionsInSeperateRequest: 'options.js',
    disableAccount: true,
  };
  const html = renderAltair(options);
  const script = renderInitSnippet(options);
  const files = readFiles();

  const headers = {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'cache-control': 'public, max-age=300',
  };
  const sendPage = () => html;
  server.register(async (scope) => {
    scope.addHook('onRequest', async (_, reply) => void reply.headers(headers));
    scope.get(base, async (_, reply) => reply.type('text/html; charset=utf-8').send(sendPage()));
    scope.get(`${base}/options.js`, async (_, reply) => reply.type(types['.js']!).send(script));
    scope.get<{ Params: { '*': string } }>(`${base}/*`, async ({ params }, reply) => {
      const path = files.get(params['*']);
      if (!path) return reply.callNotFound();
      return reply.type(types[extname(path)] ?? 'application/octet-stream').send(readFileSync(path));
    });
  });
}

/** The files of the explorer by their path; a request names one of these or is answered 404. */
function readFiles(): ReadonlyMap<string, string> {
  const folder = getDistDirectory();
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.filter((path) => extname(path) in types).map((path) => [path, join(folder, path)]));
}
