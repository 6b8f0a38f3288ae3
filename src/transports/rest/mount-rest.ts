import type { FastifyInstance, FastifyReply } from 'fastify';
import type { App } from '../../app.ts';
import type { Telemetry } from '../../telemetry.ts';
import { accessOf, requireInstanceKey } from '../http/authenticate.ts';
import type { Mount } from '../http/server.ts';
import { batches } from './batches.ts';
import { context } from './context.ts';
import { documents } from './documents.ts';
import { entities } from './entities.ts';
import { instance } from './instance.ts';
import { linesOf } from './lines.ts';
import { memories } from './memories.ts';
import { merges } from './merges.ts';
import { receipts } from './receipts.ts';
import { reviewQueue } from './review-queue.ts';
import type { Route } from './route.ts';
import { serveDocumentation } from './serve-documentation.ts';
import { users } from './users.ts';

const routes: readonly Route[] = [
  ...memories,
  ...batches,
  ...context,
  ...entities,
  ...merges,
  ...reviewQueue,
  ...documents,
  ...users,
  ...receipts,
  ...instance,
];

/** The service's own routes under /v1, with their OpenAPI document and its page. */
export function mountRest(app: App, telemetry: Pick<Telemetry, 'log'>): Mount {
  return async (server) => {
    serveDocumentation(server, routes);
    await server.register(async (scope) => {
      const stopping = new AbortController();
      scope.addHook('onRequest', requireInstanceKey(app));
      scope.addHook('preClose', async () => stopping.abort());
      for (const each of routes) addRoute(scope, each, { app, log: telemetry.log, stopping: stopping.signal });
    });
  };
}

function addRoute(
  server: FastifyInstance,
  route: Route,
  { app, log, stopping }: { app: App; log: Telemetry['log']; stopping: AbortSignal },
): void {
  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { tellsMemories: route.tellsMemories ?? false, isPolled: route.isPolled ?? false },
    ...(route.bodyLimit ? { bodyLimit: route.bodyLimit } : {}),
    handler: async (request, reply) => {
      const { params, query, body, id } = request;
      const signal = whileWanted(reply, stopping);
      const access = accessOf(request);
      const answer = await route.run(app, { access, params, query, body, correlationId: id, signal });
      if (answer.configurationVersion !== undefined)
        reply.header('x-config-version', String(answer.configurationVersion));
      reply.code(answer.status ?? route.statuses[0]);
      if (!answer.lines) return answer.body;
      const lines = await linesOf(answer.lines);
      // The head is sent by then: the connection breaks, which the client sees, and only the log can say why.
      lines.on('error', (error) => log.error({ error, correlation_id: id }, 'failed while streaming'));
      return reply.type('application/x-ndjson').send(lines);
    },
  });
}

function whileWanted(reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const left = new AbortController();
  const leave = () => left.abort();
  stopping.addEventListener('abort', leave, { signal: left.signal });
  reply.raw.once('close', leave);
  return left.signal;
}
