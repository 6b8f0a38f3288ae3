import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ExecutionArgs, FormattedExecutionResult, GraphQLSchema } from 'graphql';
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, makeServer, type Context, type Server } from 'graphql-ws';
import { WebSocketServer, type WebSocket } from 'ws';
import type { App } from '../../app.ts';
import { DomainError, hasErrorCode } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Telemetry } from '../../telemetry.ts';
import { traceServedCall, type ServedCall } from '../../tracing.ts';
import { correlationIdOf } from '../http/correlation.ts';
import { logHiddenReason } from './apollo.ts';
import { createContext, type GraphqlContext } from './context.ts';
import { asGraphqlError, originalErrorOf, toGraphqlError } from './errors.ts';
import { prepareSubscription } from './prepare-subscription.ts';
import { attachSocket } from './attach-socket.ts';
import { subscribeInSpan } from './trace-subscription.ts';

const maxSubscriptions = limits.subscriptions.max;

/** State of a connection, from its first request on. */
interface Connection extends Record<PropertyKey, unknown> {
  readonly socket: WebSocket;
  readonly correlationId: string;
  /** The headers of the request that opened it. */
  readonly headers: IncomingHttpHeaders;
  readonly ended: AbortSignal;
  /** By subscription id, functions that end its count as open and its span. */
  readonly open: Map<string, () => void>;
}
type Parameters = Readonly<Partial<Record<'authorization' | 'Authorization' | 'traceparent', unknown>>>;
type Socket = Context<Parameters, Connection>;
/** The arguments that a subscription is executed with, once its caller was admitted. */
type AdmittedSubscription = ExecutionArgs & { readonly contextValue: GraphqlContext; readonly trace: ServedCall };

/**
 * Subscriptions over WebSocket, in the protocol `graphql-transport-ws`. The credential is `authorization` in the
 * payload of `connection_init`, or the header of that name; it is checked anew for each subscription. So is the caller's
 * `traceparent`, unless the subscription names its own in its `extensions`.
 */
export function createSocketServer(schema: GraphQLSchema, app: App, { log }: Pick<Telemetry, 'log'>): WebSocketServer {
  const logAndFormat = ({ extra }: Socket, error: unknown) => {
    logHiddenReason(log, error, extra.correlationId);
    return toGraphqlError(error, extra.correlationId);
  };

  const subscriptions = makeServer<Parameters, Connection>({
    async onConnect(socket) {
      try {
        await app.authenticate(authorizationOf(socket));
        return true;
      } catch (error) {
        logHiddenReason(log, error, socket.extra.correlationId);
        if (isUnauthenticated(error)) socket.extra.socket.close(CloseCode.Unauthorized, 'Unauthorized');
        return false;
      }
    },
    async onSubscribe(socket, id, request) {
      const trace = traceServedCall('subscription', { traceparent: traceparentOf(socket, request.extensions) });
      const attributes = { ...traced, 'presage.correlation_id': socket.extra.correlationId };
      try {
        if (Object.keys(socket.subscriptions).length > maxSubscriptions) {
          throw new DomainError('rate_limited', `a connection holds at most ${maxSubscriptions} subscriptions`);
        }
        const authorization = authorizationOf(socket);
        const reauthenticate = () => app.authenticate(authorization);
        const caller = await reauthenticate();
        if (caller.kind === 'admin') app.countAdminCall(caller.admin);
        else {
          app.spend(caller.access);
          app.countCall(caller.access);
        }
        const prepared = prepareSubscription(schema, request);
        if (!('document' in prepared)) {
          trace.ended('subscription', attributes);
          return prepared;
        }
        const instance = caller.kind === 'admin' ? undefined : caller.access.instance;
        const end = caller.kind === 'admin' ? undefined : app.begin(caller.access);
        socket.extra.open.set(id, () => {
          end?.();
          trace.ended('subscription', { ...attributes, ...(instance ? { 'gen_ai.memory.store.id': instance } : {}) });
        });
        const about = { instance };
        const contextValue = createContext(app, { caller, reauthenticate }, { ...socket.extra, about });
        return { ...prepared, contextValue, trace } satisfies AdmittedSubscription;
      } catch (error) {
        trace.ended('subscription', attributes);
        return [asGraphqlError(error)];
      }
    },
    subscribe: (args) => subscribeInSpan((args as AdmittedSubscription).trace, args),
    onComplete: leave,
    async onNext(socket, _id, _request, { contextValue }, result) {
      await (contextValue as GraphqlContext).contentReads.save();
      const errors = result.errors?.map((error) => logAndFormat(socket, error));
      return { ...result, ...(errors ? { errors } : {}) } as FormattedExecutionResult;
    },
    onError(socket, id, _request, errors) {
      leave(socket, id);
      // After what is being sent: the credential is invalid.
      if (errors.some(isUnauthenticated))
        setImmediate(() => socket.extra.socket.close(CloseCode.Unauthorized, 'Unauthorized'));
      return errors.map((error) => logAndFormat(socket, error));
    },
  });
  return acceptSockets(subscriptions, log);
}

/** Takes connections for these subscriptions; what a connection has open ends with it. */
function acceptSockets(subscriptions: Server<Connection>, log: Telemetry['log']): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.subscriptionBytes.max,
    handleProtocols: (offered) => offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL,
  });
  server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    const correlationId = correlationIdOf(request);
    const { headers } = request;
    const disconnected = new AbortController();
    const open = new Map<string, () => void>();
    attachSocket(
      subscriptions,
      socket,
      { socket, correlationId, headers, ended: disconnected.signal, open },
      (error) => {
        disconnected.abort();
        for (const end of open.values()) end();
        open.clear();
        if (error) logHiddenReason(log, error, correlationId);
      },
    );
  });
  return server;
}

/** A subscription is open no longer: it is counted no more, and its span ends. */
function leave({ extra: { open } }: Socket, id: string): void {
  open.get(id)?.();
  open.delete(id);
}

function authorizationOf({ connectionParams, extra }: Socket): string | undefined {
  const input = connectionParams?.authorization ?? connectionParams?.Authorization;
  return typeof input === 'string' ? input : extra.headers.authorization;
}

const traced = { 'graphql.operation.type': 'subscription' };

function traceparentOf({ connectionParams, extra }: Socket, extensions?: Readonly<Record<string, unknown>> | null) {
  const named = [extensions?.['traceparent'], connectionParams?.traceparent, extra.headers['traceparent']];
  return named.find((each) => typeof each === 'string');
}

function isUnauthenticated(error: unknown): boolean {
  const cause = originalErrorOf(error);
  return hasErrorCode(cause, 'unauthenticated', 'token_expired');
}
