import type { FastifyInstance } from 'fastify';
import { version } from '../../version.ts';
import { preferredMediaType } from './negotiate.ts';

/** The paths of the service; those that this process does not serve are left out. */
const places = {
  dashboard: '/dashboard',
  documentation: '/docs',
  openapi: '/v1/openapi.json',
  rest: '/v1/instance',
  graphql: '/graphql',
  graphql_schema: '/graphql/schema',
  explorer: '/graphql/explorer',
  mcp: '/mcp',
  health: '/health',
  ready: '/ready',
} as const;

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** `/`, for whoever has nothing but the address: links as JSON, or as a page for a browser. */
export function addServiceIndex(server: FastifyInstance): void {
  server.get('/', { config: { produces: ['application/json', 'text/html'] } }, async (request, reply) => {
    const links = Object.entries(places).filter(([, url]) => server.hasRoute({ method: 'GET', url }));
    if (preferredMediaType(request, ['application/json', 'text/html']) !== 'text/html') {
      return { name: 'presage', version, links: Object.fromEntries(links) };
    }
    const headers = { 'content-security-policy': policy, vary: 'accept', 'referrer-policy': 'no-referrer' };
    return reply.headers(headers).type('text/html; charset=utf-8').send(pageOf(links));
  });
}

const pageOf = (links: readonly (readonly [string, string])[]) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Presage</title>
<style>:root { color-scheme: light dark } body { font: 16px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto;
padding: 0 1rem }</style>
<h1>Presage ${version}</h1>
<p>Memory for AI agents that arrives before it is asked for.</p>
<ul>${links.map(([name, url]) => `<li>${name.replace('_', ' ')}: <a href="${url}">${url}</a></li>`).join('')}</ul>
</html>`;
