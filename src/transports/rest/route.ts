import { z } from 'zod';
import type { App } from '../../app.ts';
import { invalid, type ErrorCode } from '../../domain/errors.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import { validate } from './validate.ts';

/** One request, validated. */
export interface Call<P, Q, B> {
  readonly access: Access;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly correlationId: string;
  /** Aborted when the caller has left or the service stops. */
  readonly signal: AbortSignal;
}

/** What a route answers: a record, or JSON values a line. */
export interface Answer<R> {
  readonly body?: R;
  readonly lines?: AsyncIterable<unknown>;
  /** When it is not the route's first. */
  readonly status?: number;
  /** The configuration that played a part. */
  readonly configurationVersion?: number;
}

/** What is told of a route: the source of its OpenAPI entry and its documentation. */
export interface RouteDocument {
  readonly method: 'GET' | 'POST' | 'DELETE';
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
  /** Beside those that every route has. */
  readonly errors: readonly ErrorCode[];
  readonly contentType?: string;
  readonly example?: unknown;
  readonly bodyLimit?: number;
  /** It is polled, and takes nothing of the key's rate. */
  readonly isPolled?: boolean;
  /** Its answer is not kept for repetitions. */
  readonly tellsMemories?: boolean;
}

export interface Route extends RouteDocument {
  run(app: App, request: Call<unknown, unknown, unknown>): Promise<Answer<unknown>>;
}

const nothing = z.strictObject({});
type Nothing = typeof nothing;

/** A route, declared once: what validates it also documents it. */
export function route<
  R extends z.ZodType,
  P extends z.ZodObject = Nothing,
  Q extends z.ZodObject = Nothing,
  B extends z.ZodType = z.ZodUndefined,
>(
  declared: Omit<RouteDocument, 'params' | 'query' | 'body' | 'answer'> & {
    readonly params?: P;
    readonly query?: Q;
    readonly body?: B;
    readonly answer: R;
    handle(app: App, call: Call<z.output<P>, z.output<Q>, z.output<B>>): Promise<Answer<z.input<R>>>;
  },
): Route {
  const { handle, params = nothing, query = nothing, body, ...told } = declared;
  return {
    ...told,
    params,
    query,
    body,
    run: (app, request) =>
      handle(app, {
        ...request,
        params: validate(params, request.params, 'the path') as z.output<P>,
        query: validate(query, givenOnce(request.query), 'the query') as z.output<Q>,
        body: (body && validate(body, request.body, 'the body')) as z.output<B>,
      }),
  };
}

/** A parameter that is repeated would be a list, and which of its values is meant nobody knows. */
function givenOnce(query: unknown): unknown {
  for (const [name, value] of Object.entries(query ?? {}))
    if (Array.isArray(value)) throw invalid(name, 'must be given once');
  return query;
}
