import { z } from 'zod';
import type { App } from '../../app.ts';
import { invalidInputError, type ErrorCode } from '../../domain/errors.ts';
import type { UseCase } from '../../app/permissions.ts';
import type { Access, Admin } from '../../domain/tenancy/access.ts';
import type { AuthenticatedCaller } from '../../domain/tenancy/authenticate.ts';
import type { ServerSentEvent } from './server-sent-events.ts';
import { validate } from '../http/validate.ts';
import type { Wire } from '../http/wire.ts';

/** One request, validated. */
interface Request<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly correlationId: string;
  /** The id of the event that a reader of events took last. */
  readonly lastEventId?: string | undefined;
  /** Aborted when the caller has left or the service stops: for what makes them wait, since most answers do not. */
  untilLeft(): AbortSignal;
}

/** The form of a route's answer: a record, a JSON document, JSON Lines, or server-sent events. */
export interface RouteAnswer<R> {
  readonly body?: R;
  readonly json?: string;
  readonly lines?: AsyncIterable<unknown>;
  readonly events?: AsyncIterable<ServerSentEvent>;
  /** When it is not the route's first. */
  readonly status?: number;
  /** The configuration that played a part. */
  readonly configurationVersion?: number;
}

/** Describes a route: the source of its OpenAPI entry and its documentation. */
export interface RouteDocument {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/v1/${string}`;
  /** The operation's name in generated client libraries. */
  readonly operation: string;
  readonly group: string;
  readonly summary: string;
  readonly description?: string;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body?: z.ZodType | undefined;
  readonly answer: z.ZodType;
  readonly statuses: readonly [number, ...number[]];
  /** The answers of statuses that answer something else than `answer`. */
  readonly answers?: Readonly<Record<number, z.ZodType>>;
  /** Beside those that every route has. */
  readonly errors: readonly ErrorCode[];
  readonly contentType?: string;
  readonly example?: unknown;
  readonly bodyLimit?: number;
  /** The use case that it stands for: who may call that may call the route. */
  readonly useCase: UseCase;
  /** A browser token may stand in the query, as `access_token`. */
  readonly takesTokenInQuery?: boolean;
  /** A use-case file may be sent alone, instead of within JSON. */
  readonly takesMarkdown?: boolean;
  /** A repetition with the same `Idempotency-Key` is answered anew: a kept answer could show what was deleted since. */
  readonly skipsIdempotentReplay?: boolean;
  /** Members of its answer that are returned once: a repetition has null there. */
  readonly secrets?: readonly string[];
}

export interface Route extends RouteDocument {
  /** Administrators call it, not agents and browsers. */
  readonly isForAdministrators: boolean;
  run(
    app: App,
    request: Request<unknown, unknown, unknown> & { readonly caller: AuthenticatedCaller },
  ): Promise<RouteAnswer<unknown>>;
}

const nothing = z.strictObject({});
export type Nothing = typeof nothing;

/** A route as it is declared. */
export interface Declaration<R, P, Q, B, Caller> extends Omit<
  RouteDocument,
  'params' | 'query' | 'body' | 'answer' | Defaulted
> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly answer: R;
  /** Default: the use case, without the group that it may stand in. */
  readonly operation?: string;
  /** Default: 200. */
  readonly statuses?: RouteDocument['statuses'];
  readonly errors?: RouteDocument['errors'];
  handle(app: App, call: Request<z.output<P>, z.output<Q>, z.output<B>> & Caller): Promise<RouteAnswer<Wire<R>>>;
}
type Defaulted = 'operation' | 'statuses' | 'errors';

/** How the routes of an audience are declared, each once: what validates it also documents it. */
const routeDefiner =
  <Caller>(isForAdministrators: boolean, callerOf: (caller: AuthenticatedCaller) => Caller) =>
  <
    R extends z.ZodType,
    P extends z.ZodObject = Nothing,
    Q extends z.ZodObject = Nothing,
    B extends z.ZodType = z.ZodUndefined,
  >({
    handle,
    params,
    query,
    body,
    ...offered
  }: Declaration<R, P, Q, B, Caller>): Route => {
    // A part that is not declared takes nothing: its type is `Nothing` then, which the compiler cannot tell.
    const schemas = { params: params ?? (nothing as unknown as P), query: query ?? (nothing as unknown as Q), body };
    return {
      operation: offered.useCase.split('.').at(-1)!,
      statuses: [200],
      errors: [],
      ...offered,
      ...schemas,
      isForAdministrators,
      run: (app, { caller, ...request }) =>
        handle(app, { ...request, ...callerOf(caller), ...validated(schemas, request) }),
    };
  };

/** Declares an agent's route. */
export const defineRoute = routeDefiner(false, (caller): { readonly access: Access } => {
  if (caller.kind === 'admin') throw new Error('an agent’s route is mounted for others');
  return { access: caller.access };
});

/** Declares a route of administrators. */
export const defineAdminRoute = routeDefiner(true, (caller): { readonly admin: Admin } => {
  if (caller.kind !== 'admin') throw new Error('an administrator’s route is mounted for others');
  return { admin: caller.admin };
});

function validated<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  { params, query, body }: { params: P; query: Q; body: B | undefined },
  request: Request<unknown, unknown, unknown>,
) {
  return {
    params: validate(params, request.params, 'the path'),
    query: validate(query, givenOnce(request.query), 'the query'),
    body: (body && validate(body, request.body, 'the body')) as z.output<B>,
  };
}

/** A parameter that is repeated would be a list, and which of its values is meant nobody knows. */
function givenOnce(query: unknown): unknown {
  for (const [name, value] of Object.entries(query ?? {}))
    if (Array.isArray(value)) throw invalidInputError(name, 'must be given once');
  return query;
}
