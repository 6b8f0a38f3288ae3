import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
  type ExecutionArgs,
  type GraphQLSchema,
} from 'graphql';
import { limits } from '../../domain/limits.ts';
import { queryCostError, queryShapeLimits } from './limits.ts';

/** An operation as it is sent over a stream. */
export interface StreamedRequest {
  readonly query?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
}

const rules = [...specifiedRules, queryShapeLimits];

/** Parses and validates a subscription for the executor, or returns its errors. The limits are those of queries. */
export function prepareSubscription(
  schema: GraphQLSchema,
  { query, variables, operationName }: StreamedRequest,
): Omit<ExecutionArgs, 'contextValue'> | readonly GraphQLError[] {
  if (typeof query !== 'string') return [new GraphQLError('query: must be a string')];
  const document = parsed(query);
  if (document instanceof GraphQLError) return [document];
  const errors = validate(schema, document, rules);
  if (errors.length > 0) return errors;
  const name = typeof operationName === 'string' ? operationName : undefined;
  const operation = getOperationAST(document, name);
  if (!operation) return [new GraphQLError('operationName: the document has no such operation, or several')];
  if (operation.operation !== OperationTypeNode.SUBSCRIPTION) {
    return [new GraphQLError('a stream takes subscriptions only: send queries and mutations to POST /graphql')];
  }
  const variableValues = isRecord(variables) ? variables : {};
  const error = queryCostError(schema, { query: document, variables: variableValues, operationName: name });
  return error ? [error] : { schema, document, variableValues, operationName: name };
}

function parsed(query: string) {
  try {
    return parse(query, { maxTokens: limits.operationTokens.max });
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
