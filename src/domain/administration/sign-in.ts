import { transaction, type Tx } from '../../db/database.ts';
import { DomainError, invalidInputError, notFoundError } from '../errors.ts';
import { newUuid } from '../ids.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { Admin } from '../tenancy/access.ts';
import { findAdminToken } from '../tenancy/admin-token-store.ts';
import { hashSecret, newSecret } from '../tenancy/credentials.ts';
import {
  findLink,
  removeExpiredLinks,
  removePasswordResetsOf,
  removeUnusedLinksOf,
  consumeLink,
  type LinkRow,
} from '../tenancy/dashboard-link-store.ts';
import { findUserByEmail, lockUser, saveMembership, saveUser } from '../tenancy/dashboard-user-store.ts';
import { longestSessionMs } from '../tenancy/open-session.ts';
import { serviceKeys } from '../tenancy/service-key-store.ts';
import { removeExpiredSessions, removeSession, removeSessionsOf, saveSession } from '../tenancy/session-store.ts';
import { emailHashOf, readEmail } from './email.ts';
import type { AdministrationDependencies } from './instances.ts';
import type { Passwords } from './passwords.ts';
import { clientOrService, saveAudit } from './audit-store.ts';
import { makeLink, saveLinkAs, type ExpiringSecret } from './make-link.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';
import { hourMs } from '../time.ts';

export interface SignInDependencies extends AdministrationDependencies {
  readonly passwords: Passwords;
  readonly signInAttempts: SignInAttempts;
}

/** The credential of a sign-in: address and password, an admin token, or a link that opens once. */
export type SignInCredentials =
  | { readonly email: string; readonly password: string }
  | { readonly token: string }
  | { readonly link: string };

const linkLifeMs = hourMs;
const refused = (message: string) => new DomainError('unauthenticated', message);

/**
 * Begins a session. Throws `unauthenticated`, alike for an unknown address and a wrong password, and `rate_limited`
 * after several wrong ones. `from`: the network address of whoever asks.
 */
export async function signIn(
  deps: SignInDependencies,
  input: SignInCredentials,
  from: string,
): Promise<ExpiringSecret> {
  if ('link' in input) return openByLink(deps, input.link);
  if ('token' in input) return signInByToken(deps, input.token, from);
  const emailHash = emailHashOf(await serviceKeys(deps), readEmail(input.email));
  return deps.signInAttempts.attempt(`${emailHash.toString('base64')} ${from}`, async () => {
    const user = await findUserByEmail(deps.db, emailHash);
    const isRight = await deps.passwords.verify(input.password, user?.passwordHash);
    if (!user || !isRight) throw wrongPasswordError();
    return transaction(deps.db, async (tx) => {
      await requireUnchanged(tx, user, wrongPasswordError());
      return beginSession(deps, tx, { userId: user.id });
    });
  });
}

const wrongPasswordError = () => refused('this address and password do not open the dashboard');

/** Throws the error when the user is gone, or has another password than the one that was compared before. */
async function requireUnchanged(tx: Tx, user: { id: string; passwordHash: string }, error: Error): Promise<void> {
  if ((await lockUser(tx, user.id))?.passwordHash !== user.passwordHash) throw error;
}

function signInByToken(deps: SignInDependencies, token: string, from: string): Promise<ExpiringSecret> {
  return deps.signInAttempts.attempt(`token ${from}`, async () => {
    const existing = await findAdminToken(deps.db, hashSecret(token));
    if (!existing || existing.revokedAt) throw refused('this admin token does not open the dashboard');
    return transaction(deps.db, (tx) => beginSession(deps, tx, { adminTokenId: existing.id }));
  });
}

/** The error of an invalid link, whatever the reason. `whatNext`: how to come by another. */
export const usedLinkError = (whatNext = 'ask for another') =>
  refused(`this link was used or has expired: ${whatNext}`);

const openByLink = (deps: SignInDependencies, secret: string): Promise<ExpiringSecret> =>
  transaction(deps.db, async (tx) => {
    const link = await consumeLink(tx, hashSecret(secret));
    if (!link || link.expiresAt <= deps.now() || link.adminTokenId === null)
      throw usedLinkError('npx presage dashboard prints another');
    return beginSession(deps, tx, { adminTokenId: link.adminTokenId });
  });

/**
 * Makes a link that opens the dashboard once, within an hour, as the admin token does; those made before open no more.
 * Throws `invalid_input` for who signed in by an address: there is no token to sign in as.
 */
