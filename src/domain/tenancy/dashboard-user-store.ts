import type { Sql, Tx } from '../../db/database.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { maxTotalCount, type KeysetQuery } from '../pagination.ts';
import { keysetArguments } from './keyset-store.ts';
import type { Admin, AdminRole } from './access.ts';

/** Names every client, where a membership or an invitation names one. */
export const allClients = '';

/** A user with the hash of their password. */
export const findUserByEmail = (sql: Sql, emailHash: Uint8Array<ArrayBuffer>) =>
  sql.dashboardUser.findUnique({ where: { emailHash }, select: { id: true, passwordHash: true } });

export const findUserById = (sql: Sql, id: string) =>
  sql.dashboardUser.findUnique({
    where: { id },
    select: { id: true, email: true, passwordHash: true, memberships: { orderBy: { createdAt: 'asc' } } },
  });

/** The user; nobody changes their password, removes them or adds a membership before the transaction ends. */
export async function lockUser(tx: Tx, id: string) {
  await tx.$queryRaw`SELECT 1 FROM dashboard_user WHERE id = ${id}::uuid FOR UPDATE`;
  return findUserById(tx, id);
}

/** False when somebody has this address already. */
export async function saveUser(tx: Tx, user: Prisma.DashboardUserCreateManyInput): Promise<boolean> {
  return (await tx.dashboardUser.createMany({ data: [user], skipDuplicates: true })).count === 1;
}

/** False when there is no such user any more. */
export const savePassword = async (tx: Tx, id: string, passwordHash: string): Promise<boolean> =>
  (await tx.dashboardUser.updateMany({ where: { id }, data: { passwordHash } })).count === 1;

/** Gives a role in a client, or changes it. */
export async function saveMembership(
  tx: Tx,
  { userId, clientId, role, at }: { userId: string; clientId: string; role: AdminRole; at: Date },
): Promise<void> {
  await tx.dashboardMembership.upsert({
    where: { userId_clientId: { userId, clientId } },
    create: { userId, clientId, role, createdAt: at },
    update: { role },
  });
}

/** Whether the user has this role in the client, or in all without one; locked until the transaction ends. */
export async function lockMembership(
  tx: Tx,
  userId: string,
  { clientId = allClients, role }: Pick<Admin, 'clientId' | 'role'>,
): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT role FROM dashboard_membership
    WHERE user_id = ${userId}::uuid AND client_id = ${clientId} AND role = ${role} FOR SHARE`;
  return rows.length > 0;
}

/** Returns the role that ended; null when there was none. */
export async function removeMembership(tx: Tx, userId: string, clientId: string): Promise<string | null> {
  const [removed] = await tx.$queryRaw<{ role: string }[]>`
    DELETE FROM dashboard_membership WHERE user_id = ${userId}::uuid AND client_id = ${clientId} RETURNING role`;
  return removed?.role ?? null;
}

/** Removes the memberships of this client, or those of every client; a user without any left is removed. */
export async function removeMembershipsOfClient(tx: Tx, clientId: string): Promise<void> {
  await tx.dashboardMembership.deleteMany({ where: { clientId } });
  await removeUsersWithoutMembership(tx);
}

export const removeUsersWithoutMembership = (tx: Tx) =>
  tx.dashboardUser.deleteMany({ where: { memberships: { none: {} } } });

/** Memberships of a client by their time, each with the sealed address of its user. */
export const readMembershipRows = (sql: Sql, clientId: string, keysetQuery: KeysetQuery) =>
  sql.dashboardMembership.findMany({
    ...keysetArguments(keysetQuery, { clientId }, 'userId'),
    include: { user: { select: { email: true } } },
  });

/** At most one more than `maxTotalCount`. */
export const countMemberships = (sql: Sql, clientId: string): Promise<number> =>
  sql.dashboardMembership.count({ where: { clientId }, take: maxTotalCount + 1 });
