import type { FastifyInstance } from 'fastify';
import { configurationSchema } from '../../domain/configurations/configuration.ts';
import { documentationPage } from './documentation-page.ts';
import { openApiOf } from './openapi.ts';
import type { Route } from './route.ts';

/** The OpenAPI document and a page of it, for whoever comes to read: neither needs a key, neither is counted. */
export function serveDocumentation(server: FastifyInstance, routes: readonly Route[]): void {
  const document = openApiOf(routes);
  const openapi = JSON.stringify(document);
  const { html, policy } = documentationPage(document);
  const cached = { 'cache-control': 'public, max-age=300' };
  server.get('/v1/openapi.json', async (_, reply) => reply.headers(cached).type('application/json').send(openapi));
  const settings = JSON.stringify(configurationSchema());
  server.get('/v1/configuration-schema.json', async (_, reply) =>
    reply.headers(cached).type('application/schema+json').send(settings),
  );
  server.get('/docs', async (_, reply) =>
    reply
      .headers({ ...cached, 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
      .type('text/html; charset=utf-8')
      .send(html),
  );
}
