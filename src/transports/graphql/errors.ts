import { GraphQLError, Kind, type GraphQLFormattedError } from 'graphql';
import type { DomainError } from '../../domain/errors.ts';
import { asDomainError, hasHiddenReason, internalMessage, type ProblemCode } from '../http/problem.ts';

/**
 * An error as a caller is told it: ours with their code, GraphQL's own about the request as `invalid_input`, and of any
 * other nothing but that there was one.
 */
export function toGraphqlError(error: unknown, correlationId?: string): GraphQLFormattedError {
  const { message, ...extensions } = describeError(error);
  const { locations, path } = error instanceof GraphQLError ? error.toJSON() : {};
  return {
    message,
    ...(locations ? { locations } : {}),
    ...(path ? { path } : {}),
    extensions: { ...extensions, ...(correlationId ? { correlationId } : {}) },
  };
}

/**
 * Whether an error has a reason to log that its caller is not told; errors that GraphQL finds in a request have none.
 */
export const isToBeLogged = (error: unknown): boolean =>
  hasHiddenReason(originalErrorOf(error)) && !isAboutRequest(error);

/** The error that a resolver threw, under the wrappings of the executor. */
export function originalErrorOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? originalErrorOf(error.originalError) : error;
}

/** The error as a `GraphQLError`, for libraries that take no others. */
export const asGraphqlError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError ? error : new GraphQLError('failed', { originalError: error as Error });

function describeError(error: unknown): { message: string; code: ProblemCode } & Record<string, unknown> {
  const existing = asDomainError(originalErrorOf(error));
  if (existing) {
    const { code, message, fields, details } = toCamelCaseError(existing);
    return { message, code, ...(fields.length > 0 ? { fields } : {}), ...details };
  }
  if (isAboutRequest(error)) return { message: error.message, code: 'invalid_input' };
  return { message: internalMessage, code: 'internal' };
}

/** Apollo's own codes for requests that it does not run. */
const requestCodes = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
]);

/** Whether GraphQL found the document or its variables at fault; such messages quote nothing but the request. */
function isAboutRequest(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false;
  if (requestCodes.has(String(error.extensions['code'])) || error.nodes?.[0]?.kind === Kind.VARIABLE_DEFINITION)
    return true;
  const cause = originalErrorOf(error);
  if (cause !== error) return cause instanceof GraphQLError && cause.message.startsWith('Argument "');
  return error.extensions['code'] !== 'INTERNAL_SERVER_ERROR' && !error.path;
}

/** The domain spells fields as REST does: here `user_id` is `userId`, and the `cursor` of a page is `after`. */
export function toCamelCaseError({ code, message, fields, details }: DomainError) {
  return {
    code,
    message: camelCase(message.replace(/^cursor:/, 'after:')),
    fields: fields.map((each) => ({ field: argumentOf(each.field), message: camelCase(each.message) })),
    details: Object.fromEntries(Object.entries(details).map(([name, value]) => [camelCase(name), value])),
  };
}

const argumentOf = (field: string) => (field === 'cursor' ? 'after' : camelCase(field));

const spelt =
  /\b(?:user|customer|client|document|conversation|entity|memory|ingestion|instance|search|context|max|as|document_created|retry|requests_per|event)_(?:id|type|queries|budget|results|of|at|after|minute|start|end|precision)\b/g;
const camelCase = (text: string) =>
  text.replaceAll(spelt, (name) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
