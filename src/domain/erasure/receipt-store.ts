import type { Db, Tx } from '../../db/database.ts';
import { notFoundError } from '../errors.ts';
import { parseId } from '../ids.ts';
import type { Receipt } from './receipt.ts';
import type { Access } from '../tenancy/access.ts';

/** A receipt as its row holds it. Older ones count the prefetched contexts as `bundles`. */
type StoredReceipt = Omit<Receipt, 'removed' | 'deletedAt'> & {
  readonly removed: Omit<Receipt['removed'], 'prefetchedContexts'> & {
    readonly prefetchedContexts?: number;
    readonly bundles?: number;
  };
};

/** A receipt holds ids and counts only, so it is stored in clear. */
export async function saveReceipt(tx: Tx, access: Access, receipt: Receipt): Promise<void> {
  const body = { ...receipt, deletedAt: receipt.deletedAt.toISOString() };
  const id = parseId('receipt', receipt.id);
  const isPending = receipt.pending.length > 0;
  await tx.receipt.create({
    data: { instanceNumber: access.instanceNumber, id, body, isPending, createdAt: receipt.deletedAt },
  });
}

/** Reads the receipts that wait for a store, oldest first. */
export async function pendingReceipts(db: Db, access: Access): Promise<Receipt[]> {
  const rows = await db.receipt.findMany({
    where: { isPending: true, instanceNumber: access.instanceNumber },
    orderBy: { createdAt: 'asc' },
  });
  return rows.map(opened);
}

/** Instances with a receipt of before this time that is pending still. */
export const instancesWithPendingReceipts = (db: Db, before: Date) =>
  db.$queryRaw<Pick<Access, 'instanceNumber'>[]>`
    SELECT n.i AS "instanceNumber" FROM instance n
    WHERE n.state <> 'purged'
      AND EXISTS (SELECT FROM receipt WHERE i = n.i AND is_pending AND created_at <= ${before}::timestamptz)`;

export async function updateReceipt(db: Db, access: Access, receipt: Receipt): Promise<void> {
  const body = { ...receipt, deletedAt: receipt.deletedAt.toISOString() };
  const isPending = receipt.pending.length > 0;
  const id = parseId('receipt', receipt.id);
  await db.receipt.update({
    where: { instanceNumber_id: { instanceNumber: access.instanceNumber, id } },
    data: { body, isPending },
  });
}

function opened(row: { body: unknown; createdAt: Date }): Receipt {
  const { removed, ...body } = row.body as StoredReceipt;
  const { bundles = 0, prefetchedContexts = bundles, ...others } = removed;
  return { ...body, removed: { ...others, prefetchedContexts }, deletedAt: row.createdAt };
}

/** Throws `not_found`. */
export async function readReceipt(db: Db, access: Access, id: string): Promise<Receipt> {
  const row = await db.receipt.findUnique({
    where: { instanceNumber_id: { instanceNumber: access.instanceNumber, id: parseId('receipt', id) } },
  });
  if (!row) throw notFoundError('receipt');
  return opened(row);
}
