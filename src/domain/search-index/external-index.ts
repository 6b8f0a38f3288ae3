import { transaction, type Db, type Tx } from '../../db/database.ts';
import { DomainError } from '../errors.ts';
import { chunksOf } from '../flow/chunks-of.ts';
import type { Access, NarrowedAccess } from '../tenancy/access.ts';
import {
  countIndexBacklog,
  clearPendingWrite,
  clearStaleVectors,
  deleteStaleVectorsOfInstance,
  markIndexBehind,
  markPendingWrite,
  msUntilNextSync,
  readStaleVectors,
  type StaleVector,
} from './stale-vector-store.ts';
import { filterByProvenance, filterIndexed } from './indexed-memory-store.ts';
import { enqueueReembedding, readSpaces } from './space-store.ts';
import type { IndexedVector, ComputedVectors, VectorIndex, VectorReads, VectorSearch } from './vector-index.ts';
import type { VectorScore } from '../vectors/similarity.ts';
import type { VectorSpace } from '../vectors/vector-recipe.ts';

/** New properties of a vector that stays. */
export interface VectorAmendment {
  readonly memoryId: string;
  readonly until: Date | null;
  /** The numbers cannot be trusted: the memory counts as lacking until it is put again. */
  readonly isUnsure: boolean;
}

/** A remote vector store. Calls are bounded in time and idempotent; `unavailable`: a call may not have been done. */
export interface ExternalVectors extends VectorReads {
  /** The numbers of those that are there. */
  read(
    access: Pick<Access, 'instance'>,
    space: VectorSpace,
    memoryIds: readonly string[],
  ): Promise<Map<string, Float32Array>>;
  put(access: Access, made: ComputedVectors): Promise<void>;
  /** Amends vectors; those that are not there are left out. */
  amend(access: Access, space: VectorSpace, amendments: readonly VectorAmendment[]): Promise<void>;
  /** Removes vectors from every space, or from all but one; returns how many went. */
  remove(access: Access, memoryIds: readonly string[], kept?: VectorSpace): Promise<number>;
  count(access: Access, memoryIds: readonly string[]): Promise<number>;
  findMissing(access: Access, space: VectorSpace, memoryIds: readonly string[]): Promise<string[]>;
  size(access: Access, space: VectorSpace): Promise<number>;
  page(access: Access, space: VectorSpace, after: string | null, limit: number): Promise<IndexedVector[]>;
  /** Removes all vectors of the instance that are in none of the `kept` spaces. */
  clear(access: Pick<Access, 'instance'>, kept: readonly VectorSpace[]): Promise<void>;
}

/** Says in the transaction that vectors changed, where searches compare those of `space`: copies are kept up by it. */
export type MarkVectorsChanged = (
  tx: Tx,
  access: Access,
  memoryIds: readonly string[],
  space: VectorSpace,
) => Promise<void>;

const followedAtOnce = 500;
/** A search beyond a network answers no more: Weaviate's own limit. */
const foundAtMost = 10_000;

/**
 * An index over a store outside our transactions. Vectors are written first, under a mark that the commit of their
 * rows clears; code that changes or removes rows marks them in its own transaction. The committing process, or else a
 * job, then updates the index for each marked memory, so after any crash, outage or lost race the index matches the
 * rows. See docs/decisions/0021.
 */
