import { ApolloServer, HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { GraphQLError, Kind, OperationTypeNode, type GraphQLSchema } from 'graphql';
import { limits } from '../../domain/limits.ts';
import type { Telemetry } from '../../telemetry.ts';
import { annotateSpan } from '../../tracing.ts';
import type { GraphqlContext } from './context.ts';
import { isToBeLogged, originalErrorOf, toGraphqlError } from './errors.ts';
import { queryCostError, queryShapeLimits } from './limits.ts';

/** The server of queries and mutations. It sends nothing to anybody but its callers, whatever the environment holds. */
export const createApollo = (schema: GraphQLSchema, { log }: Pick<Telemetry, 'log'>) =>
  new ApolloServer<GraphqlContext>({
    schema,
    nodeEnv: 'production',
    introspection: true,
    includeStacktraceInErrorResponses: false,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: limits.operationTokens.max },
    validationRules: [queryShapeLimits],
    formatError: (_, error) => toGraphqlError(error),
    // Its lines quote requests; what matters is logged below.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      guardCost,
      auditContent,
      tellErrors(log),
      measureOperations,
    ],
  });

/** Refuses with a content type of its own, so that callers learn why that accept nothing but an event stream. */
const refused = (message: string) => {
  const headers = new HeaderMap([['content-type', 'application/json; charset=utf-8']]);
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', http: { status: 400, headers } } });
};

/** Refuses, before anything runs, what costs too much or has to be sent elsewhere. */
const guardCost: ApolloServerPlugin<GraphqlContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ schema, document, operation, operationName, request }) {
        if (operation?.operation === OperationTypeNode.SUBSCRIPTION) {
          throw refused(
            'send a subscription over WebSocket to /graphql, in the protocol graphql-transport-ws, or by POST to ' +
              '/graphql/stream, which answers with server-sent events',
          );
        }
        const error = queryCostError(schema, { query: document, variables: request.variables, operationName });
        if (error) throw refused(error.message);
      },
    };
  },
};

/** Measures an operation under the name that its caller gave it; an invalid operation is not measured. */
const measureOperations: ApolloServerPlugin<GraphqlContext> = {
  async requestDidStart() {
    const began = performance.now();
    return {
      async didResolveOperation({ operation }) {
        annotateSpan({ 'graphql.operation.type': operation?.operation }); // its name is its caller's words
      },
      async willSendResponse({ operation, operationName, errors, contextValue }) {
        const ms = performance.now() - began;
        const [access] = await contextValue.opened();
        if (operation && access)
          contextValue.app.measureOperation(access, { name: operationName ?? null, ms, isError: errors !== undefined });
      },
    };
  },
};

/** Audits reads of content before they are shown: a read that cannot be audited is refused. */
const auditContent: ApolloServerPlugin<GraphqlContext> = {
  async requestDidStart() {
    return { willSendResponse: ({ contextValue }) => contextValue.contentReads.save() };
  },
};

/** Logs reasons that callers are not told, and puts the correlation id beside every error. */
const tellErrors = (log: Telemetry['log']): ApolloServerPlugin<GraphqlContext> => ({
  async requestDidStart() {
    return {
      async didEncounterErrors({ errors, contextValue }) {
        for (const error of errors) logHiddenReason(log, error, contextValue.correlationId);
      },
      async willSendResponse({ response, contextValue: { correlationId } }) {
        if (response.body.kind !== 'single') return;
        const { singleResult } = response.body;
        if (!singleResult.errors) return;
        singleResult.errors = singleResult.errors.map((error) => ({
          ...error,
          extensions: { ...error.extensions, correlationId },
        }));
      },
    };
  },
  async unexpectedErrorProcessingRequest({ error }) {
    log.error({ error, route: '/graphql' }, 'failed');
  },
});

/** One line for an error whose reason its caller is not told; nothing for others. */
export function logHiddenReason(log: Telemetry['log'], error: unknown, correlationId: string): void {
  if (!isToBeLogged(error)) return;
  // The field is named as in the schema: a path holds the caller's own aliases.
  const nodes = error instanceof GraphQLError ? error.nodes : undefined;
  const field = nodes?.find((node) => node.kind === Kind.FIELD)?.name.value;
  const original = originalErrorOf(error);
  log.error({ error: original, route: '/graphql', field, correlation_id: correlationId }, 'failed');
}
