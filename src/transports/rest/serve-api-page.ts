import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sendCompressed } from '../http/compress.ts';
import { contentTypes } from '../http/static-files.ts';

/** Laid out by `scripts/build-api-page.mjs`; as far above `dist` as above `src`. */
const folder = new URL('../../../dist/api-page/', import.meta.url);

const files = {
  '/docs': 'index.html',
  '/docs/start.js': 'start.js',
  '/docs/swagger-ui-bundle.js': 'swagger-ui-bundle.js',
  '/docs/swagger-ui.css': 'swagger-ui.css',
};

/** Nothing from elsewhere and nothing to elsewhere: the page shows, and tries out, the server that it came from. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'cache-control': 'public, max-age=300',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
};

/** The page of the OpenAPI document at `/docs` (Swagger UI). It needs a key only to try something out. */
export function serveApiPage(server: FastifyInstance): void {
  server.get('/docs/', async (_, reply) => reply.redirect('/docs'));
  for (const [path, name] of Object.entries(files)) {
    const type = contentTypes[extname(name)]!;
    server.get(path, { config: { produces: [type.split(';')[0]!] } }, async (request, reply) => {
      reply.headers(headers).type(type);
      return sendCompressed(request, reply, { gzipped: await readFile(new URL(`${name}.gz`, folder)) });
    });
  }
}
