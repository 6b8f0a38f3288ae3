import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { permissionOf } from '../../app/permissions.ts';
import { DomainError } from '../../domain/errors.ts';
import { accessOf, requireInstanceKey } from '../http/authenticate.ts';
import {
  asDomainError,
  hasHiddenReason,
  httpStatus,
  internalMessage,
  problemContentType,
  toProblem,
} from '../http/problem.ts';
import { setRetryAfter } from '../http/rate-limit.ts';
import type { Mount } from '../http/server.ts';
import { callerLeft, stoppingOf } from '../http/caller-left.ts';
import type { Telemetry } from '../../telemetry.ts';
import { compactionRoutes } from './compactions.ts';
import { contextRoutes } from './context.ts';
import { conversationRoutes } from './conversations.ts';
import { deletions } from './deletions.ts';
import { acceptForms } from './forms.ts';
import { identityRoutes } from './identity.ts';
import { memoryRoutes } from './memories.ts';
import { profileRoutes } from './profile.ts';
import type { CompatRoute } from './route.ts';
import type { TurnDeduplicator } from './turn-deduplicator.ts';
import { TranscriptConflict, transcriptRoutes, type ParseTranscript } from './transcripts.ts';

export interface CompatDependencies {
  readonly app: App;
  readonly telemetry: Pick<Telemetry, 'log'>;
  readonly turns: TurnDeduplicator;
  readonly parseTranscript: ParseTranscript;
}

/** The routes of the Python client library `maximem-synap`, which runs unmodified: see docs/compatibility.md. */
export function mountCompat({ app, telemetry, turns, parseTranscript }: CompatDependencies): Mount {
  return (scope) => {
    const stopping = stoppingOf(scope);
    acceptForms(scope);
    answerErrors(scope, telemetry);
    scope.addHook('onRequest', requireInstanceKey(app));
    scope.addHook('onSend', async (_, reply) => {
      reply.header('x-synap-server-ms', Math.round(reply.elapsedTime));
    });
    const routes = [
      ...identityRoutes,
      ...memoryRoutes,
      ...contextRoutes,
      ...conversationRoutes(turns),
      ...compactionRoutes,
      ...deletions,
      ...transcriptRoutes(parseTranscript),
      ...profileRoutes,
    ];
    for (const route of routes) addCompatRoute(scope, app, { route, stopping });
  };
}

function addCompatRoute(
  scope: FastifyInstance,
  app: App,
  { route, stopping }: { route: CompatRoute; stopping: AbortSignal },
): void {
  scope.route({
    method: route.method,
    url: route.url,
    config: {
      permission: route.isUnmetered
        ? { ...permissionOf(route.useCase), isUnmetered: true }
        : permissionOf(route.useCase),
      isRepeatedByCorrelationId: route.isRepeatable ?? false,
      keepsAnswer: route.isRepeatable ?? false,
      takesForms: route.takesForms ?? false,
    },
    ...(route.bodyLimit ? { bodyLimit: route.bodyLimit } : {}),
    handler: async (request, reply) => {
      const { query, body } = request;
      const params = request.params as Record<string, string>;
      const access = accessOf(request);
      return route.handle(app, { access, params, query, body, left: callerLeft(reply, stopping) });
    },
  });
}

/** A problem as ours, with the names that the library and its documentation know beside. */
function answerErrors(scope: FastifyInstance, { log }: Pick<Telemetry, 'log'>): void {
  scope.setErrorHandler((error, request, reply) => {
    if (error instanceof TranscriptConflict) return reply.code(409).send({ ...error.body, correlation_id: request.id });
    const told = toLibraryError(asDomainError(error));
    if (hasHiddenReason(error))
      log.error({ error, route: request.routeOptions.url, correlation_id: request.id }, 'failed');
    const problem = toProblem(told ?? error, request.id);
    setRetryAfter(reply, told);
    const status = told ? httpStatus[told.code] : 500;
    const detail = told?.message ?? internalMessage;
    reply.code(status).type(problemContentType);
    return reply.send(JSON.stringify({ ...problem, detail, error: detail }));
  });
}

/** The library takes a 403 for a fault of the transport: a key of a suspended instance is refused. */
function toLibraryError(error: DomainError | undefined): DomainError | undefined {
  return error?.code === 'forbidden' ? new DomainError('unauthenticated', error.message) : error;
}
