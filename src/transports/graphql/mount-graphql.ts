import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { DomainError, invalidInputError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Telemetry } from '../../telemetry.ts';
import { requireCaller } from '../http/authenticate.ts';
import { callerLeft, stoppingOf } from '../http/caller-left.ts';
import { httpStatus } from '../http/problem.ts';
import { setRetryAfter } from '../http/rate-limit.ts';
import { createApollo, logHiddenReason } from './apollo.ts';
import { createContext } from './context.ts';
import { toGraphqlError } from './errors.ts';
import { serveExplorer } from './explorer.ts';
import { createSchema, typeDefs } from './schema.ts';
import { streamSubscriptions } from './server-sent-events.ts';
import { takeUpgrades } from './take-upgrades.ts';
import { createSocketServer } from './web-socket.ts';

const path = '/graphql';
/** A peer that does not answer our closing is left. */
const closingMs = 1_000;

export interface GraphqlParts {
  readonly app: App;
  readonly telemetry: Telemetry;
  /** Leaves out the explorer page. */
  readonly production: boolean;
}

/**
 * `POST /graphql`, subscriptions over WebSocket on the same path and as server-sent events on `/graphql/stream`, the
 * schema on `/graphql/schema`, and a page to try it on `/graphql/explorer`.
 */
export const mountGraphql =
  ({ app, telemetry, production }: GraphqlParts) =>
  async (server: FastifyInstance): Promise<void> => {
    const schema = createSchema();
    const apollo = createApollo(schema, telemetry);
    await apollo.start();
    const sockets = createSocketServer(schema, app, telemetry);
    const stopping = stoppingOf(server);

    const contextOf = (request: FastifyRequest, ended: AbortSignal) => {
      const { caller, reauthenticate, about, id: correlationId } = request;
      if (!caller || !reauthenticate || !about) throw new Error('a GraphQL route asks for no credential');
      return createContext(app, { caller, reauthenticate }, { correlationId, ended, about });
    };

    server.setErrorHandler((error, request, reply) => answerError(telemetry, error, request, reply));
    server.register(async (scope) => {
      scope.addHook('onRequest', requireCaller(app));
      scope.addHook('preHandler', async ({ body }) => checkBody(body));
      scope.post(
        path,
        { bodyLimit: limits.textBody.max, config: { takesSession: true } },
        fastifyApolloHandler(apollo, {
          context: async (request, reply) => contextOf(request, callerLeft(reply, stopping)),
        }),
      );
      scope.post(
        `${path}/stream`,
        { config: { takesSession: true } },
        streamSubscriptions(schema, telemetry, contextOf, stopping),
      );
    });
    server.get(path, async ({ headers }, reply) => {
      if (!production && headers.accept?.includes('text/html')) return reply.redirect(`${path}/explorer`);
      reply.header('allow', 'POST');
      throw new DomainError(
        'method_not_allowed',
        'send queries and mutations by POST, and subscriptions over WebSocket or by POST to /graphql/stream',
      );
    });
    server.get(`${path}/schema`, async (_, reply) => reply.type('application/graphql; charset=utf-8').send(typeDefs));
    if (!production) serveExplorer(server, path, schema);

    takeUpgrades(server.server, path, (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request)),
    );
    server.addHook('preClose', async () => {
      for (const socket of sockets.clients) {
        socket.close(1001, 'Going away');
        setTimeout(() => socket.terminate(), closingMs).unref();
      }
      sockets.close();
    });
    server.addHook('onClose', async () => apollo.stop());
  };

/** Refuses bodies that the libraries behind would refuse in words of their own. */
function checkBody(body: unknown): void {
  if (Array.isArray(body))
    throw new DomainError('invalid_input', 'send one operation a request: batches are not taken');
  const query = typeof body === 'object' && body !== null && 'query' in body ? body.query : undefined;
  if (typeof query !== 'string' || query.trim() === '') throw invalidInputError('query', 'must be a GraphQL document');
}

/** Errors outside of an execution, in the form of those inside. */
function answerError(telemetry: Telemetry, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  logHiddenReason(telemetry.log, error, request.id);
  const formatted = toGraphqlError(error, request.id);
  const code = formatted.extensions?.['code'] as keyof typeof httpStatus;
  if (httpStatus[code] === 401) reply.header('www-authenticate', 'Bearer realm="presage"');
  setRetryAfter(reply, error);
  return reply
    .code(httpStatus[code])
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ errors: [formatted] }));
}
