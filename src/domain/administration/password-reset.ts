import { transaction } from '../../db/database.ts';
import { DomainError, invalidInputError, notFoundError } from '../errors.ts';
import { isUuid } from '../ids.ts';
import type { Admin } from '../tenancy/access.ts';
import { canReachClient } from '../tenancy/client-reach.ts';
import { hashSecret } from '../tenancy/credentials.ts';
import { removeExpiredLinks, removePasswordResetsOf, consumeLink } from '../tenancy/dashboard-link-store.ts';
import { allClients, lockUser, savePassword } from '../tenancy/dashboard-user-store.ts';
import { serviceKeys } from '../tenancy/service-key-store.ts';
import { removeSessionsOf } from '../tenancy/session-store.ts';
import type { AdministrationDependencies } from './instances.ts';
import { beginSession, usedLinkError, type SignInDependencies } from './sign-in.ts';
import { clientOrService, saveAudit } from './audit-store.ts';
import { makeLink, saveLinkAs, type ExpiringSecret } from './make-link.ts';
import { dayMs } from '../time.ts';

const resetLifeMs = dayMs;

/**
 * Makes a link by which a member chooses another password, once, within a day; those made before open no more. Throws
 * `not_found`, `invalid_input` for oneself, and `forbidden` for a member who also has a role beyond what the
 * administrator reaches: whoever holds the link comes in as the member everywhere. Throws as `saveLinkAs` does.
 */
export async function createPasswordReset(
  deps: AdministrationDependencies,
  admin: Admin,
  { userId, clientId }: { readonly userId: string; readonly clientId: string | null },
): Promise<ExpiringSecret> {
  if (userId === admin.userId)
    throw invalidInputError('userId', 'must not be your own id: ask another owner to make the link');
  const at = deps.now();
  const { secret, link } = makeLink('password', admin, { at, lifeMs: resetLifeMs });
  const keys = await serviceKeys(deps);
  await transaction(deps.db, async (tx) => {
    const user = isUuid(userId) ? await lockUser(tx, userId) : null;
    const isMember = user?.memberships.some((each) => each.clientId === (clientId ?? allClients));
    if (!user || !isMember || !canReachClient(admin, clientId ?? allClients)) throw notFoundError('member');
    if (!user.memberships.every((each) => canReachClient(admin, each.clientId))) {
      throw new DomainError(
        'forbidden',
        'this member has a role in other clients too: an owner of every client does it',
      );
    }
    await removeExpiredLinks(tx, at);
    await removePasswordResetsOf(tx, userId);
    await saveLinkAs(tx, admin, { ...link, userId, clientId: clientId ?? allClients });
    const entry = { actor: admin, action: 'member.reset-password', target: userId, at };
    await saveAudit(tx, clientOrService(clientId, keys), entry);
  });
  return { secret, expiresAt: link.expiresAt };
}

/**
 * Gives the user of the link this password, ends their other sessions and begins one. Throws `unauthenticated`, and
 * `rate_limited` after several links that opened nothing.
 */
export function resetPassword(
  deps: SignInDependencies,
  { link: secret, password }: { readonly link: string; readonly password: string },
  from: string,
): Promise<ExpiringSecret> {
  return deps.signInAttempts.attempt(`reset ${from}`, async () => {
    const [passwordHash, keys] = [await deps.passwords.hash(password), await serviceKeys(deps)];
    return transaction(deps.db, async (tx) => {
      const link = await consumeLink(tx, hashSecret(secret));
      if (!link?.userId || link.expiresAt <= deps.now()) throw usedLinkError();
      const { userId } = link;
      if (!(await savePassword(tx, userId, passwordHash))) throw usedLinkError();
      await removePasswordResetsOf(tx, userId);
      await removeSessionsOf(tx, { userId });
      // An audit entry names its actor, and not the role in which they act.
      const actor = { kind: 'admin', tokenId: userId, userId, role: 'viewer' } as const;
      const entry = { actor, action: 'member.new-password', target: userId, at: deps.now() };
      await saveAudit(tx, clientOrService(link.clientId, keys), entry);
      return beginSession(deps, tx, { userId });
    });
  });
}
