import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { permissionOf } from '../../app/permissions.ts';
import type { Telemetry } from '../../telemetry.ts';
import { callerLeft } from '../http/caller-left.ts';
import { toJsonLines } from './lines.ts';
import type { Route } from './route.ts';
import { sendEvents } from './server-sent-events.ts';

/** One route, with what its declaration says of it. */
export function addRoute(
  server: FastifyInstance,
  route: Route,
  { app, log, stopping }: { app: App; log: Telemetry['log']; stopping: AbortSignal },
): void {
  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: {
      produces: producedBy(route),
      keepsAnswer: !route.skipsIdempotentReplay,
      permission: permissionOf(route.useCase),
      secrets: route.secrets ?? [],
      takesTokenInQuery: route.takesTokenInQuery ?? false,
      acceptsEmptyBody: !route.body || route.body.safeParse(undefined).success,
    },
    ...(route.bodyLimit ? { bodyLimit: route.bodyLimit } : {}),
    handler: async (request, reply) => {
      const { params, query, body, id, caller } = request;
      if (!caller) throw new Error('a route asks for no credential');
      const untilLeft = () => callerLeft(reply, stopping);
      const lastEventId = request.headers['last-event-id']?.toString();
      const call = { params, query, body, correlationId: id, lastEventId, untilLeft };
      const answer = await route.run(app, { ...call, caller });
      if (answer.configurationVersion !== undefined)
        reply.header('x-config-version', String(answer.configurationVersion));
      reply.code(answer.status ?? route.statuses[0]);
      if (answer.events) {
        const failed = (error: unknown) => log.error({ error, correlation_id: id }, 'failed while streaming');
        return sendEvents(reply, answer.events, { correlationId: id, failed });
      }
      if (answer.json !== undefined) return reply.type('application/json; charset=utf-8').send(answer.json);
      if (!answer.lines) return answer.body;
      const lines = await toJsonLines(answer.lines);
      // The head is sent by then: the connection breaks, which the caller sees, and only the log can say why.
      lines.on('error', (error) => log.error({ error, correlation_id: id }, 'failed while streaming'));
      return reply.type('application/x-ndjson').send(lines);
    },
  });
}

/** Lines of JSON also satisfy callers that accept JSON. */
const producedBy = ({ contentType = 'application/json' }: Route): readonly string[] =>
  contentType === 'application/x-ndjson' ? [contentType, 'application/json'] : [contentType];
