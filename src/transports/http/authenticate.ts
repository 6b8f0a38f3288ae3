import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { App } from '../../app.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import type { Caller } from '../../domain/tenancy/authenticate.ts';
import { limitRate } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; set by `requireCaller` or `requireInstanceKey`. */
    caller: Caller | undefined;
  }
}

/** For routes that take any credential. Counts and limits the calls of an instance key; an administrator's belong to none. */
export function requireCaller(app: App): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const caller = await app.authenticate(request.headers.authorization);
    request.caller = caller;
    if (caller.kind !== 'instance') return;
    limitRate(app, caller.access, request, reply);
    app.countCall(caller.access);
  };
}

/** For agents' routes: an administrator never reads an agent's context or submits for it. */
export function requireInstanceKey(app: App): onRequestAsyncHookHandler {
  const authenticate = requireCaller(app);
  return async function requireKey(request, reply) {
    await authenticate.call(this, request, reply);
    if (request.caller?.kind === 'instance') return;
    throw new DomainError('forbidden', 'an admin token does not open this route: use an API key of the instance');
  };
}

/** The access of a request that passed `requireInstanceKey`. */
export function accessOf(request: FastifyRequest): Access {
  if (request.caller?.kind !== 'instance') throw new Error('a route needs an access but asks for no key');
  return request.caller.access;
}
