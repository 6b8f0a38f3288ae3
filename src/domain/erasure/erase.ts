import type { Tx } from '../../db/database.ts';
import { removeCompactions } from '../compaction/compaction-store.ts';
import { removeFromTurns } from '../conversations/turn-anticipation-store.ts';
import { conversationsOfDocuments } from '../conversations/turn-store.ts';
import { removePrefetched } from '../context/prefetch-store.ts';
import type { WriteTx } from '../invalidation/write-transaction.ts';
import { newUuid, toPublicId } from '../ids.ts';
import { WriteConflict, withOptimisticLock, retryOnConflict } from '../memories/optimistic-lock.ts';
import { citationsOf } from '../memories/evidence-store.ts';
import {
  applyRemoval,
  planRemoval,
  type RemovalDependencies,
  type RemovalRequest,
} from '../memories/remove-memories.ts';
import { updateIndexAfterCommit } from '../search-index/index-memories.ts';
import type { ReaderCache } from '../reader-cache/reader-cache.ts';
import type { Access } from '../tenancy/access.ts';
import { findOwners } from '../tenancy/owner-store.ts';
import { receiptStores, type Receipt } from './receipt.ts';
import { countRemaining, removeVectors } from './finish-receipts.ts';
import { saveReceipt, updateReceipt } from './receipt-store.ts';

export interface ErasureDependencies extends RemovalDependencies {
  readonly readers: ReaderCache;
  readonly now: () => Date;
}

/** An erasure, decided on a state that may have changed by the time it is done. */
export interface PlannedErasure extends RemovalRequest {
  readonly alsoStatedIn?: Receipt['alsoStatedIn'];
  /** Erases all of its owners, not only what is named. */
  readonly isOfOwners?: true;
  /** Checks, while the owners are locked, that the decision still holds. Their memories need no check. */
  readonly holds?: (tx: Tx) => Promise<boolean>;
  /** The rows beside those of the memories; returns how many went, and how many turns were blanked. */
  readonly rest: (tx: WriteTx) => Promise<{ rows: number; turns: number }>;
}

/**
 * The two halves of an erasure: whose it is, and then what it takes of these owners and of nobody who came meanwhile,
 * whom nothing locks. Each throws `not_found` when there is nothing.
 */
export interface ErasureRequest {
  readonly owners: () => Promise<readonly number[]>;
  readonly decide: (ownerNos: readonly number[]) => Promise<PlannedErasure>;
}

/**
 * Erases in one transaction what was decided, with the receipt of it, and decides anew when somebody wrote to an owner
 * in between. What is left is read back when all is committed: what anybody would find.
 */
export async function erase(
  deps: ErasureDependencies,
  access: Access,
  { owners, decide }: ErasureRequest,
): Promise<Receipt> {
  return retryOnConflict(async () => {
    const ownerNos = await owners();
    // Read before the decision, which is checked against it.
    const seen = await findOwners(deps.db, access.instanceNumber, ownerNos);
    if (seen.length < ownerNos.length) return null; // forgotten a moment ago
    const erasure = await decide(ownerNos);
    const removal = await planRemoval(deps, access, seen, erasure);
    const begun = await withOptimisticLock(deps, access, async (tx) => {
      const words = await conversationsHolding(tx, access, erasure); // while their words are there to be found
      const removed = await applyRemoval(tx, deps.vectors, access, removal);
      if (!removed || !(await (erasure.holds?.(tx) ?? true))) throw new WriteConflict();
      const ofOwners = erasure.isOfOwners ? ownerNos : [];
      const listed = { memoryIds: erasure.memoryIds, conversationIds: words };
      const before = await removeCompactions(tx, access, { ...listed, ownerNos: ofOwners });
      const rest = await erasure.rest(tx);
      await removeFromTurns(tx, access, erasure.memoryIds);
      // Once more: one may have been kept while words were removed.
      const compactions = before + (await removeCompactions(tx, access, listed));
      const prefetchedContexts = await removePrefetched(tx, access, ownerNos); // they may hold what is erased
      const rows = removed.rows + rest.rows;
      const gone = { ...removed, rows, turns: rest.turns, prefetchedContexts, compactions };
      const receipt = receiptOf(erasure, gone, deps.now());
      await saveReceipt(tx, access, receipt);
      return receipt;
    });
    if (!begun) return null;
    const cached = deps.readers.forget(access.instanceNumber, ownerNos);
    // Contexts that the table shares among processes may be cached here too: each is counted once.
    const prefetchedContexts = Math.max(begun.removed.prefetchedContexts, cached);
    const ended = removal.statementValidities.map(({ id }) => id);
    await updateIndexAfterCommit(deps.vectors, access, ended);
    const { vectors, pending } = await removeVectors(deps, access, erasure.memoryIds);
    const receipt: Receipt = {
      ...begun,
      removed: { ...begun.removed, prefetchedContexts, vectors: begun.removed.vectors + vectors },
      remaining: await countRemaining(deps, access, erasure.memoryIds),
      pending,
    };
    await updateReceipt(deps.db, access, receipt);
    return receipt;
  });
}

/** The conversations in which it was said: what they were condensed to may hold its words. */
async function conversationsHolding(
  tx: Tx,
  access: Access,
  { memoryIds, documentIds }: PlannedErasure,
): Promise<string[]> {
  const cited = await citationsOf(tx, access, memoryIds);
  return conversationsOfDocuments(tx, access, [...documentIds, ...cited.map(({ documentId }) => documentId)]);
}

/** The receipt as its transaction leaves it: no store was read back yet. */
const receiptOf = (
  { memoryIds, documentIds, alsoStatedIn }: PlannedErasure,
  removed: Receipt['removed'],
  deletedAt: Date,
): Receipt => ({
  id: toPublicId('receipt', newUuid()),
  deletedAt,
  memoryIds: memoryIds.map((id) => toPublicId('memory', id)),
  documentIds: documentIds.map((id) => toPublicId('document', id)),
  removed,
  remaining: { rows: 0, vectors: 0, terms: 0, graphLinks: 0 },
  alsoStatedIn: alsoStatedIn ?? { memoryIds: [], documentIds: [] },
  pending: receiptStores,
});
