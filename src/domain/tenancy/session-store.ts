import type { Sql, Tx } from '../../db/database.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/** A session with what it stands on: an admin token, or a user and their memberships, the oldest first. */
export type SessionRow = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** The session of this hash, whether it still opens something or not. */
export const findSession = (sql: Sql, hash: Uint8Array<ArrayBuffer>) =>
  sql.dashboardSession.findUnique({
    where: { hash },
    select: {
      id: true,
      userId: true,
      lastSeenAt: true,
      expiresAt: true,
      adminToken: { select: { id: true, role: true, revokedAt: true } },
      user: {
        select: { memberships: { select: { clientId: true, role: true }, orderBy: { createdAt: 'asc' } } },
      },
    },
  });

/** Stores a session; of its cookie only the hash. */
export const saveSession = (tx: Tx, session: Prisma.DashboardSessionUncheckedCreateInput) =>
  tx.dashboardSession.create({ data: session });

export const saveLastSeen = (sql: Sql, id: string, lastSeenAt: Date) =>
  sql.dashboardSession.updateMany({ where: { id }, data: { lastSeenAt } });

/** Returns how many there were. */
export const removeSession = async (sql: Sql, hash: Uint8Array<ArrayBuffer>): Promise<number> =>
  (await sql.dashboardSession.deleteMany({ where: { hash } })).count;

/** Ends every session of a user, or of an admin token. Returns how many there were. */
export const removeSessionsOf = async (
  sql: Sql,
  of: { readonly userId: string } | { readonly adminTokenId: string },
): Promise<number> => (await sql.dashboardSession.deleteMany({ where: of })).count;

export const removeExpiredSessions = (sql: Sql, now: Date) =>
  sql.dashboardSession.deleteMany({ where: { expiresAt: { lte: now } } });
