import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { App } from '../../app.ts';
import { DomainError } from '../../domain/errors.ts';
import { isInstanceId, type InstanceId } from '../../domain/ids.ts';
import type { Access, Admin } from '../../domain/tenancy/access.ts';
import type { AuthenticatedCaller } from '../../domain/tenancy/authenticate.ts';
import type { IdempotentCaller } from '../../domain/tenancy/idempotency.ts';
import { requirePermission, type Permission } from '../../app/permission.ts';
import { isBrowserToken } from '../../domain/tenancy/credentials.ts';
import { limitRate } from './rate-limit.ts';
import { requireOwnPage, sessionOf } from './session-cookie.ts';
import { onResponseClosed } from './caller-left.ts';

/** A key's own instance, or the one that an administrator names; a GraphQL request tells while it runs. */
export interface RequestInstance {
  instance: InstanceId | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permission that a route requires; undefined where any credential will do. */
    permission?: Permission;
    /**
     * Whether the route accepts a browser token as `access_token` of the query: an `EventSource` cannot send headers.
     */
    takesTokenInQuery?: boolean;
  }
  interface FastifyRequest {
    about: RequestInstance | undefined;
    /** The caller; set by `requireCaller` and the hooks that build on it. */
    caller: AuthenticatedCaller | undefined;
    /** Opens the credential of the request once more: throws once it is invalid. */
    reauthenticate: (() => Promise<AuthenticatedCaller>) | undefined;
  }
}

/**
 * For routes that take any credential. Counts and limits the calls of an instance key, and those of its browser tokens; an
 * administrator's belong to none.
 */
export function requireCaller(app: App): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const open = openerOf(app, request);
    const caller = await open();
    request.caller = caller;
    request.reauthenticate = open;
    if (caller.kind === 'admin') return countAdminCall(app, caller.admin, request, reply);
    request.about = { instance: caller.access.instance };
    limitRate(app, caller.access, request, reply);
    app.countCall(caller.access);
  };
}

/** Returns a function that opens a request's credential: its header, or on some routes the dashboard's cookie. */
function openerOf(app: App, request: FastifyRequest): () => Promise<AuthenticatedCaller> {
  const { headers, routeOptions } = request;
  const session =
    headers.authorization === undefined && routeOptions.config.takesSession ? sessionOf(request) : undefined;
  if (!session) {
    const credential = credentialOf(request);
    return () => app.authenticate(credential);
  }
  requireOwnPage(request);
  return () => app.openSession(session);
}

/** Once it is answered: only then is known which instance a GraphQL request was about. */
function countAdminCall(app: App, admin: Admin, request: FastifyRequest, reply: FastifyReply): void {
  const { instance_id: named } = request.params as Readonly<Record<string, unknown>>;
  const about: RequestInstance = { instance: isInstanceId(named) ? named : undefined };
  request.about = about;
  onResponseClosed(reply.raw, () => app.countAdminCall(admin, about.instance));
}

/** Guards the routes of agents: an administrator never reads an agent's context or submits for it. */
export function requireInstanceKey(app: App): onRequestAsyncHookHandler {
  const authenticate = requireCaller(app);
  return async function requireKey(request, reply) {
    await authenticate.call(this, request, reply);
    const { caller } = request;
    if (caller?.kind === 'admin') {
      throw new DomainError('forbidden', 'an admin token does not open this route: use an API key of the instance');
    }
    requirePermission(caller!.access.principal, permissionOf(request));
  };
}

/** Guards the routes of administration: a key opens its instance, and does not administer it. */
export function requireAdminToken(app: App): onRequestAsyncHookHandler {
  const authenticate = requireCaller(app);
  return async function requireToken(request, reply) {
    await authenticate.call(this, request, reply);
    const { caller } = request;
    if (caller?.kind !== 'admin') throw new DomainError('forbidden', 'only an admin token opens this route');
    requirePermission(caller.admin, permissionOf(request));
  };
}

/** The permission of the route; a route that declares none may be called by nobody. */
const permissionOf = ({ routeOptions }: FastifyRequest): Permission => routeOptions.config.permission ?? {};

/** The Authorization header; or what stands in the query for it, which no key may: URLs end up in logs and histories. */
function credentialOf({ headers, query, routeOptions }: FastifyRequest): string | undefined {
  if (headers.authorization !== undefined || !routeOptions.config.takesTokenInQuery) return headers.authorization;
  const token = (query as Readonly<Record<string, unknown>>)['access_token'];
  if (typeof token !== 'string') return undefined;
  if (isBrowserToken(token)) return `Bearer ${token}`;
  throw new DomainError(
    'unauthenticated',
    'access_token: takes a browser token; send a key as Authorization: Bearer <key>',
  );
}

/** The access of a request that passed `requireInstanceKey`. */
export function accessOf(request: FastifyRequest): Access {
  const { caller } = request;
  if (!caller || caller.kind === 'admin') throw new Error('a route needs an access but asks for no key');
  return caller.access;
}

/** The identity that an idempotency key is kept under. */
export function idempotentCallerOf({ caller }: FastifyRequest): IdempotentCaller {
  if (!caller) throw new Error('only what is authenticated is repeated');
  return caller.kind === 'admin' ? { principal: caller.admin, keys: caller.keys } : caller.access;
}
