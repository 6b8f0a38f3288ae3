/** Errors of a caller's making or of an outage. Transports map every code, and tell no other errors outside. */
export type ErrorCode =
  | 'invalid_input'
  | 'unauthenticated'
  | 'token_expired'
  | 'forbidden'
  | 'not_found'
  | 'context_not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'duplicate_document'
  | 'conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'misdirected'
  | 'rate_limited'
  | 'unavailable';

/** A part of the input that is wrong: `field` as the caller spelt it, with dots and indexes. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** An outcome that the caller sees. `message` must hold nothing that the caller did not know or send. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
  /** Values that a caller needs to go on, such as the first ingestion of a duplicate document. */
  readonly details: Readonly<Record<string, string | number>>;

  constructor(
    code: ErrorCode,
    message: string,
    more: { fields?: readonly FieldError[]; details?: Record<string, string | number>; cause?: unknown } = {},
  ) {
    super(message, 'cause' in more ? { cause: more.cause } : undefined);
    this.name = 'DomainError';
    this.code = code;
    this.fields = more.fields ?? [];
    this.details = more.details ?? {};
  }
}

/** An error that names the field at fault. */
export const fieldError = (code: ErrorCode, field: string, message: string) =>
  new DomainError(code, `${field}: ${message}`, { fields: [{ field, message }] });

/** Input that is wrong, with the field at fault. */
export const invalidInputError = (field: string, message: string) => fieldError('invalid_input', field, message);

/** A service that is needed does not answer. The caller is told `message`, and only the log `cause`. */
export const unavailableError = (message: string, cause?: unknown) =>
  new DomainError('unavailable', message, cause === undefined ? {} : { cause });

/** An id that never was, is another instance's, or belongs to an owner the caller may not read: told alike. */
export const notFoundError = (what: string) => new DomainError('not_found', `no such ${what}`);

/** A conversation that never was, or belongs to an owner the caller may not read. */
export const conversationNotFoundError = () => new DomainError('context_not_found', 'no such conversation');

/** Whether an error is a domain error of one of these codes. */
export const hasErrorCode = (error: unknown, ...codes: readonly ErrorCode[]): error is DomainError =>
  error instanceof DomainError && codes.includes(error.code);

/** Null instead of `not_found` and `context_not_found`. */
export async function nullIfNotFound<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (hasErrorCode(error, 'not_found', 'context_not_found')) return null;
    throw error;
  }
}
