import type { Tx } from '../../db/database.ts';
import { DomainError } from '../errors.ts';
import { newUuid } from '../ids.ts';
import type { Admin } from '../tenancy/access.ts';
import { lockAdminToken } from '../tenancy/admin-token-store.ts';
import { hashSecret, newSecret } from '../tenancy/credentials.ts';
import { saveLink, type NewLink } from '../tenancy/dashboard-link-store.ts';
import { lockMembership } from '../tenancy/dashboard-user-store.ts';
import { actorOf } from './audit-store.ts';

/** The secret of a session or of a link: returned once. */
export interface ExpiringSecret {
  readonly secret: string;
  readonly expiresAt: Date;
}

/** A link to the dashboard, about to be stored, and the secret that opens it; of that only the hash is stored. */
export function makeLink(
  kind: 'link' | 'password' | 'invitation',
  admin: Admin,
  { at, lifeMs }: { readonly at: Date; readonly lifeMs: number },
) {
  const secret = newSecret(kind);
  const expiresAt = new Date(at.getTime() + lifeMs);
  const link = { id: newUuid(), hash: hashSecret(secret), createdBy: actorOf(admin), createdAt: at, expiresAt };
  return { secret, link };
}

/**
 * Stores a link that the administrator made. Their role is held until the transaction ends: whoever ends it removes the
 * links that are stored by then, so that one stored later would outlast it. Throws `forbidden` when it has ended.
 */
export async function saveLinkAs(tx: Tx, admin: Admin, link: NewLink): Promise<void> {
  const isHeld = admin.userId ? await lockMembership(tx, admin.userId, admin) : await lockAdminToken(tx, admin.tokenId);
  if (!isHeld) throw new DomainError('forbidden', 'the role in which you asked has ended');
  await saveLink(tx, link);
}