export async function createSignInLink(deps: AdministrationDependencies, admin: Admin): Promise<ExpiringSecret> {
  if (admin.userId)
    throw invalidInputError('authorization', 'must be an admin token: the link opens what the token opens');
  const at = deps.now();
  const { secret, link } = makeLink('link', admin, { at, lifeMs: linkLifeMs });
  await transaction(deps.db, async (tx) => {
    await removeExpiredLinks(tx, at);
    await removeUnusedLinksOf(tx, admin.tokenId);
    await saveLinkAs(tx, admin, { ...link, adminTokenId: admin.tokenId, role: admin.role });
  });
  return { secret, expiresAt: link.expiresAt };
}

/**
 * Accepts an invitation: makes the user, or gives the one who has this address and password the role, and begins a
 * session. Throws `unauthenticated` for an invalid link, and for the wrong password of a known address; `forbidden`
 * when the invitation is for another address; and `conflict` when the address got an account at the same moment.
 */
export async function acceptInvitation(
  deps: SignInDependencies,
  { link: secret, email: given, password }: { link: string; email: string; password: string },
  from: string,
): Promise<ExpiringSecret> {
  const email = readEmail(given);
  const keys = await serviceKeys(deps);
  // Whoever holds no invitation is not told which addresses have an account.
  requireInvitation(await findLink(deps.db, hashSecret(secret)), { email, at: deps.now(), keys });
  const emailHash = emailHashOf(keys, email);
  const user = await findUserByEmail(deps.db, emailHash);
  if (user)
    await deps.signInAttempts.attempt(`${emailHash.toString('base64')} ${from}`, async () => {
      if (!(await deps.passwords.verify(password, user.passwordHash))) throw accountExistsError();
    });
  const passwordHash = user ? '' : await deps.passwords.hash(password);
  return transaction(deps.db, async (tx) => {
    const at = deps.now();
    const link = requireInvitation(await consumeLink(tx, hashSecret(secret)), { email, at, keys });
    const userId = user?.id ?? newUuid();
    const sealed = keys.seal('dashboard_user.email', userId, email);
    if (user) await requireUnchanged(tx, user, accountExistsError());
    else if (!(await saveUser(tx, { id: userId, emailHash, email: sealed, passwordHash, createdAt: at })))
      throw new DomainError('conflict', 'this address got an account at the same moment: open the link once more');
    const { clientId } = link;
    const role = link.role as Admin['role'];
    await saveMembership(tx, { userId, clientId, role, at });
    await removePasswordResetsOf(tx, userId); // made by an owner who does not reach this role, perhaps
    const actor = { kind: 'admin', tokenId: userId, userId, role } as const;
    const entry = { actor, action: 'member.join', target: userId, at, after: { role } };
    await saveAudit(tx, clientOrService(clientId, keys), entry);
    return beginSession(deps, tx, { userId });
  });
}

/** The link, if it invites this address and opens at this time. Throws as `acceptInvitation` does. */
function requireInvitation(
  link: LinkRow | null | undefined,
  { email, at, keys }: { email: string; at: Date; keys: InstanceKeys },
): LinkRow {
  if (!link || link.expiresAt <= at || link.adminTokenId !== null || link.userId !== null) throw usedLinkError();
  if (link.email && keys.open('dashboard_link.email', link.id, link.email) !== email) {
    throw new DomainError('forbidden', 'this invitation is for another address');
  }
  return link;
}

const accountExistsError = () => refused('this address has an account: give its password');

/** Every sign-in begins a session of its own, so that nobody is put into one that somebody else knows. */
export async function beginSession(
  deps: AdministrationDependencies,
  tx: Tx,
  of: { readonly userId: string } | { readonly adminTokenId: string },
): Promise<ExpiringSecret> {
  const secret = newSecret('session');
  const [id, at] = [newUuid(), deps.now()];
  const expiresAt = new Date(at.getTime() + longestSessionMs);
  const subject = { userId: null, adminTokenId: null, ...of };
  await removeExpiredSessions(tx, at);
  await saveSession(tx, { id, hash: hashSecret(secret), ...subject, createdAt: at, lastSeenAt: at, expiresAt });
  return { secret, expiresAt };
}

/** Ends one session, by its cookie; nothing when there is none. */
export const signOut = (deps: AdministrationDependencies, secret: string) => removeSession(deps.db, hashSecret(secret));

/** Ends every session of whoever asks, this one too. Returns how many there were. */
export function signOutEverywhere(deps: AdministrationDependencies, admin: Admin): Promise<number> {
  if (!admin.sessionId) throw invalidInputError('authorization', 'only who is signed in to the dashboard signs out');
  return transaction(deps.db, async (tx) => {
    const subject = admin.userId ? { userId: admin.userId } : { adminTokenId: admin.tokenId };
    const ended = await removeSessionsOf(tx, subject);
    if (!ended) throw notFoundError('session');
    await saveAudit(tx, null, { actor: admin, action: 'session.end-all', target: admin.tokenId, at: deps.now() });
    return ended;
  });
}
