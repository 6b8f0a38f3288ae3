import type { WriteTx } from '../invalidation/write-transaction.ts';
import { updateIndexAfterCommit, saveVectors } from '../search-index/index-memories.ts';
import type { ComputedVectors } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import { bumpOwnerRevision } from '../tenancy/owner-store.ts';
import type { ChangedValidities } from './attribute-timeline.ts';
import { neighbourVectors } from './neighbour-vectors.ts';
import { WriteConflict, withOptimisticLock } from './optimistic-lock.ts';
import type { RemovalDependencies } from './remove-memories.ts';
import { saveValidities } from './statement-validity-store.ts';

/** A change of memories of one owner, as it was decided. */
export interface OwnerChange {
  readonly ownerNo: number;
  /** The revision of the owner on which it was decided. */
  readonly expectedRevision: bigint;
  /** Added to the word statistics of the owner. Default: nothing. */
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
 * Writes until when statements of one owner hold, and the vectors beside them, in one transaction after what `work`
 * writes. Null as for `withOwnerRevision`.
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
  const vectors = await neighbourVectors(deps.db, model, access, [], { statementValidities });
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
