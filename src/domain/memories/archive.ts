import { saveMentionsArchived } from '../entities/entity-store.ts';
import type { WriteTx } from '../invalidation/write-transaction.ts';
import { unindexMemories } from '../search-index/index-memories.ts';
import type { VectorWrites } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import { findOwners, bumpOwnerRevision } from '../tenancy/owner-store.ts';
import { withOwnerRevision } from './with-owner-revision.ts';
import { saveArchived } from './expiry-store.ts';
import { neighbourVectors } from './neighbour-vectors.ts';
import type { RemovalDependencies } from './remove-memories.ts';
import { findMemoryLocations } from './memory-store.ts';

/**
 * Takes memories of one owner out of every search, and their entities from view; their rows stay, and what they
 * replaced stays replaced. Returns how many, or null when somebody wrote to the owner in between: decide again.
 */
export async function archiveMemories(
  deps: RemovalDependencies,
  access: Access,
  { ownerNo, ids }: { ownerNo: number; ids: readonly string[] },
): Promise<number | null> {
  const [owner] = await findOwners(deps.db, access.instanceNumber, [ownerNo]);
  if (!owner) return 0; // forgotten
  const homes = await findMemoryLocations(deps.db, access, ids);
  const model = await deps.embedding.serving(access);
  const vectors = await neighbourVectors(deps.db, model, access, homes, { removed: new Set(ids) });
  return withOwnerRevision(
    deps,
    access,
    { ownerNo, expectedRevision: owner.revision, made: { space: model.space, vectors }, ids },
    (tx) => archiveWithin(tx, deps.vectors, access, { ownerNo, ids }),
  );
}

/** Archives memories of one owner, whom the transaction has locked; the vectors beside them are left as they are. */
export async function archiveWithin(
  tx: WriteTx,
  vectors: VectorWrites,
  access: Access,
  { ownerNo, ids }: { ownerNo: number; ids: readonly string[] },
): Promise<number> {
  const index = await unindexMemories(tx, vectors, access, ids);
  await bumpOwnerRevision(tx, access.instanceNumber, ownerNo, { memories: -index.memories, terms: -index.terms });
  await saveMentionsArchived(tx, access, ids, true);
  return saveArchived(tx, access, ids);
}
