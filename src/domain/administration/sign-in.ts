import { transaction, type Tx } from '../../db/database.ts';
import { DomainError, invalid, notFound } from '../errors.ts';
import { newUuid } from '../ids.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { Admin } from '../tenancy/access.ts';
import { findAdminToken } from '../tenancy/admin-token-store.ts';
import { hashOf, newSecret } from '../tenancy/credentials.ts';
import {
  findLink,
  removeExpiredLinks,
  removePasswordResetsOf,
  removeUnusedLinksOf,
  saveLink,
  takeLink,
  type LinkRow,
} from '../tenancy/dashboard-link-store.ts';
import { everyClient, findUserByEmail, saveMembership, saveUser } from '../tenancy/dashboard-user-store.ts';
import { longestSessionMs } from '../tenancy/open-session.ts';
import { serviceKeys } from '../tenancy/service-key-store.ts';
import { removeExpiredSessions, removeSession, removeSessionsOf, saveSession } from '../tenancy/session-store.ts';
import { emailHashOf, readEmail } from './email.ts';
import type { Administering } from './instances.ts';
import type { Passwords } from './passwords.ts';
import { saveAudit } from './store.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';

/** The dependencies of signing in. */
export interface SigningIn extends Administering {
  readonly passwords: Passwords;
  readonly signInAttempts: SignInAttempts;
}

/** The credential of a sign-in: address and password, an admin token, or a link that opens once. */
export type SignIn =
  | { readonly email: string; readonly password: string }
  | { readonly token: string }
  | { readonly link: string };

/** A session that was begun: the cookie is returned here and never again. */
export interface SessionBegun {
  readonly secret: string;
  readonly expiresAt: Date;
}

const linkLifeMs = 60 * 60_000;
const refused = (message: string) => new DomainError('unauthenticated', message);

/**
 * Begins a session. Throws `unauthenticated`, alike for an unknown address and a wrong password, and `rate_limited`
 * after several wrong ones. `from`: the network address of whoever asks.
 */
export async function signIn(d: SigningIn, given: SignIn, from: string): Promise<SessionBegun> {
  if ('link' in given) return openByLink(d, given.link);
  if ('token' in given) return signInByToken(d, given.token, from);
  const emailHash = emailHashOf(await serviceKeys(d), readEmail(given.email));
  return d.signInAttempts.attempt(`${emailHash.toString('base64')} ${from}`, async () => {
    const user = await findUserByEmail(d.db, emailHash);
    const isRight = await d.passwords.verify(given.password, user?.passwordHash);
    if (!user || !isRight) throw refused('this address and password do not open the dashboard');
    return transaction(d.db, (tx) => beginSession(d, tx, { userId: user.id }));
  });
}

function signInByToken(d: SigningIn, token: string, from: string): Promise<SessionBegun> {
  return d.signInAttempts.attempt(`token ${from}`, async () => {
    const known = await findAdminToken(d.db, hashOf(token));
    if (!known || known.revokedAt) throw refused('this admin token does not open the dashboard');
    return transaction(d.db, (tx) => beginSession(d, tx, { adminTokenId: known.id }));
  });
}

/** The error of a link that opens nothing, whatever the reason. */
export const usedLink = () => refused('this link was used or has expired: ask for another');

const openByLink = (d: SigningIn, secret: string): Promise<SessionBegun> =>
  transaction(d.db, async (tx) => {
    const link = await takeLink(tx, hashOf(secret));
    if (!link || link.expiresAt <= d.now() || link.adminTokenId === null) throw usedLink();
    return beginSession(d, tx, { adminTokenId: link.adminTokenId });
  });

/** A link that opens the dashboard once; its secret is told here and never again. */
export interface SignInLink {
  readonly secret: string;
  readonly expiresAt: Date;
}

/**
 * Makes a link that opens the dashboard once, within an hour, as the admin token does; those made before open no more.
 * Throws `invalid_input` for who signed in by an address: there is no token to sign in as.
 */
export async function createSignInLink(d: Administering, admin: Admin): Promise<SignInLink> {
  if (admin.userId) throw invalid('authorization', 'must be an admin token: the link opens what the token opens');
  const secret = newSecret('link');
  const at = d.now();
  const expiresAt = new Date(at.getTime() + linkLifeMs);
  await transaction(d.db, async (tx) => {
    await removeExpiredLinks(tx, at);
    await removeUnusedLinksOf(tx, admin.tokenId);
    await saveLink(tx, {
      id: newUuid(),
      hash: hashOf(secret),
      adminTokenId: admin.tokenId,
      userId: null,
      clientId: everyClient,
      role: admin.role,
      email: null,
      createdBy: `admin:${admin.tokenId}`,
      createdAt: at,
      expiresAt,
    });
  });
  return { secret, expiresAt };
}

