import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { invalidInputError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { ExpiringSecret } from '../../domain/administration/make-link.ts';
import { noSessionCookie, requireOwnPage, sessionCookie, sessionOf } from '../http/session-cookie.ts';
import { validate } from '../http/validate.ts';
import { servePages } from './serve-pages.ts';

interface DashboardParts {
  readonly app: App;
  /** Whether browsers reach this server over TLS, here or at a proxy before it: then the cookie goes over nothing else. */
  readonly isSecure: boolean;
}

const secret = z.string().min(1).max(limits.tokenInQuery.max);
const email = z.string().min(1).max(limits.email.max);
const password = z
  .string()
  .min(limits.password.min, `must have at least ${limits.password.min} characters`)
  .max(limits.password.max, `must have at most ${limits.password.max} characters`);

const SignIn = z.union([
  z.strictObject({ token: secret }),
  z.strictObject({ link: secret }),
  z.strictObject({ email, password: z.string().min(1).max(limits.password.max) }),
]);
const Invited = z.strictObject({ link: secret, email, password });

const NewPassword = z.strictObject({ link: secret, password });

/** The dashboard on `/dashboard`: its files, and what signs a browser in. All else it asks of `/graphql`. */
export const mountDashboard =
  (parts: DashboardParts) =>
  (server: FastifyInstance): void => {
    servePages(server);
    addSessionRoutes(server, parts);
  };

/**
 * A browser signs in and out here, where the cookie is set and taken back: `POST /dashboard/session` with an address and
 * a password, an admin token or a link; `DELETE` of it; `POST /dashboard/account` with an invitation; and
 * `POST /dashboard/password` with the link by which another password is chosen. Each answers 204; errors are problems as under /v1.
 */
function addSessionRoutes(server: FastifyInstance, { app, isSecure }: DashboardParts): void {
  const path = '/dashboard/session';

  /** Begins a session and ends the one that the browser had. */
  async function begin(request: FastifyRequest, reply: FastifyReply, begun: ExpiringSecret) {
    const former = sessionOf(request);
    if (former) await app.signIn.signOut(former.secret);
    return reply.header('set-cookie', sessionCookie(begun, isSecure)).code(204).send();
  }

  server.register(async (scope) => {
    scope.addHook('onRequest', async (request) => requireOwnPage(request));
    scope.post(path, async (request, reply) => {
      const input = SignIn.safeParse(request.body);
      if (!input.success) throw invalidInputError('body', 'must have email and password, or token, or link');
      return begin(request, reply, await app.signIn.signIn(input.data, request.ip));
    });
    scope.delete(path, async (request, reply) => {
      const session = sessionOf(request);
      if (session) await app.signIn.signOut(session.secret);
      return reply.header('set-cookie', noSessionCookie(isSecure)).code(204).send();
    });
    scope.post('/dashboard/account', async (request, reply) => {
      const input = validate(Invited, request.body, 'the body');
      return begin(request, reply, await app.signIn.acceptInvitation(input, request.ip));
    });
    scope.post('/dashboard/password', async (request, reply) => {
      const input = validate(NewPassword, request.body, 'the body');
      return begin(request, reply, await app.signIn.resetPassword(input, request.ip));
    });
  });
}
