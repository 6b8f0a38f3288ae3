import type { FastifyInstance, FastifyRequest } from 'fastify';
import { traceServedCall, type ServedCall } from '../../tracing.ts';
import { probePaths, routeUrlOf } from './log-requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's span; undefined for probes, and when nothing is traced. */
    trace: ServedCall | undefined;
  }
}

/**
 * A span for each request, in the trace that its `traceparent` names. It is named by the route's pattern and holds neither
 * URL nor address: both tell of whom a request is.
 */
export function traceRequests(server: FastifyInstance): void {
  server.decorateRequest('trace', undefined);
  server.addHook('onRequest', async (request) => {
    if (!probePaths.has(routeUrlOf(request))) request.trace = traceServedCall(request.method, request.headers);
  });
  // As late as can be: what runs once a body was read does not belong to what ran before it.
  server.addHook('preHandler', ({ trace }, _reply, done) => (trace ? trace.run(done) : done()));
  server.addHook('onResponse', async (request, { statusCode: status }) => {
    end(request, { 'http.response.status_code': status }, status >= 500 ? String(status) : undefined);
  });
  server.addHook('onRequestAbort', async (request) => end(request, {}, 'aborted'));
}

function end(request: FastifyRequest, more: Record<string, number>, error?: string): void {
  const { trace, method } = request;
  const route = routeUrlOf(request);
  const about = request.caller?.kind === 'admin' ? request.about?.instance : request.caller?.access.instance;
  trace?.ended(
    `${method} ${route}`,
    {
      'http.request.method': method,
      'http.route': route,
      'presage.correlation_id': request.id,
      ...(about ? { 'gen_ai.memory.store.id': about } : {}),
      ...more,
    },
    error,
  );
}
