import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import { DomainError, type ErrorCode } from '../../domain/errors.ts';

const statusOf: Record<ErrorCode, status> = {
  invalid_input: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  token_expired: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  context_not_found: status.NOT_FOUND,
  method_not_allowed: status.UNIMPLEMENTED,
  not_acceptable: status.INVALID_ARGUMENT,
  duplicate_document: status.ALREADY_EXISTS,
  conflict: status.FAILED_PRECONDITION,
  payload_too_large: status.RESOURCE_EXHAUSTED,
  unsupported_media_type: status.INVALID_ARGUMENT,
  misdirected: status.FAILED_PRECONDITION,
  rate_limited: status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
};

/** The status that a call ends with. An error that is not ours says nothing of the inside. */
export function toStatus(error: unknown, correlationId: string): StatusObject {
  const metadata = new Metadata();
  metadata.set('x-correlation-id', correlationId);
  if (!(error instanceof DomainError)) {
    metadata.set('presage-error-code', 'internal');
    return { code: status.INTERNAL, details: 'internal error', metadata };
  }
  metadata.set('presage-error-code', error.code);
  for (const { field } of error.fields) metadata.add('presage-error-field', printable(field));
  const retryAfter = error.details['retry_after'];
  if (retryAfter !== undefined) metadata.set('retry-after', String(retryAfter)); // seconds, as in HTTP
  return { code: statusOf[error.code], details: wellFormed(error.message), metadata };
}

/** grpc-js throws for a lone surrogate in the details, outside any handler. */
const wellFormed = (text: string) => Buffer.from(text).toString();

/** grpc-js throws for metadata that is not printable ASCII. */
const printable = (text: string) => text.replaceAll(/[^ -~]/g, '?');