/**
 * Accepts an invitation: makes the user, or gives the one who has this address and password the role, and begins a
 * session. Throws `unauthenticated` for a link that opens nothing, and for the wrong password of a known address;
 * `forbidden` when the invitation is for another address.
 */
export async function acceptInvitation(
  d: SigningIn,
  { link: secret, email: given, password }: { link: string; email: string; password: string },
  from: string,
): Promise<SessionBegun> {
  const email = readEmail(given);
  const keys = await serviceKeys(d);
  // Whoever holds no invitation is not told which addresses have an account.
  requireInvitation(await findLink(d.db, hashOf(secret)), { email, at: d.now(), keys });
  const emailHash = emailHashOf(keys, email);
  const user = await findUserByEmail(d.db, emailHash);
  if (user)
    await provePassword(d, { password, hashed: user.passwordHash, by: `${emailHash.toString('base64')} ${from}` });
  const passwordHash = user ? '' : await d.passwords.hash(password);
  return transaction(d.db, async (tx) => {
    const at = d.now();
    const link = requireInvitation(await takeLink(tx, hashOf(secret)), { email, at, keys });
    const userId = user?.id ?? newUuid();
    const sealed = keys.seal('dashboard_user.email', userId, email);
    if (!user) await saveUser(tx, { id: userId, emailHash, email: sealed, passwordHash, createdAt: at });
    const { clientId } = link;
    const role = link.role as Admin['role'];
    await saveMembership(tx, { userId, clientId, role, at });
    await removePasswordResetsOf(tx, userId); // made by an owner who does not reach this role, perhaps
    const actor = { kind: 'admin', tokenId: userId, userId, role } as const;
    const of = clientId === everyClient ? null : { clientId, keys };
    await saveAudit(tx, of, { actor, action: 'member.join', target: userId, at, after: { role } });
    return beginSession(d, tx, { userId });
  });
}

/** The link, if it invites this address and opens at this time. Throws as `acceptInvitation` does. */
function requireInvitation(
  link: LinkRow | null | undefined,
  { email, at, keys }: { email: string; at: Date; keys: InstanceKeys },
): LinkRow {
  if (!link || link.expiresAt <= at || link.adminTokenId !== null || link.userId !== null) throw usedLink();
  if (link.email && keys.open('dashboard_link.email', link.id, link.email) !== email) {
    throw new DomainError('forbidden', 'this invitation is for another address');
  }
  return link;
}

async function provePassword(
  d: SigningIn,
  { password, hashed, by }: { password: string; hashed: string; by: string },
): Promise<void> {
  await d.signInAttempts.attempt(by, async () => {
    if (!(await d.passwords.verify(password, hashed))) throw refused('this address has an account: give its password');
  });
}

/** Every sign-in begins a session of its own, so that nobody is put into one that somebody else knows. */
export async function beginSession(
  d: Administering,
  tx: Tx,
  of: { readonly userId: string } | { readonly adminTokenId: string },
): Promise<SessionBegun> {
  const secret = newSecret('session');
  const [id, at] = [newUuid(), d.now()];
  const expiresAt = new Date(at.getTime() + longestSessionMs);
  const whose = { userId: null, adminTokenId: null, ...of };
  await removeExpiredSessions(tx, at);
  await saveSession(tx, { id, hash: hashOf(secret), ...whose, createdAt: at, lastSeenAt: at, expiresAt });
  return { secret, expiresAt };
}

/** Ends one session, by its cookie; nothing when there is none. */
export const signOut = (d: Administering, secret: string) => removeSession(d.db, hashOf(secret));

/** Ends every session of whoever asks, this one too. Returns how many there were. */
export function signOutEverywhere(d: Administering, admin: Admin): Promise<number> {
  if (!admin.sessionId) throw invalid('authorization', 'only who is signed in to the dashboard signs out');
  return transaction(d.db, async (tx) => {
    const whose = admin.userId ? { userId: admin.userId } : { adminTokenId: admin.tokenId };
    const ended = await removeSessionsOf(tx, whose);
    if (!ended) throw notFound('session');
    await saveAudit(tx, null, { actor: admin, action: 'session.end-all', target: admin.tokenId, at: d.now() });
    return ended;
  });
}
