import { newUuid } from '../ids.ts';
import type { Admin } from '../tenancy/access.ts';
import { hashSecret, newSecret } from '../tenancy/credentials.ts';
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
