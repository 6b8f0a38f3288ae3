import type { WriteTx } from '../invalidation/write-transaction.ts';
import {
  updateIndexAfterCommit,
  saveIndexTerms,
  saveVectors,
  termCountsOf,
  type IndexEntry,
} from '../search-index/index-memories.ts';
import { removeTerms } from '../search-index/term-store.ts';
import type { ComputedVectors, PreparedVectors } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import { bumpOwnerRevision } from '../tenancy/owner-store.ts';
import type { ChangedValidities } from './attribute-timeline.ts';
import type { MemoryToChange } from './change-memory.ts';
import { WriteConflict, withOptimisticLock } from './optimistic-lock.ts';
import type { RemovalDependencies } from './remove-memories.ts';
import { neighbourVectorsOfValidities, saveValidities } from './statement-validity.ts';

/** A change of memories of one owner, as it was decided. */
export interface OwnerChange {
  readonly ownerNo: number;
  /** The revision of the owner on which it was decided. */
  readonly expectedRevision: bigint;
  /** What the word statistics of the owner gain; default: nothing. */
  readonly gains?: { readonly memories: number; readonly terms: number };
  /** The vectors that it makes anew; default: none. */
  readonly made?: ComputedVectors;
  /** The memories whose vectors the index is to follow once it is committed; default: none. */
  readonly ids?: readonly string[];
}

/**
 * Writes a change in one transaction that raises the revision of the owner and stores the vectors before `work` writes
 * the rows. Null when somebody wrote to the owner since, or another model serves: nothing is kept, decide again.
 */
export async function withOwnerRevision<T>(
  deps: RemovalDependencies,
  access: Access,
  { ownerNo, expectedRevision, gains = { memories: 0, terms: 0 }, made, ids = [] }: OwnerChange,
  work: (tx: WriteTx) => Promise<T>,
): Promise<T | null> {
  const prepared = made && (await deps.vectors.prepare(access, made, { allowDeferred: true }));
  const done = await withOptimisticLock(deps, access, async (tx) => {
    if (!(await bumpOwnerRevision(tx, access.instanceNumber, ownerNo, { expectedRevision, ...gains })))
      throw new WriteConflict();
    if (prepared && !(await saveVectors(tx, deps.vectors, access, prepared))) throw new WriteConflict();
    return work(tx);
  });
  if (done !== null) await updateIndexAfterCommit(deps.vectors, access, ids);
  return done;
}

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

/**
 * Writes until when statements of one owner hold, and the vectors beside them, in one transaction after what `work` writes.
 * Null as for `withOwnerRevision`.
 */
export async function changeValidities(
  deps: RemovalDependencies,
  access: Access,
  {
    ownerNo,
    expectedRevision,
    statementValidities,
  }: Pick<OwnerChange, 'ownerNo' | 'expectedRevision'> & { readonly statementValidities: ChangedValidities },
  work: (tx: WriteTx) => Promise<void>,
): Promise<true | null> {
  const model = await deps.embedding.serving(access);
  const vectors = await neighbourVectorsOfValidities(deps.db, model, access, statementValidities);
  const ids = statementValidities.map(({ id }) => id);
  return withOwnerRevision(
    deps,
    access,
    { ownerNo, expectedRevision, made: { space: model.space, vectors }, ids },
    async (tx) => {
      await work(tx);
      await saveValidities(tx, deps.vectors, access, statementValidities);
      return true as const;
    },
  );
}
