import type { Db } from '../../db/database.ts';
import { DomainError } from '../errors.ts';
import { parseId } from '../ids.ts';
import type { VectorIndex } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import { pendingReceipts, updateReceipt } from './store.ts';

/** The dependencies of finishing receipts. */
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
    return { vectors: await vectors.follow(access, memoryIds), pending: [] };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { vectors: 0, pending: ['vectors'] };
  }
}

/** Ends the receipts that waited for a store, with what is left read back. Throws `unavailable` while it is away. */
export async function finishReceipts(deps: ReceiptDependencies, access: Access): Promise<void> {
  for (const receipt of await pendingReceipts(deps.db, access)) {
    const memoryIds = receipt.memoryIds.map((id) => parseId('memory', id));
    const removed = await deps.vectors.follow(access, memoryIds);
    await updateReceipt(deps.db, access, {
      ...receipt,
      removed: { ...receipt.removed, vectors: receipt.removed.vectors + removed },
      remaining: { ...receipt.remaining, vectors: await deps.vectors.count(access, memoryIds) },
      pending: [],
    });
  }
}
