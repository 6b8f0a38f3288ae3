import type { FastifyRequest } from 'fastify';
import { parseCookie, stringifySetCookie } from 'cookie';
import { DomainError } from '../../domain/errors.ts';
import type { SessionCredential } from '../../domain/tenancy/open-session.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route also accepts the cookie of a browser that is signed in to the dashboard. */
    takesSession?: boolean;
  }
}

const name = 'presage_session';
const csrfHeader = 'presage-csrf';
const clientHeader = 'presage-client';

/** The cookie as it is set and, without a secret, taken back. Over plain HTTP it cannot be marked as secure. */
export const sessionCookie = (
  { secret, expiresAt }: { readonly secret: string; readonly expiresAt: Date },
  isSecure: boolean,
): string =>
  stringifySetCookie({
    name,
    value: secret,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
    expires: expiresAt,
  });

/** Takes the cookie back. */
export const noSessionCookie = (isSecure: boolean) => sessionCookie({ secret: '', expiresAt: new Date(0) }, isSecure);

/** The session that a request brings; undefined without one. */
export function sessionOf({ headers }: FastifyRequest): SessionCredential | undefined {
  const secret = headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[name];
  if (!secret) return undefined;
  const client = headers[clientHeader];
  return typeof client === 'string' && client ? { secret, clientId: client } : { secret };
}

/**
 * Throws `forbidden` unless a page of this server sends the request. A browser adds the cookie by itself, so whatever
 * takes it asks for a header that no form can send, and for what the browser says of the page that sends it.
 */
export function requireOwnPage(request: FastifyRequest): void {
  const { headers } = request;
  if (headers[csrfHeader] === undefined) {
    throw new DomainError('forbidden', `a session is taken with the header ${csrfHeader}: 1 only`);
  }
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? isOwnOrigin(headers.origin, request.host) : site === 'same-origin';
  if (!isOwn) throw new DomainError('forbidden', 'a session is taken from the pages of this server only');
}

/** A request without an Origin comes from no page. */
const isOwnOrigin = (origin: string | undefined, host: string) =>
  origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
