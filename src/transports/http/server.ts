import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { Idempotency } from '../../domain/tenancy/idempotency.ts';
import type { Telemetry } from '../../telemetry.ts';
import { correlationHeader, correlationIdOf } from './correlation.ts';
import { logRequests, routeOf } from './log-requests.ts';
import { addProbes } from './probes.ts';
import { asDomainError, problemType, toProblem } from './problem.ts';
import { readJson } from './read-json.ts';
import { refuseMalformed } from './refuse-malformed.ts';
import { replayPosts } from './replay-posts.ts';

/** Adds the routes of one transport, in a scope of its own: its hooks reach no other's routes. */
export type Mount = (server: FastifyInstance) => void | Promise<void>;

export interface HttpServerParts {
  readonly app: App;
  readonly telemetry: Telemetry;
  readonly idempotency: Idempotency;
  readonly mount: readonly Mount[];
}

/** 1 MiB unless a route says otherwise. */
const bodyLimit = 1 << 20;
const maxUrlLength = 8_000;
/** 256 characters of an id, each up to twelve in percent escapes. */
const maxParamLength = 4_096;
/** What is left of a refused body is read up to here, so that its sender sees the answer and not a reset. */
const maxDrained = 64 << 20;

/** One HTTP server for all that is mounted: correlation, errors, probes, logs and idempotency are the same for each. */
export function createHttpServer({ app, telemetry, idempotency, mount }: HttpServerParts): FastifyInstance {
  const server = fastify({
    logger: false, // its lines hold URLs; ours do not
    requestIdHeader: false,
    genReqId: correlationIdOf,
    bodyLimit,
    requestTimeout: 120_000,
    return503OnClosing: false, // a request that came in time is served, and told that the connection ends
    routerOptions: { maxParamLength },
    clientErrorHandler: refuseMalformed(telemetry),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  });
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const problem = toProblem(error, request.id);
    if (!asDomainError(error)) {
      telemetry.log.error({ error, route: routeOf(request), correlation_id: request.id }, 'failed');
    }
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer realm="presage"');
    // The framework closes after each unreadable body; we may keep the connection, having read all of it or being about to.
    if (Number(request.headers['content-length'] ?? Infinity) <= maxDrained) reply.removeHeader('connection');
    reply.header(correlationHeader, request.id).code(problem.status).type(problemType);
    return reply.send(JSON.stringify(problem));
  };

  server.decorateRequest('caller', undefined);
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({
      [correlationHeader]: request.id,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    if (request.raw.url && request.raw.url.length > maxUrlLength) {
      throw new DomainError('invalid_input', `the URL is too long: at most ${maxUrlLength} characters`);
    }
  });
  server.setErrorHandler(answerError);
  server.setNotFoundHandler((request, reply) => answerError(notFound('route'), request, reply));
  acceptJson(server);
  logRequests(server, telemetry);
  replayPosts(server, idempotency, telemetry);
  addProbes(server, app, telemetry);
  for (const add of mount) void server.register(async (scope) => add(scope));
  return server;
}

function acceptJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i;
  server.addContentTypeParser<Buffer>(isJson, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    // Many clients name a type on every request, also on a DELETE without a body.
    return bytes.length === 0 && request.method !== 'POST' ? undefined : readJson(bytes);
  });
}
