import type { FastifyInstance } from 'fastify';
import { configurationSchema } from '../../domain/configurations/configuration.ts';
import { baseUrlOf } from '../http/base-url.ts';
import { sendCompressed } from '../http/compress.ts';
import { createOpenApiDocument } from './openapi.ts';
import type { Route } from './route.ts';
import { serveApiPage } from './serve-api-page.ts';

/** Serves the OpenAPI document, the schema of configurations and the API page; none needs a key, none is counted. */
export function serveDocumentation(server: FastifyInstance, routes: readonly Route[]): void {
  const document = createOpenApiDocument(routes);
  const [beforeServers = '', afterServers = ''] = JSON.stringify(document).split(JSON.stringify(document.servers));
  const cached = { 'cache-control': 'public, max-age=300' };
  server.get('/v1/openapi.json', { config: { produces: ['application/json'] } }, async (request, reply) => {
    const servers = JSON.stringify([{ url: baseUrlOf(request) ?? document.servers[0]!.url }]);
    reply.headers({ ...cached, vary: 'host, x-forwarded-host, x-forwarded-proto' }).type('application/json');
    return sendCompressed(request, reply, beforeServers + servers + afterServers);
  });
  const settings = JSON.stringify(configurationSchema());
  server.get(
    '/v1/configuration-schema.json',
    { config: { produces: ['application/schema+json', 'application/json'] } },
    async (_, reply) => reply.headers(cached).type('application/schema+json').send(settings),
  );
  serveApiPage(server);
}
