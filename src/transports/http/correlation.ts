import type { IncomingMessage } from 'node:http';
import { correlationIdFrom } from '../../domain/ids.ts';

export const correlationHeader = 'x-correlation-id';

/** The correlation id that a request carries, or a new one. */
export const correlationIdOf = (request: IncomingMessage): string =>
  correlationIdFrom(request.headers[correlationHeader]);
