import type { FastifyInstance } from 'fastify';
import Negotiator from 'negotiator';
import { DomainError } from '../../domain/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media types that it answers; undefined: it does not look at `Accept`. */
    produces?: readonly string[];
  }
}

/** Answers 406 before anything is done for a request whose `Accept` no answer of its route can meet. */
export function refuseUnacceptable(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    const { produces } = request.routeOptions.config;
    if (!produces || request.headers.accept === undefined || preferredMediaType(request, produces)) return;
    throw new DomainError('not_acceptable', `this route answers ${produces.join(' or ')}`);
  });
}

/** The media type among these that a request prefers; undefined: none. */
export const preferredMediaType = ({ headers }: { headers: object }, types: readonly string[]): string | undefined =>
  new Negotiator({ headers: headers as Negotiator.Headers }).mediaType([...types]);
