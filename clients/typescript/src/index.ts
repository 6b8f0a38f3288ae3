export { Presage, type PresageOptions } from './presage.ts';
export type { Answered, RequestOptions, ResponseInfo } from './connection.ts';
export { Call, Recall } from './call.ts';
export { Pages } from './pages.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionFailedError,
  ContextNotFoundError,
  DuplicateDocumentError,
  IngestionFailedError,
  InvalidInputError,
  NotFoundError,
  PresageError,
  RateLimitError,
  ServiceUnavailableError,
  TimeoutError,
} from './errors.ts';
export type * from './records.ts';
