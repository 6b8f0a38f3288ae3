import type { Db } from '../../db/database.ts';
import { countMentions } from '../entities/entity-store.ts';
import { DomainError } from '../errors.ts';
import { parseId } from '../ids.ts';
import { countRows } from '../memories/memory-store.ts';
import { countTerms } from '../search-index/term-store.ts';
import type { VectorIndex } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import { enqueueForInstance } from '../tenancy/enqueue-for-instance.ts';
import { isUnverified, type Receipt } from './receipt.ts';
import { instancesWithPendingReceipts, pendingReceipts, updateReceipt } from './receipt-store.ts';

export interface ReceiptDependencies {
  readonly db: Db;
  readonly vectors: VectorIndex;
}

/** Lets the vectors of erased memories go; `pending` names the store when it cannot be reached, and a job does it. */
export async function removeVectors(
  { vectors }: ReceiptDependencies,
  access: Access,
  memoryIds: readonly string[],
): Promise<{ vectors: number; pending: string[] }> {
  try {
    return { vectors: await vectors.applyPending(access, memoryIds), pending: [] };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { vectors: 0, pending: ['vectors'] };
  }
}

/** Counts what every store still holds of these memories. */
export const countRemaining = async (
  { db, vectors }: ReceiptDependencies,
  access: Access,
  memoryIds: readonly string[],
): Promise<Receipt['remaining']> => ({
  rows: await countRows(db, access, memoryIds),
  vectors: await vectors.count(access, memoryIds),
  terms: await countTerms(db, access, memoryIds),
  graphLinks: await countMentions(db, access, memoryIds),
});

/** An erasure counts what remains at once; a process that has not done so within this time has died. */
const verifiedWithinMs = 60_000;

/**
 * Ends the receipts that waited for a store, and those whose process died before it read any back. Throws `unavailable`
 * while a store is away.
 */
export async function finishReceipts(
  deps: ReceiptDependencies & { readonly now: () => Date },
  access: Access,
): Promise<void> {
  const left = new Date(deps.now().getTime() - verifiedWithinMs);
  for (const receipt of await pendingReceipts(deps.db, access)) {
    if (isUnverified(receipt) && receipt.deletedAt > left) continue;
    const memoryIds = receipt.memoryIds.map((id) => parseId('memory', id));
    const removed = await deps.vectors.applyPending(access, memoryIds);
    await updateReceipt(deps.db, access, {
      ...receipt,
      removed: { ...receipt.removed, vectors: receipt.removed.vectors + removed },
      remaining: await countRemaining(deps, access, memoryIds),
      pending: [],
    });
  }
}

/** Asks for the job that does it in each instance where a process died before it read its stores back. */
export async function enqueueUnfinishedReceipts({ db, now }: { db: Db; now: () => Date }): Promise<void> {
  for (const access of await instancesWithPendingReceipts(db, new Date(now().getTime() - verifiedWithinMs)))
    await enqueueForInstance(db, 'follow-vectors', access);
}
