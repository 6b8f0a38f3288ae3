import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { notFoundError } from '../../domain/errors.ts';
import { sendCompressed } from '../http/compress.ts';
import { contentTypes, filesIn } from '../http/static-files.ts';

/** Built by `npm run build` from `dashboard/`; as far above `dist` as above `src`. */
const folder = fileURLToPath(new URL('../../../dist/dashboard/', import.meta.url));

/** Nothing from elsewhere and nothing to elsewhere; no script and no style but the files of the dashboard. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const pageHeaders = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

const squeeze = promisify(gzip);

/** The page and its files. Any path without a file is a place within the page, so that links lead where they say. */
export function servePages(server: FastifyInstance): void {
  const squeezed = new Map<string, Promise<Buffer>>();
  const files = new Set(existsSync(folder) ? filesIn(folder) : []);
  const gzipped = (name: string): Promise<Buffer> => {
    const existing = squeezed.get(name) ?? squeeze(readFileSync(folder + name), { level: 9 });
    squeezed.set(name, existing);
    return existing;
  };

  server.register(async (scope) => {
    scope.addHook('onRequest', async (_, reply) => void reply.headers(pageHeaders));
    scope.get('/dashboard', async (_, reply) => reply.redirect('/dashboard/'));
    scope.get<{ Params: { '*': string } }>('/dashboard/*', async (request, reply) => {
      const asked = request.params['*'];
      const isAsset = asked.startsWith('assets/');
      const name = isAsset || files.has(asked) ? asked : 'index.html'; // the ids in a place may have dots
      if (!files.has(name)) throw notFoundError('file');
      // Names of assets tell their content.
      reply.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
      reply.type(contentTypes[extname(name)]!);
      if (name.endsWith('.woff2')) return readFileSync(folder + name); // is compressed
      return sendCompressed(request, reply, { gzipped: await gzipped(name) });
    });
  });
}
