import type { Db } from '../../db/database.ts';
import { notFound } from '../errors.ts';
import { parseId } from '../ids.ts';
import type { Receipt } from './receipt.ts';
import type { Access } from '../tenancy/access.ts';

/** A receipt holds ids and counts only, so it is stored in clear. */
export async function saveReceipt(db: Db, access: Access, receipt: Receipt): Promise<void> {
  const body = { ...receipt, deletedAt: receipt.deletedAt.toISOString() };
  const id = parseId('receipt', receipt.id);
  await db.receipt.create({ data: { i: access.i, id, body: body, createdAt: receipt.deletedAt } });
}

/** Throws `not_found`. */
export async function readReceipt(db: Db, access: Access, id: string): Promise<Receipt> {
  const row = await db.receipt.findUnique({ where: { i_id: { i: access.i, id: parseId('receipt', id) } } });
  if (!row) throw notFound('receipt');
  return { ...(row.body as unknown as Receipt), deletedAt: row.createdAt };
}
