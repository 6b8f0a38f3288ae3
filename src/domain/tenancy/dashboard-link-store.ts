import type { Sql, Tx } from '../../db/database.ts';
import { maxTotalCount, type KeysetQuery } from '../pagination.ts';
import { allClients } from './dashboard-user-store.ts';
import { keysetArguments } from './keyset-store.ts';

export interface LinkRow {
  readonly id: string;
  /** Whom it signs in. Null, as the user is: an invitation. */
  readonly adminTokenId: string | null;
  /** The user who chooses another password by it; null: it invites somebody. */
  readonly userId: string | null;
  readonly clientId: string;
  readonly role: string;
  readonly email: Uint8Array | null;
  readonly expiresAt: Date;
}

/** The condition that a link is an invitation. */
const invitation = { adminTokenId: null, userId: null } as const;

/** A link about to be stored: unless it says otherwise it is an invitation, of every client. */
export interface NewLink
  extends Pick<LinkRow, 'id' | 'expiresAt'>, Partial<Pick<LinkRow, 'adminTokenId' | 'userId' | 'clientId' | 'role'>> {
  readonly hash: Buffer<ArrayBuffer>;
  readonly email?: Buffer<ArrayBuffer>;
  readonly createdBy: string;
  readonly createdAt: Date;
}

export async function saveLink(tx: Sql, link: NewLink): Promise<void> {
  await tx.dashboardLink.create({ data: { ...invitation, clientId: allClients, role: '', ...link } });
}

/** The link of this hash; null when there is none. */
export const findLink = (sql: Sql, hash: Buffer<ArrayBuffer>): Promise<LinkRow | null> =>
  sql.dashboardLink.findUnique({ where: { hash }, omit: { hash: true } });

/** Takes the link of this hash, so that it cannot be used again; undefined when there is none. */
export async function consumeLink(tx: Tx, hash: Uint8Array): Promise<LinkRow | undefined> {
  const [link] = await tx.$queryRaw<LinkRow[]>`
    DELETE FROM dashboard_link WHERE hash = ${hash}
    RETURNING id, admin_token_id AS "adminTokenId", user_id AS "userId", client_id AS "clientId", role, email,
      expires_at AS "expiresAt"`;
  return link;
}

/** The invitations of a client by their time. */
export const readInvitationRows = (sql: Sql, clientId: string, keysetQuery: KeysetQuery) =>
  sql.dashboardLink.findMany({
    ...keysetArguments(keysetQuery, { clientId, ...invitation }),
    omit: { hash: true },
  });

/** At most one more than `maxTotalCount`. */
export const countInvitations = (sql: Sql, clientId: string): Promise<number> =>
  sql.dashboardLink.count({ where: { clientId, ...invitation }, take: maxTotalCount + 1 });

/** Returns whether the client had this invitation. */
export const removeInvitation = async (sql: Sql, clientId: string, id: string): Promise<boolean> =>
  (await sql.dashboardLink.deleteMany({ where: { id, clientId, ...invitation } })).count > 0;

export const removeInvitationsOfClient = (sql: Sql, clientId: string) =>
  sql.dashboardLink.deleteMany({ where: { clientId, ...invitation } });

export const removeExpiredLinks = (sql: Sql, now: Date) =>
  sql.dashboardLink.deleteMany({ where: { expiresAt: { lte: now } } });

/**
 * Removes the unused links that somebody made, of this client: they must not outlast the role by which they were made.
 */
export const removeUnusedLinksBy = (sql: Sql, createdBy: string, clientId?: string) =>
  sql.dashboardLink.deleteMany({ where: { createdBy, ...(clientId ? { clientId } : {}) } });

/** Links that an admin token opens by and nobody used. */
export const removeUnusedLinksOf = (sql: Sql, adminTokenId: string) =>
  sql.dashboardLink.deleteMany({ where: { adminTokenId } });

/** Links by which a user chooses another password. */
export const removePasswordResetsOf = (sql: Sql, userId: string) => sql.dashboardLink.deleteMany({ where: { userId } });
