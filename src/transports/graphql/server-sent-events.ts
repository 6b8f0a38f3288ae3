import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { subscribe, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { createHandler, type ExecutionPatchResult, type OperationArgs } from 'graphql-sse';
import type { Telemetry } from '../../telemetry.ts';
import { logHiddenReason } from './apollo.ts';
import type { GraphqlContext } from './context.ts';
import { asGraphqlError, toGraphqlError } from './errors.ts';
import { callerLeft } from '../http/caller-left.ts';
import { prepareSubscription } from './prepare-subscription.ts';

/** Our context under a name, since the library takes records only. */
type Held = { context: GraphqlContext };
type Result = ExecutionResult | ExecutionPatchResult;

/**
 * Subscriptions as server-sent events, one a request ("distinct connections mode" of the GraphQL over SSE protocol):
 * a caller that holds several opens several requests.
 */
export function streamSubscriptions(
  schema: GraphQLSchema,
  { log }: Pick<Telemetry, 'log'>,
  contextOf: (request: FastifyRequest, ended: AbortSignal) => GraphqlContext,
  stopping: AbortSignal,
): RouteHandlerMethod {
  const logAndFormat = ({ context }: Held, error: unknown) => {
    logHiddenReason(log, error, context.correlationId);
    return toGraphqlError(error, context.correlationId);
  };

  const handle = createHandler<FastifyRequest, Held, Held>({
    authenticate: () => null, // no shared streams: a token in a URL would be a credential in a log
    validate: () => [], // `prepareSubscription` did
    subscribe: async (args: OperationArgs<Held>) => {
      const results = await subscribe({ ...args, contextValue: args.contextValue.context });
      return Symbol.asyncIterator in results ? toTheEnd(results) : results;
    },
    onSubscribe({ context: held }, request) {
      const prepared = prepareSubscription(schema, request);
      if (!('document' in prepared)) return refusal(prepared.map((error) => logAndFormat(held, error)));
      return { ...prepared, contextValue: held };
    },
    async onNext(held, _, result) {
      await held.context.contentReads.save();
      if (!result.errors) return undefined;
      // As JSON, errors are formatted already, where the type of the library wants them as they were thrown.
      return { ...result, errors: result.errors.map((error) => logAndFormat(held, error)) } as unknown as Result;
    },
  });

  return async function stream(this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    const [body, init] = await handle({
      method: request.method,
      url: request.url,
      headers: { get: (name) => (name === 'accept' ? 'text/event-stream' : String(request.headers[name])) },
      body: request.body as Record<string, unknown>,
      raw: request,
      context: { context: contextOf(request, callerLeft(reply, stopping)) },
    });
    reply.code(init.status).headers(init.headers ?? {});
    return reply.send(typeof body === 'string' || body === null ? body : Readable.from(body));
  };
}

const refusal = (errors: readonly unknown[]) =>
  [
    JSON.stringify({ errors }),
    { status: 400, statusText: 'Bad Request', headers: { 'content-type': 'application/json; charset=utf-8' } },
  ] as const;

/** An error in the middle of the stream is its last event, and not a broken connection. */
async function* toTheEnd(results: AsyncIterable<Result>): AsyncGenerator<Result> {
  try {
    yield* results;
  } catch (error) {
    yield { errors: [asGraphqlError(error)] };
  }
}
