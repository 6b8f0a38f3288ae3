import type { Tx } from '../../db/database.ts';
import { removeCompactions } from '../compaction/compaction-store.ts';
import { removeFromTurns } from '../conversations/turn-anticipation-store.ts';
import { conversationsOfDocuments } from '../conversations/turn-store.ts';
import { countMentions } from '../entities/store.ts';
import { removePrefetched } from '../context/prefetch-store.ts';
import type { WriteTx } from '../invalidation/write-transaction.ts';
import { newUuid, printId } from '../ids.ts';
import { WriteConflict, withOptimisticLock, retryOnConflict } from '../memories/optimistic-lock.ts';
import { citationsOf } from '../memories/evidence-store.ts';
import {
  applyRemoval,
  planRemoval,
  type RemovalCounts,
  type RemovalDependencies,
} from '../memories/remove-memories.ts';
import { countRows, type MemoryPosition } from '../memories/memory-store.ts';
import { updateIndexAfterCommit } from '../search-index/index-memories.ts';
import { countTerms } from '../search-index/term-store.ts';
import type { ReaderCache } from '../reader-cache/reader-cache.ts';
import type { Access } from '../tenancy/access.ts';
import { findOwners } from '../tenancy/owner-store.ts';
import type { Receipt } from './receipt.ts';
import { removeVectors } from './finish-receipts.ts';
import { saveReceipt } from './store.ts';

/** The dependencies of an erasure. */
export interface ErasureDependencies extends RemovalDependencies {
  readonly readers: ReaderCache;
  readonly now: () => Date;
}

/** An erasure, decided on a state that may have changed by the time it is done. */
export interface PlannedErasure {
  readonly memoryIds: readonly string[];
  readonly documentIds: readonly string[];
  /** Memories that lose evidence, and stay: another document states them too. */
  readonly losing?: readonly string[];
  /** Where those of them will stand that stood in a document that goes. */
  readonly moved?: ReadonlyMap<string, MemoryPosition>;
  readonly alsoStatedIn?: Receipt['alsoStatedIn'];
  /** All of its owners goes, not only what is named. */
  readonly isOfOwners?: true;
  /** Whether the decision still holds, looked at while the owners are locked. Their memories need no look. */
  readonly holds?: (tx: Tx) => Promise<boolean>;
  /** The rows beside those of the memories; returns how many went, and how many turns were blanked. */
  readonly rest: (tx: WriteTx) => Promise<{ rows: number; turns: number }>;
}

/** The two halves of an erasure: whose it is, and then what it takes. Each throws `not_found` when there is nothing. */
export interface ErasureRequest {
  readonly owners: () => Promise<readonly number[]>;
  readonly decide: () => Promise<PlannedErasure>;
}

/**
 * Erases in one transaction what was decided, and decides anew when somebody wrote to an owner in between. The receipt
 * is made from what is left when all is committed: what anybody would find.
 */
export async function erase(
  deps: ErasureDependencies,
  access: Access,
  { owners, decide }: ErasureRequest,
): Promise<Receipt> {
  return retryOnConflict(async () => {
    const ownerNos = await owners();
    const seen = await findOwners(deps.db, access.instanceNumber, ownerNos); // before the decision: what is decided on it is checked
    if (seen.length < ownerNos.length) return null; // forgotten a moment ago
    const erasure = await decide();
    const removal = await planRemoval(deps, access, seen, { losing: [], moved: new Map(), ...erasure });
    const gone = await withOptimisticLock(deps, access, async (tx) => {
      const words = await conversationsHolding(tx, access, erasure); // while their words are there to be found
      const removed = await applyRemoval(tx, deps.vectors, access, removal);
      if (!removed || !(await (erasure.holds?.(tx) ?? true))) throw new WriteConflict();
      const ofOwners = erasure.isOfOwners ? ownerNos : [];
      const listed = { memoryIds: erasure.memoryIds, conversationIds: words };
      const before = await removeCompactions(tx, access, { ...listed, ownerNos: ofOwners });
      const rest = await erasure.rest(tx);
      await removeFromTurns(tx, access, erasure.memoryIds);
      const compactions = before + (await removeCompactions(tx, access, listed)); // one was kept while words were removed
      const bundles = await removePrefetched(tx, access, ownerNos); // they may hold what is erased
      return { ...removed, rows: removed.rows + rest.rows, turns: rest.turns, bundles, compactions };
    });
    if (!gone) return null;
    const bundles = Math.max(gone.bundles, deps.readers.forget(access.instanceNumber, ownerNos)); // those that are shared are cached, too
    const ended = removal.statementValidities.map(({ id }) => id);
    await updateIndexAfterCommit(deps.vectors, access, ended);
    return receiptOf(deps, access, erasure, { ...gone, bundles });
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

async function receiptOf(
  deps: ErasureDependencies,
  access: Access,
  { memoryIds, documentIds, alsoStatedIn }: PlannedErasure,
  removed: RemovalCounts & Pick<Receipt['removed'], 'turns' | 'bundles' | 'compactions'>,
): Promise<Receipt> {
  const { vectors, pending } = await removeVectors(deps, access, memoryIds);
  const remaining = {
    rows: await countRows(deps.db, access, memoryIds),
    vectors: await deps.vectors.count(access, memoryIds),
    terms: await countTerms(deps.db, access, memoryIds),
    graphLinks: await countMentions(deps.db, access, memoryIds),
  };
  const receipt: Receipt = {
    id: printId('receipt', newUuid()),
    deletedAt: deps.now(),
    memoryIds: memoryIds.map((id) => printId('memory', id)),
    documentIds: documentIds.map((id) => printId('document', id)),
    removed: { ...removed, vectors: removed.vectors + vectors },
    remaining,
    alsoStatedIn: alsoStatedIn ?? { memoryIds: [], documentIds: [] },
    pending,
  };
  await saveReceipt(deps.db, access, receipt);
  return receipt;
}
