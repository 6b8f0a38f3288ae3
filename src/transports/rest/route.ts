import { z } from 'zod';
import type { App } from '../../app.ts';
import { invalidInputError, type ErrorCode } from '../../domain/errors.ts';
import type { UseCase } from '../../app/permissions.ts';
import type { Access, Admin } from '../../domain/tenancy/access.ts';
import type { AuthenticatedCaller } from '../../domain/tenancy/authenticate.ts';
import type { ServerSentEvent } from './server-sent-events.ts';
import { validate } from '../http/validate.ts';

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

/** A request to an agent's route. */
export interface RouteCall<P, Q, B> extends Request<P, Q, B> {
  readonly access: Access;
}

/** A request to an administrator's route. */
export interface AdminRouteCall<P, Q, B> extends Request<P, Q, B> {
  readonly admin: Admin;
}

/** The form of a route's answer: a record, a JSON document, JSON Lines, or server-sent events. */
export interface RouteAnswer<R> {
  readonly body?: R;
  readonly json?: Buffer;
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
  /** Its name in generated clients. */
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
  /** Its answer is not kept for repetitions. */
  readonly tellsMemories?: boolean;
  /** Members of its answer that are told once: a repetition has null there. */
  readonly secrets?: readonly string[];
}

export interface Route extends RouteDocument {
  /** Whether administrators call it, or agents and browsers. */
  readonly isForAdministrators: boolean;
  run(
    app: App,
    request: Request<unknown, unknown, unknown> & { readonly caller: AuthenticatedCaller },
  ): Promise<RouteAnswer<unknown>>;
}

const nothing = z.strictObject({});
type Nothing = typeof nothing;

type RouteDeclaration = Omit<RouteDocument, 'params' | 'query' | 'body' | 'answer'>;
interface Schemas<P, Q, B, R> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly answer: R;
}

/** An agent's route, declared once: what validates it also documents it. */
export function defineRoute<
  R extends z.ZodType,
  P extends z.ZodObject = Nothing,
  Q extends z.ZodObject = Nothing,
  B extends z.ZodType = z.ZodUndefined,
>(
  declared: RouteDeclaration &
    Schemas<P, Q, B, R> & {
      handle(app: App, call: RouteCall<z.output<P>, z.output<Q>, z.output<B>>): Promise<RouteAnswer<z.input<R>>>;
    },
): Route {
  const { handle, ...told } = declared;
  const schemas = schemasOf(declared);
  return {
    ...told,
    ...schemas,
    isForAdministrators: false,
    run: (app, { caller, ...request }) => {
      if (caller.kind === 'admin') throw new Error('an agent’s route is mounted for others');
      return handle(app, { ...request, access: caller.access, ...validated(schemas, request) });
    },
  };
}

/** A route of administrators, declared in the same way. */
export function defineAdminRoute<
  R extends z.ZodType,
  P extends z.ZodObject = Nothing,
  Q extends z.ZodObject = Nothing,
  B extends z.ZodType = z.ZodUndefined,
>(
  declared: RouteDeclaration &
    Schemas<P, Q, B, R> & {
      handle(app: App, call: AdminRouteCall<z.output<P>, z.output<Q>, z.output<B>>): Promise<RouteAnswer<z.input<R>>>;
    },
): Route {
  const { handle, ...told } = declared;
  const schemas = schemasOf(declared);
  return {
    ...told,
    ...schemas,
    isForAdministrators: true,
    run: (app, { caller, ...request }) => {
      if (caller.kind !== 'admin') throw new Error('an administrator’s route is mounted for others');
      return handle(app, { ...request, admin: caller.admin, ...validated(schemas, request) });
    },
  };
}

/** A part that is not declared takes nothing. */
const schemasOf = <P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>({
  params = nothing as unknown as P,
  query = nothing as unknown as Q,
  body,
}: Omit<Schemas<P, Q, B, unknown>, 'answer'>) => ({ params, query, body });

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