export function createExternalIndex(db: Db, outside: ExternalVectors, markChanged: MarkVectorsChanged): VectorIndex {
  /** Brings marked memories to what their rows say; returns how many vectors were removed. */
  async function applyMarks(access: Access, marks: readonly StaleVector[]): Promise<number> {
    if (!marks.length) return 0;
    const serving = (await readSpaces(db, access))?.serving;
    const gone = marks.filter(({ row }) => !row).map(({ memoryId }) => memoryId);
    const standing = marks.filter(({ row }) => row);
    const ids = standing.map(({ memoryId }) => memoryId);
    const removed = gone.length ? await outside.remove(access, gone) : 0;
    if (serving && ids.length) {
      const amendments = standing.map(({ memoryId, row, isUnsure }) => {
        return { memoryId, until: row!.until, isUnsure };
      });
      await outside.amend(access, serving, amendments);
      await outside.remove(access, ids, serving); // what is being built of them is made anew
    }
    await transaction(db, async (tx) => {
      await clearStaleVectors(tx, access, marks);
      // A row may have come while its vector went: the job that re-embeds finds what lacks.
      const came = await filterIndexed(tx, access, gone);
      const spaces = await readSpaces(tx, access);
      const isUnsure = standing.some((mark) => mark.isUnsure);
      if (came.size || isUnsure || (spaces?.building && ids.length)) await enqueueReembedding(tx, access);
    });
    return removed;
  }

  /** Filters by provenance, which only the rows have: more of the nearest are asked for until enough are left. */
  async function nearest(access: NarrowedAccess, { provenance, ...search }: VectorSearch): Promise<VectorScore[]> {
    if (!provenance) return outside.nearest(access, search);
    for (let limit = 4 * search.limit; ; limit *= 4) {
      const asked = Math.min(limit, foundAtMost);
      const found = await outside.nearest(access, { ...search, limit: asked });
      const ids = found.map(({ memoryId }) => memoryId);
      const said = await filterByProvenance(db, access, ids, provenance);
      const kept = found.filter(({ memoryId }) => said.has(memoryId)).slice(0, search.limit);
      if (kept.length === search.limit || found.length < asked || asked === foundAtMost) return kept;
    }
  }

  return {
    needsReconciliation: true,

    nearest: async (access, search) => (access.readableOwners.length ? nearest(access, search) : []),
    score: async (access, vector, memoryIds) =>
      access.readableOwners.length && memoryIds.length ? outside.score(access, vector, memoryIds) : [],

    async prepare(access, made, { allowDeferred } = { allowDeferred: false }) {
      if (!made.vectors.length) return { ...made, mark: null, isDeferred: false };
      const mark = await markPendingWrite(db, access, idsOf(made));
      try {
        await outside.put(access, made);
        return { ...made, mark, isDeferred: false };
      } catch (error) {
        if (!allowDeferred || !(error instanceof DomainError)) throw error;
        return { ...made, mark, isDeferred: true };
      }
    },
    async put(tx, access, { mark, isDeferred, ...made }) {
      if (!mark) return true;
      const [isOurs] = await Promise.all([
        clearPendingWrite(tx, access, idsOf(made), mark),
        markChanged(tx, access, idsOf(made), made.space), // those that had one before: the others come after this
      ]);
      if (isOurs && isDeferred) await markIndexBehind(tx, access, idsOf(made), { isUnsure: true });
      return isOurs;
    },
    setValidity: (tx, access, memoryIds) => markIndexBehind(tx, access, memoryIds, { isUnsure: false }),
    refreshProvenance: async () => undefined, // it is in the rows alone
    async remove(tx, access, memoryIds, space) {
      await markIndexBehind(tx, access, memoryIds, { isUnsure: !space });
      return 0;
    },
    async applyPending(access, memoryIds) {
      let removed = 0;
      for (const some of chunksOf(memoryIds, followedAtOnce)) {
        removed += await applyMarks(
          access,
          await readStaleVectors(db, access, { memoryIds: some, limit: followedAtOnce }),
        );
      }
      return removed;
    },
    async applyAllPending(access) {
      for (;;) {
        const due = await readStaleVectors(db, access, { limit: followedAtOnce });
        await applyMarks(access, due);
        if (due.length < followedAtOnce) return msUntilNextSync(db, access);
      }
    },

    async count(access, memoryIds) {
      try {
        return await outside.count(access, memoryIds);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return countIndexBacklog(db, access, memoryIds); // unreachable: what it has yet to remove
      }
    },
    findMissing: (...args) => outside.findMissing(...args),
    size: (...args) => outside.size(...args),
    page: (...args) => outside.page(...args),
    // Every commit since has marked what it changed.
    isStillComplete: async (tx, access) => (await countIndexBacklog(tx, access)) === 0,
    async clear(access, kept) {
      await outside.clear(access, kept);
      return 0;
    },
    async dropInstance(access) {
      await outside.clear(access, []);
      await deleteStaleVectorsOfInstance(db, access);
    },
  };
}

const idsOf = ({ vectors }: ComputedVectors) => vectors.map(({ memoryId }) => memoryId);
