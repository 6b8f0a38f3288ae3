import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Histogram } from 'prom-client';
import { latencyBuckets, getOrCreateMetric, type Telemetry } from '../../telemetry.ts';

/** Answered every few seconds by whoever watches the process: of no interest unless it fails. */
export const probePaths: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);

/** One line and one observation a request: the route's pattern, never the URL, which holds ids and queries. */
export function logRequests(server: FastifyInstance, { log, registry }: Telemetry): void {
  // All servers of a process observe in one, such as that of `METRICS_PORT`.
  const seconds = getOrCreateMetric(registry, Histogram, {
    name: 'presage_http_seconds',
    help: 'From the head of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: latencyBuckets,
  });
  server.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    const route = routeUrlOf(request);
    const status = reply.statusCode;
    seconds.observe({ method, route, status }, reply.elapsedTime / 1000);
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const line = { method, route, status, ms, correlation_id: request.id, ...instanceOf(request), ...traceOf(request) };
    if (status >= 500) log.error(line, 'request');
    else if (probePaths.has(route)) log.debug(line, 'request');
    else log.info(line, 'request');
  });
  server.addHook('onRequestAbort', async (request) => {
    log.info({ method: request.method, route: routeUrlOf(request), correlation_id: request.id }, 'request aborted');
  });
}

/** The pattern of the route, so that there are few. */
export const routeUrlOf = (request: FastifyRequest): string => request.routeOptions.url ?? 'none';

const traceOf = ({ trace }: FastifyRequest) => (trace?.traceId ? { trace_id: trace.traceId } : {});

const instanceOf = ({ caller }: FastifyRequest) =>
  caller && caller.kind !== 'admin' ? { instance: caller.access.instance } : {};
