import { DomainError } from '../errors.ts';
import type { Admin, AdminRole } from './access.ts';
import type { AuthenticationDependencies, AuthenticatedCaller } from './authenticate.ts';
import { hashSecret } from './credentials.ts';
import { allClients } from './dashboard-user-store.ts';
import { serviceKeys } from './service-key-store.ts';
import { findSession, saveLastSeen, type SessionRow } from './session-store.ts';
import { dayMs, hourMs, minuteMs } from '../time.ts';

/** A session ends after so long without a request; and in any case at its `expiresAt`. */
const idleSessionMs = 12 * hourMs;
export const longestSessionMs = 7 * dayMs;
/** `lastSeenAt` is written no more often than this. */
const seenEveryMs = minuteMs;

/** The cookie of a browser that is signed in, and the client for which it asks where its user has several. */
export interface SessionCredential {
  readonly secret: string;
  readonly clientId?: string | undefined;
}

/**
 * Opens what a signed-in browser may do as of this call. Throws `unauthenticated` for a session that is unknown or has
 * ended, and `forbidden` for a user who is a member of nothing, or not of the client they name.
 */
export async function openSession(
  deps: AuthenticationDependencies,
  { secret, clientId }: SessionCredential,
): Promise<AuthenticatedCaller> {
  const session = await findSession(deps.db, hashSecret(secret));
  const now = deps.now();
  if (!session || hasEnded(session, now)) throw signedOut();
  if (now.getTime() - session.lastSeenAt.getTime() >= seenEveryMs) await saveLastSeen(deps.db, session.id, now);
  const admin = session.user ? asMember(session, clientId) : asHolder(session);
  return { kind: 'admin', admin: Object.freeze(admin), keys: await serviceKeys(deps) };
}

const signedOut = () => new DomainError('unauthenticated', 'this session has ended: sign in again');

const hasEnded = ({ expiresAt, lastSeenAt }: SessionRow, now: Date) =>
  expiresAt <= now || now.getTime() - lastSeenAt.getTime() >= idleSessionMs;

/** The administrator of a session that an admin token opened: as the token is, for as long as it holds. */
function asHolder({ id, adminToken }: SessionRow): Admin {
  if (!adminToken || adminToken.revokedAt) throw signedOut();
  return { kind: 'admin', tokenId: adminToken.id, role: adminToken.role as AdminRole, sessionId: id };
}

function asMember({ id, userId, user }: SessionRow, clientId: string | undefined): Admin {
  const { memberships } = user!;
  const inAll = memberships.find((each) => each.clientId === allClients);
  const chosen = clientId ? memberships.find((each) => each.clientId === clientId) : undefined;
  const membership = chosen ?? inAll ?? (clientId ? undefined : memberships[0]);
  if (!membership) throw new DomainError('forbidden', 'you are not a member of this client');
  const role = membership.role as AdminRole;
  const of = { kind: 'admin', tokenId: userId!, userId: userId!, role, sessionId: id } as const;
  return membership.clientId === allClients ? of : { ...of, clientId: membership.clientId };
}
