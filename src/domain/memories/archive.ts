import { saveMentionsArchived } from '../entities/store.ts';
import type { WriteTx } from '../invalidation/write-transaction.ts';
import { followUp, saveVectors, unindexMemories } from '../search-index/index-memories.ts';
import type { VectorWrites } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import { findOwners, reviseOwner } from '../tenancy/store.ts';
import { saveArchived } from './expiry-store.ts';
import { WriteConflict, withOptimisticLock } from './optimistic-lock.ts';
import { vectorsBeside } from './reindex.ts';
import type { Removing } from './remove.ts';
import { findHomes } from './store.ts';

/**
 * Takes memories of one owner out of every search, and their entities from view; their rows stay, and what they replaced
 * stays replaced. Returns how many, or null when somebody wrote to the owner in between: decide again.
 */
export async function archiveMemories(
  deps: Removing,
  access: Access,
  { ownerNo, ids }: { ownerNo: number; ids: readonly string[] },
): Promise<number | null> {
  const [owner] = await findOwners(deps.db, access.i, [ownerNo]);
  if (!owner) return 0; // forgotten
  const homes = await findHomes(deps.db, access, ids);
  const model = await deps.embedding.serving(access);
  const change = { gone: new Set(ids), moved: new Map(), tenures: new Map() };
  const vectors = await vectorsBeside(deps.db, model, access, homes, change);
  const beside = await deps.vectors.prepare(access, { space: model.space, vectors }, { orLater: true });
  const archived = await withOptimisticLock(deps, access, async (tx) => {
    const seen = { seen: owner.revision, memories: 0, terms: 0 };
    if (!(await reviseOwner(tx, access.i, ownerNo, seen))) throw new WriteConflict();
    const count = await archiveIn(tx, deps.vectors, access, { ownerNo, ids });
    if (!(await saveVectors(tx, deps.vectors, access, beside))) throw new WriteConflict();
    return count;
  });
  if (archived !== null) await followUp(deps.vectors, access, ids);
  return archived;
}

/** Archives memories of one owner, whom the transaction has locked; the vectors beside them are left as they are. */
export async function archiveIn(
  tx: WriteTx,
  vectors: VectorWrites,
  access: Access,
  { ownerNo, ids }: { ownerNo: number; ids: readonly string[] },
): Promise<number> {
  const index = await unindexMemories(tx, vectors, access, ids);
  await reviseOwner(tx, access.i, ownerNo, { memories: -index.memories, terms: -index.terms });
  await saveMentionsArchived(tx, access, ids, true);
  return saveArchived(tx, access, ids);
}
