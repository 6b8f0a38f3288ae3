import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { App } from '../../app.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import type { Caller } from '../../domain/tenancy/authenticate.ts';
import type { Recognised } from '../../domain/tenancy/recognised-keys.ts';
import type { Repeater } from '../../domain/tenancy/idempotency.ts';
import { limitRate } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; set by `requireCaller` and what stands on it. */
    caller: Caller | Recognised | undefined;
  }
  interface FastifyContextConfig {
    /** Its answer may be ready in memory: a key that was let in before is then confirmed together with the answer. */
    mayBeReady?: boolean;
  }
}

/** For routes that take any credential. Counts and limits the calls of an instance key; an administrator's belong to none. */
export function requireCaller(app: App): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const caller = await app.authenticate(request.headers.authorization);
    request.caller = caller;
    if (caller.kind === 'instance') admit(app, caller.access, request, reply);
  };
}

function admit(app: App, access: Access, request: FastifyRequest, reply: FastifyReply): void {
  limitRate(app, access, request, reply);
  app.countCall(access);
}

/** For agents' routes: an administrator never reads an agent's context or submits for it. */
export function requireInstanceKey(app: App): onRequestAsyncHookHandler {
  const authenticate = requireCaller(app);
  return async function requireKey(request, reply) {
    const { mayBeReady } = request.routeOptions.config;
    const { authorization, 'idempotency-key': repeatable } = request.headers;
    const recognised = mayBeReady && repeatable === undefined ? app.recognise(authorization) : undefined;
    if (recognised) {
      request.caller = recognised;
      return admit(app, recognised.access, request, reply);
    }
    await authenticate.call(this, request, reply);
    if (request.caller?.kind === 'instance') return;
    throw new DomainError('forbidden', 'an admin token does not open this route: use an API key of the instance');
  };
}

/** For administration: a key opens its instance, and does not administer it. */
export function requireAdminToken(app: App): onRequestAsyncHookHandler {
  const authenticate = requireCaller(app);
  return async function requireToken(request, reply) {
    await authenticate.call(this, request, reply);
    if (request.caller?.kind === 'admin') return;
    throw new DomainError('forbidden', 'an API key does not open this route: use an admin token');
  };
}

/** The access of a request that passed `requireInstanceKey`. */
export function accessOf(request: FastifyRequest): Access {
  if (request.caller?.kind !== 'instance') throw new Error('a route needs an access but asks for no key');
  return request.caller.access;
}

/** Who sends a request, as far as repeating it goes. */
export function repeaterOf({ caller }: FastifyRequest): Repeater {
  if (!caller || caller.kind === 'recognised') throw new Error('only what is authenticated is repeated');
  return caller.kind === 'admin' ? { principal: caller.admin, keys: caller.keys } : caller.access;
}
