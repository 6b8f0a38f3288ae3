import type { Server as TlsServer } from 'node:tls';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { DomainError, notFoundError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Idempotency } from '../../domain/tenancy/idempotency.ts';
import type { Telemetry } from '../../telemetry.ts';
import { handshakeTimeoutMs, tlsOptions, type Certificate } from '../certificate.ts';
import { addServiceIndex } from './service-index.ts';
import { acceptJson } from './accept-json.ts';
import { allowOrigins } from './allow-origins.ts';
import { closeInTime } from './close-in-time.ts';
import { correlationHeader, correlationIdOf } from './correlation.ts';
import type { LargeBodyLimits } from './large-body-limiter.ts';
import { logRequests, routeUrlOf } from './log-requests.ts';
import { refuseUnacceptable } from './negotiate.ts';
import { addProbes } from './probes.ts';
import { hasHiddenReason, problemContentType, toProblem } from './problem.ts';
import { setRetryAfter } from './rate-limit.ts';
import { smallBodyBytes } from './read-json.ts';
import { recordKnownPaths, refuseOtherMethods } from './other-methods.ts';
import { refuseMalformed } from './refuse-malformed.ts';
import { replayPosts } from './replay-posts.ts';
import { traceRequests } from './trace-requests.ts';

/** Adds the routes of one transport, in a scope of its own: its hooks reach no other's routes. */
export type Mount = (server: FastifyInstance) => void | Promise<void>;

export interface HttpServerParts {
  readonly app: App;
  readonly telemetry: Telemetry;
  readonly idempotency: Idempotency;
  readonly mount: readonly Mount[];
  /** Pages of these origins may read what we answer to their browsers; none unless named. */
  readonly origins?: readonly string[] | undefined;
  /** A proxy stands before this server: whom it answers is who asks, by the last address of `X-Forwarded-For`. */
  readonly isBehindProxy?: boolean;
  /** The certificate for TLS; without one, the server speaks plain text. */
  readonly tls?: Certificate | undefined;
  readonly timeouts?: Partial<ConnectionTimeouts> | undefined;
  readonly largeBodies?: Partial<LargeBodyLimits> | undefined;
}

/** How long a peer may take, in milliseconds, before it is told 408 and left: a slow one holds a connection no longer. */
export interface ConnectionTimeouts {
  /** From the connection, or the last answer on it, to the end of a request's head. */
  readonly head: number;
  /** From the connection to the end of a request's body. */
  readonly request: number;
  /** How often that is looked at. */
  readonly look: number;
  /** Once the server closes, to the end of what is under way. */
  readonly close: number;
}
const defaultTimeouts: ConnectionTimeouts = { head: 15_000, request: 120_000, look: 2_000, close: 4_000 };

/** Callers keep connections for five minutes, and must not use one that we close at that moment. */
const keptAliveMs = 310_000;
const maxUrlLength = limits.url.max;
/** 256 characters of an id, each up to twelve in percent escapes. */
const maxParamLength = 4_096;
/** The rest of a refused body is read up to this many bytes, so that its sender sees the answer and not a reset. */
const maxDrained = 64 << 20;

/** Trusts the proxy that connects to us and none before it: anybody may write the addresses in front of it. */
const isNearestProxy = (_address: string, hop: number) => hop === 0;

/** One HTTP server for all that is mounted: correlation, errors, probes, logs and idempotency are the same for each. */
export function createHttpServer(parts: HttpServerParts): FastifyInstance {
  const { app, telemetry, idempotency, mount, tls } = parts;
  const timeouts = { ...defaultTimeouts, ...parts.timeouts };
  const answerError = errorAnswerer(telemetry);
  const server = fastify({
    logger: false, // its lines hold URLs; ours do not
    requestIdHeader: false,
    trustProxy: parts.isBehindProxy ? isNearestProxy : false,
    genReqId: correlationIdOf,
    bodyLimit: smallBodyBytes, // unless a route says otherwise
    requestTimeout: timeouts.request,
    ...listening(timeouts, tls),
    keepAliveTimeout: keptAliveMs,
    return503OnClosing: false, // a request that came in time is served, and told that the connection ends
    routerOptions: { maxParamLength },
    clientErrorHandler: refuseMalformed(telemetry),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  });
  // With a certificate the server is made as one with TLS, see `listening`; the types of both are that of the plain one.
  tls?.onRenewal?.((renewed) => (server.server as unknown as TlsServer).setSecureContext(tlsOptions(renewed)));

  server.decorateRequest('caller', undefined);
  server.decorateRequest('reauthenticate', undefined);
  server.decorateRequest('about', undefined);
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
  if (parts.origins?.length) allowOrigins(server, parts.origins);
  server.setErrorHandler(answerError);
  server.setNotFoundHandler((request, reply) => answerError(notFoundError('route: see /docs'), request, reply));
  const paths = recordKnownPaths(server);
  refuseUnacceptable(server);
  acceptJson(server, parts.largeBodies);
  if (telemetry.isTraced) traceRequests(server);
  logRequests(server, telemetry);
  replayPosts(server, idempotency, telemetry);
  addProbes(server, app);
  addServiceIndex(server);
  closeInTime(server, { graceMs: timeouts.close, isTls: tls !== undefined });
  for (const add of mount) void server.register(async (scope) => add(scope));
  void server.register(async (scope) => refuseOtherMethods(scope, paths));
  return server;
}

/** Makes the handler that answers any error with its problem, and logs the reason of those that tell it to nobody. */
function errorAnswerer({ log }: Pick<Telemetry, 'log'>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const problem = toProblem(error, request.id);
    if (hasHiddenReason(error)) {
      log.error({ error, route: routeUrlOf(request), correlation_id: request.id }, 'failed');
    }
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer realm="presage"');
    setRetryAfter(reply, error);
    // The framework closes after each unreadable body; we may keep the connection, having read all of it or being about to.
    if (Number(request.headers['content-length'] ?? Infinity) <= maxDrained) reply.removeHeader('connection');
    reply.header(correlationHeader, request.id).code(problem.status).type(problemContentType);
    return reply.send(JSON.stringify(problem));
  };
}

/** Options of Node's server; Fastify makes a plain one or one with TLS by the name of these options. */
function listening({ head, request, look }: ConnectionTimeouts, tls: Certificate | undefined) {
  const options = { headersTimeout: head, requestTimeout: request, connectionsCheckingInterval: look };
  if (!tls) return { http: options };
  // Typed as the plain one: otherwise every route would be generic in the kind of its server.
  return { https: { ...options, ...tlsOptions(tls), handshakeTimeout: handshakeTimeoutMs } } as unknown as {
    http: typeof options;
  };
}
