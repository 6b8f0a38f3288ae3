import type { FastifyError } from 'fastify';
import { DomainError, type ErrorCode, type FieldError } from '../../domain/errors.ts';

/** A code as the wire has it: those of the domain, and one for all that nobody foresaw. */
export type ProblemCode = ErrorCode | 'internal';

export const httpStatus: Record<ProblemCode, number> = {
  invalid_input: 400,
  unauthenticated: 401,
  token_expired: 401,
  forbidden: 403,
  not_found: 404,
  context_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  duplicate_document: 409,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

const titles: Record<ProblemCode, string> = {
  invalid_input: 'The request is not valid',
  unauthenticated: 'A valid credential is needed',
  token_expired: 'This token has expired',
  forbidden: 'This credential may not do that',
  not_found: 'Not found',
  context_not_found: 'No such conversation',
  method_not_allowed: 'Method not allowed',
  not_acceptable: 'Not acceptable',
  duplicate_document: 'This document was submitted before',
  conflict: 'The request conflicts with the present state',
  payload_too_large: 'The request is too large',
  unsupported_media_type: 'Unsupported media type',
  misdirected: 'This instance is in another region',
  rate_limited: 'Too many requests',
  internal: 'Internal error',
  unavailable: 'Temporarily unavailable',
};

/** RFC 9457. What a caller needs to go on, such as `ingestion_id`, stands beside these members. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];
  readonly correlation_id: string;
}

export const problemContentType = 'application/problem+json; charset=utf-8';

/** The message for unforeseen errors, which says nothing about them. */
export const internalMessage = 'Something went wrong here. Quote the correlation id to have it looked up.';

/** The answer to an error; one that nobody foresaw says nothing of the inside. */
export function toProblem(error: unknown, correlationId: string): Problem {
  const existing = asDomainError(error);
  if (!existing) return problem('internal', internalMessage, correlationId);
  return { ...existing.details, ...problem(existing.code, existing.message, correlationId, existing.fields) };
}

function problem(
  code: ProblemCode,
  detail: string,
  correlationId: string,
  errors: readonly FieldError[] = [],
): Problem {
  const type = `urn:presage:problem:${code}`;
  return { type, title: titles[code], status: httpStatus[code], detail, code, errors, correlation_id: correlationId };
}

/** Reworded refusals of the framework before a route is reached: its own messages may quote the request. */
const ofFramework: Record<string, [ErrorCode, string]> = {
  FST_ERR_BAD_URL: ['invalid_input', 'the path of the URL is not valid: check its percent escapes'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'the body is larger than this route takes'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'send JSON, with Content-Type: application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_input', 'the body is not as long as its Content-Length says'],
};

/** Whether an error has a reason for the log that its caller is not told: nobody foresaw it, or something is away. */
export function hasHiddenReason(error: unknown): boolean {
  const existing = asDomainError(error);
  return !existing || (existing.code === 'unavailable' && existing.cause !== undefined);
}

/** The error that the caller sees, or undefined when it is an unforeseen one. */
export function asDomainError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  const { code, statusCode } = error as Partial<FastifyError>;
  const existing = ofFramework[code ?? ''];
  if (existing) return new DomainError(...existing);
  const isRefused = error instanceof Error && statusCode !== undefined && statusCode >= 400 && statusCode < 500;
  return isRefused ? new DomainError('invalid_input', 'the request cannot be read') : undefined;
}
