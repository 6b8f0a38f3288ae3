import { transaction, type Db } from '../../db/database.ts';
import { pageFromRows, parsePageRequest, type Page, type PageRequest } from '../pagination.ts';
import { DomainError, notFoundError } from '../errors.ts';
import { isUuid, newUuid } from '../ids.ts';
import type { Admin, AdminRole } from '../tenancy/access.ts';
import {
  lockOwnerTokens,
  readAdminTokenRows,
  readAdminToken,
  saveAdminRevocation,
  saveAdminToken,
} from '../tenancy/admin-token-store.ts';
import { removeUnusedLinksBy } from '../tenancy/dashboard-link-store.ts';
import type { AdminTokenRecord } from '../tenancy/credential.ts';
import { hashSecret, newSecret } from '../tenancy/credentials.ts';
import type { AdministrationDependencies } from './instances.ts';
import { saveAudit, tokenActor } from './audit-store.ts';

/** Gives somebody a role; the token itself is returned only here. */
export async function createAdminToken(
  deps: AdministrationDependencies,
  admin: Admin,
  { role }: { role: AdminRole },
): Promise<{ token: string; record: AdminTokenRecord }> {
  const token = newSecret(`${deps.keyPrefix}admin`);
  const [id, at] = [newUuid(), deps.now()];
  const record = { id, role, createdAt: at, revokedAt: null };
  await transaction(deps.db, async (tx) => {
    await saveAdminToken(tx, { id, hash: hashSecret(token), role, createdAt: at });
    await saveAudit(tx, null, { actor: admin, action: 'admin-token.create', target: id, at });
  });
  return { token, record };
}

/** Lists all admin tokens, revoked ones too. */
export async function listAdminTokens(db: Db, request: PageRequest): Promise<Page<AdminTokenRecord>> {
  const keysetQuery = parsePageRequest('admin tokens', request);
  return pageFromRows(await readAdminTokenRows(db, keysetQuery), keysetQuery, ({ id, createdAt }) => ({
    id,
    at: createdAt,
  }));
}

/**
 * Ends a token at once, and the links that were made by it. Throws `not_found`, and `conflict` for the last owner's:
 * nobody could make another.
 */
export async function revokeAdminToken(
  deps: AdministrationDependencies,
  admin: Admin,
  id: string,
): Promise<AdminTokenRecord> {
  if (!isUuid(id)) throw notFoundError('admin token');
  return transaction(deps.db, async (tx) => {
    const owners = await lockOwnerTokens(tx);
    const token = await readAdminToken(tx, id);
    if (!token) throw notFoundError('admin token');
    if (token.revokedAt) return token;
    if (token.role === 'owner' && owners === 1) {
      throw new DomainError('conflict', 'this is the last token of an owner: make another first');
    }
    const revokedAt = deps.now();
    await saveAdminRevocation(tx, token.id, revokedAt);
    await removeUnusedLinksBy(tx, tokenActor(token.id));
    await saveAudit(tx, null, { actor: admin, action: 'admin-token.revoke', target: token.id, at: revokedAt });
    return { ...token, revokedAt };
  });
}
