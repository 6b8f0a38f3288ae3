import type { WriteTx } from '../invalidation/write-transaction.ts';
import { saveIndexTerms, saveVectors, termCountsOf, type IndexEntry } from '../search-index/index-memories.ts';
import { removeTerms } from '../search-index/term-store.ts';
import type { PreparedVectors } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import { bumpOwnerRevision } from '../tenancy/owner-store.ts';
import type { MemoryToChange } from './change-memory.ts';
import { WriteConflict } from './optimistic-lock.ts';
import type { RemovalDependencies } from './remove-memories.ts';

/**
 * Gives a memory other words in the index, and stores the vectors that were prepared with them, in a transaction that
 * raises the revision of the owner. Throws `WriteConflict` when somebody wrote to the owner since, or another model
 * serves.
 */
export async function reindexMemory(
  tx: WriteTx,
  deps: Pick<RemovalDependencies, 'vectors'>,
  access: Access,
  { id, ownerNo, expectedRevision }: MemoryToChange,
  { entries, prepared }: { entries: readonly IndexEntry[]; prepared: PreparedVectors },
): Promise<void> {
  const own = entries.filter(({ vector }) => vector.memoryId === id);
  const removed = await removeTerms(tx, access, [id]);
  const added = termCountsOf(own);
  const gains = { memories: added.memories - removed.memories, terms: added.terms - removed.terms };
  if (!(await bumpOwnerRevision(tx, access.instanceNumber, ownerNo, { expectedRevision, ...gains })))
    throw new WriteConflict();
  if (!(await saveVectors(tx, deps.vectors, access, prepared))) throw new WriteConflict();
  await saveIndexTerms(tx, access, own);
}
