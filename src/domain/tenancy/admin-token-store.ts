import type { Sql, Tx } from '../../db/database.ts';
import { maxTotalCount, type KeysetQuery } from '../pagination.ts';
import { keysetArguments } from './keyset-store.ts';
import type { AdminRole } from './access.ts';
import type { AdminTokenRecord } from './credential.ts';

/** The admin token of this hash, revoked or not. */
export const findAdminToken = (sql: Sql, hash: Uint8Array<ArrayBuffer>) =>
  sql.adminToken.findUnique({ where: { hash }, select: { id: true, role: true, revokedAt: true } });

const columns = { id: true, role: true, createdAt: true, revokedAt: true };
const fromRow = <R extends { role: string }>(row: R) => ({ ...row, role: row.role as AdminRole });

/** Revoked or not; null when there is none. */
export async function readAdminToken(tx: Tx, id: string): Promise<AdminTokenRecord | null> {
  const row = await tx.adminToken.findUnique({ where: { id }, select: columns });
  return row && fromRow(row);
}

/** A page of tokens by their time of creation, revoked ones too. */
export async function readAdminTokenRows(sql: Sql, keysetQuery: KeysetQuery): Promise<AdminTokenRecord[]> {
  const rows = await sql.adminToken.findMany({ ...keysetArguments(keysetQuery, {}), select: columns });
  return rows.map(fromRow);
}

/** At most one more than `maxTotalCount`. */
export const countAdminTokenRecords = (sql: Sql): Promise<number> => sql.adminToken.count({ take: maxTotalCount + 1 });

export const saveAdminRevocation = (tx: Tx, id: string, revokedAt: Date) =>
  tx.adminToken.update({ where: { id }, data: { revokedAt } });

/** Whether the token is there and not revoked; nobody revokes it before the transaction ends. */
export async function lockAdminToken(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT id FROM admin_token WHERE id = ${id}::uuid AND revoked_at IS NULL FOR SHARE`;
  return rows.length > 0;
}

/** Locks owners' tokens, so that nobody else makes or ends one before the transaction ends; returns how many hold. */
export async function lockOwnerTokens(tx: Tx): Promise<number> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT id FROM admin_token WHERE role = 'owner' AND revoked_at IS NULL ORDER BY id FOR UPDATE`;
  return rows.length;
}

export async function saveAdminToken(
  sql: Sql,
  token: { id: string; hash: Buffer<ArrayBuffer>; role: AdminRole; createdAt: Date },
): Promise<void> {
  await sql.adminToken.create({ data: token });
}

/** Whether there is a token that opens administration. */
export const hasActiveAdminToken = async (sql: Sql): Promise<boolean> =>
  (await sql.adminToken.count({ where: { revokedAt: null } })) > 0;
