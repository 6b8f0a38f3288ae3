import type { FastifyInstance, FastifyRequest } from 'fastify';
import { configurationSchema } from '../../domain/configurations/configuration.ts';
import { documentationPage } from './documentation-page.ts';
import { openApiOf } from './openapi.ts';
import type { Route } from './route.ts';

/** The OpenAPI document and a page of it, for whoever comes to read: neither needs a key, neither is counted. */
export function serveDocumentation(server: FastifyInstance, routes: readonly Route[]): void {
  const document = openApiOf(routes);
  const [beforeServers = '', afterServers = ''] = JSON.stringify(document).split(JSON.stringify(document.servers));
  const { html, policy } = documentationPage(document);
  const cached = { 'cache-control': 'public, max-age=300' };
  server.get('/v1/openapi.json', { config: { produces: ['application/json'] } }, async (request, reply) =>
    reply
      .headers({ ...cached, vary: 'host, x-forwarded-proto' })
      .type('application/json')
      .send(beforeServers + JSON.stringify([{ url: askedAt(request) ?? document.servers[0]!.url }]) + afterServers),
  );
  const settings = JSON.stringify(configurationSchema());
  server.get(
    '/v1/configuration-schema.json',
    { config: { produces: ['application/schema+json', 'application/json'] } },
    async (_, reply) => reply.headers(cached).type('application/schema+json').send(settings),
  );
  server.get('/docs', { config: { produces: ['text/html'] } }, async (_, reply) =>
    reply
      .headers({ ...cached, 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
      .type('text/html; charset=utf-8')
      .send(html),
  );
}

const protocols = new Set(['http', 'https']);

/** The server as whoever asks calls it, with the protocol that a proxy before us took; undefined for no host at all. */
function askedAt({ host, protocol, headers }: FastifyRequest): string | undefined {
  const forwarded = String(headers['x-forwarded-proto']);
  const url = `${protocols.has(forwarded) ? forwarded : protocol}://${host}`;
  return URL.canParse(url) && new URL(url).host === host ? url : undefined;
}
