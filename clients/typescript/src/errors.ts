import type { Ingestion, Problem } from './records.ts';

/** Every error of this package. */
export class PresageError extends Error {
  override readonly name: string = 'PresageError';
}

/** What an error tells beside its message. */
export interface ErrorDetails {
  /** The HTTP status; undefined when there was no answer. */
  readonly status?: number | undefined;
  /** The code of the service, such as `invalid_input`. */
  readonly code?: string | undefined;
  /** The fields that are wrong. */
  readonly errors?: Problem['errors'] | undefined;
  /** Quote it to report a fault. */
  readonly correlationId?: string | undefined;
  /** Seconds after which the service asks to be called again. */
  readonly retryAfter?: number | undefined;
  /** How often the request was sent. */
  readonly attempts?: number | undefined;
  readonly cause?: unknown;
}

/** A request that did not succeed, after all retries. */
export class ApiError extends PresageError {
  override readonly name: string = 'ApiError';
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly errors: Problem['errors'];
  readonly correlationId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly attempts: number;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.status = details.status;
    this.code = details.code;
    this.errors = details.errors ?? [];
    this.correlationId = details.correlationId;
    this.retryAfter = details.retryAfter;
    this.attempts = details.attempts ?? 0;
  }
}

/** 400, 405, 406, 413, 415: the request is wrong, and `errors` names the fields. */
export class InvalidInputError extends ApiError {
  override readonly name: string = 'InvalidInputError';
}
/** 401, 403: the key is missing, wrong or revoked, or may not do that. */
export class AuthenticationError extends ApiError {
  override readonly name: string = 'AuthenticationError';
}
/** 404: there is no such thing, or it belongs to somebody else. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError';
}
/** 404 of a conversation or of its context. */
export class ContextNotFoundError extends NotFoundError {
  override readonly name: string = 'ContextNotFoundError';
}
/** 409: the state of things does not allow it. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError';
}
/** 409: a document with this id was submitted before. */
export class DuplicateDocumentError extends ConflictError {
  override readonly name: string = 'DuplicateDocumentError';
  /** The first ingestion of the document. */
  readonly ingestionId: string | undefined;

  constructor(message: string, details: ErrorDetails & { readonly ingestionId?: string | undefined } = {}) {
    super(message, details);
    this.ingestionId = details.ingestionId;
  }
}
/** 429: too many requests; `retryAfter` tells when to go on. */
export class RateLimitError extends ApiError {
  override readonly name: string = 'RateLimitError';
}
/** 500, 502, 503, 504: the service failed or is away. */
export class ServiceUnavailableError extends ApiError {
  override readonly name: string = 'ServiceUnavailableError';
}
/** There was no answer: the service could not be reached, or the connection was lost. */
export class ConnectionFailedError extends ServiceUnavailableError {
  override readonly name: string = 'ConnectionFailedError';
}
/** There was no answer in time. */
export class TimeoutError extends ConnectionFailedError {
  override readonly name: string = 'TimeoutError';
}

/** A document was accepted, and could not be made into memories. */
export class IngestionFailedError extends PresageError {
  override readonly name: string = 'IngestionFailedError';
  readonly ingestion: Ingestion;

  constructor(ingestion: Ingestion) {
    super(`the ingestion ${ingestion.ingestion_id} failed: ${ingestion.error ?? 'no reason was given'}`);
    this.ingestion = ingestion;
  }
}

/** Input that cannot be sent: refused here, with the name of the field. */
export const unsendable = (field: string, message: string) =>
  new InvalidInputError(`${field}: ${message}`, { code: 'invalid_input', errors: [{ field, message }] });

type Details = ErrorDetails & { readonly ingestionId?: string | undefined };
type ErrorClass = new (message: string, details: Details) => ApiError;

const classOfStatus: Readonly<Record<number, ErrorClass>> = {
  400: InvalidInputError,
  401: AuthenticationError,
  403: AuthenticationError,
  404: NotFoundError,
  405: InvalidInputError,
  406: InvalidInputError,
  409: ConflictError,
  413: InvalidInputError,
  415: InvalidInputError,
  429: RateLimitError,
  500: ServiceUnavailableError,
  502: ServiceUnavailableError,
  503: ServiceUnavailableError,
  504: ServiceUnavailableError,
};

/** The error of an answer that is none of success. */
export function errorOf(
  answer: { readonly status: number; readonly headers: Headers; readonly text: string },
  attempts: number,
): ApiError {
  const { status, headers } = answer;
  const problem = problemOf(answer.text);
  const details = {
    status,
    attempts,
    code: problem.code,
    errors: problem.errors,
    correlationId: problem.correlation_id ?? headers.get('x-correlation-id') ?? undefined,
    retryAfter: retryAfterOf(headers) ?? problem.retry_after,
    ingestionId: problem.ingestion_id,
  };
  return new (classOf(status, problem.code))(problem.detail ?? `the service answered ${status}`, details);
}

function classOf(status: number, code: string | undefined): ErrorClass {
  if (code === 'duplicate_document') return DuplicateDocumentError;
  if (code === 'context_not_found') return ContextNotFoundError;
  return classOfStatus[status] ?? ApiError;
}

type ToldProblem = Partial<Problem> & { readonly retry_after?: number; readonly ingestion_id?: string };

/** Nothing when the answer is no problem document, such as a page of a proxy. */
function problemOf(text: string): ToldProblem {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Seconds, or a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - Date.now()) / 1000));
}
