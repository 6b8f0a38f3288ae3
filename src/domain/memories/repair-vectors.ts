import { transaction } from '../../db/database.ts';
import {
  countIndexed,
  filterIndexed,
  listIndexedMemories,
  type IndexedMemoryKey,
} from '../search-index/indexed-memory-store.ts';
import { countIndexBacklog, filterStale } from '../search-index/stale-vector-store.ts';
import { updateIndexAfterCommit } from '../search-index/index-memories.ts';
import { enqueueReembedding, readSpaces } from '../search-index/space-store.ts';
import type { VectorSpace } from '../vectors/vector-recipe.ts';
import type { Access } from '../tenancy/access.ts';
import type { ReembeddingDependencies } from './reembed.ts';

/** The differences between the index and the rows of an instance, of the vectors that its searches compare. */
export interface IndexDifferences {
  /** Memories and vectors that were looked at. */
  readonly memories: number;
  readonly vectors: number;
  /** Memories without a complete vector; the job that re-embeds puts them. */
  readonly lacking: number;
  /** Vectors without a memory; removed. */
  readonly orphaned: number;
  /** Vectors that say another time, or another owner, than their memory; mended. */
  readonly differing: number;
}

type RepairDependencies = Pick<ReembeddingDependencies, 'db' | 'vectors'>;

const memoriesAtOnce = 500;
const vectorsAtOnce = 1_000;

/**
 * Compares an instance's vectors with its rows, in both directions and page by page, and mends what differs. What is
 * being written meanwhile is left alone: its marks say so. May be stopped and begun again at any point. Throws
 * `unavailable` when the index does not answer.
 */
export async function repairVectorIndexOf(
  deps: RepairDependencies,
  access: Access,
  run: { signal: AbortSignal; progress: (found: IndexDifferences) => void },
): Promise<IndexDifferences> {
  const spaces = await readSpaces(deps.db, access);
  const found = { memories: 0, vectors: 0, lacking: 0, orphaned: 0, differing: 0 };
  if (!spaces) return found;
  const { serving } = spaces;
  const add = (more: Partial<IndexDifferences>) => {
    for (const name of Object.keys(found) as (keyof IndexDifferences)[]) found[name] += more[name] ?? 0;
    run.progress({ ...found });
    run.signal.throwIfAborted();
  };
  let vector: string | null = null;
  do {
    const next: Awaited<ReturnType<typeof mendVectors>> = await mendVectors(deps, access, serving, vector);
    vector = next.last;
    add(next.found);
  } while (vector);
  let memory: IndexedMemoryKey | null = null;
  do {
    const page: IndexedMemoryKey[] = await listIndexedMemories(deps.db, access, memory, memoriesAtOnce);
    add({ memories: page.length, lacking: await countLacking(deps, access, serving, page) });
    memory = page.length < memoriesAtOnce ? null : page.at(-1)!;
  } while (memory);
  if (found.lacking || found.differing) await enqueueReembedding(deps.db, access);
  return found;
}

async function countLacking(
  deps: RepairDependencies,
  access: Access,
  space: VectorSpace,
  page: readonly IndexedMemoryKey[],
) {
  const lacking = await deps.vectors.findMissing(
    access,
    space,
    page.map(({ id }) => id),
  );
  // A memory that was removed meanwhile lacks no vector.
  return (await filterIndexed(deps.db, access, lacking)).size;
}

/** The next vectors: those without a row go, those that say otherwise are set right; `last` is where to go on. */
async function mendVectors(deps: RepairDependencies, access: Access, space: VectorSpace, after: string | null) {
  const held = await deps.vectors.page(access, space, after, vectorsAtOnce);
  const ids = held.map(({ memoryId }) => memoryId);
  const rows = await filterIndexed(deps.db, access, ids);
  const marked = await filterStale(deps.db, access, ids); // after the rows: whoever puts marks before
  const settled = held.filter(({ memoryId }) => !marked.has(memoryId));
  const orphaned = settled.filter(({ memoryId }) => !rows.has(memoryId));
  const misplaced = settled.filter(({ memoryId, ownerNo, validity }) => {
    const row = rows.get(memoryId);
    return row && (row.ownerNo !== ownerNo || row.from.getTime() !== validity.from.getTime());
  });
  const outOfTime = settled.filter(({ memoryId, validity }) => {
    const row = rows.get(memoryId);
    return row && row.until?.getTime() !== validity.until?.getTime();
  });
  const wrong = [...new Set([...orphaned, ...misplaced])].map(({ memoryId }) => memoryId);
  if (wrong.length || outOfTime.length) {
    await transaction(deps.db, async (tx) => {
      if (wrong.length) await deps.vectors.remove(tx, access, wrong);
      for (const { memoryId } of outOfTime) {
        await deps.vectors.setValidity(tx, access, [memoryId], rows.get(memoryId)!.until);
      }
    });
    const mended = [...wrong, ...outOfTime.map(({ memoryId }) => memoryId)];
    await updateIndexAfterCommit(deps.vectors, access, mended);
  }
  return {
    last: held.length < vectorsAtOnce ? null : ids.at(-1)!,
    found: {
      vectors: held.length,
      orphaned: orphaned.length,
      differing: new Set([...misplaced, ...outOfTime]).size,
    },
  };
}

/** The vectors that an instance's searches compare, beside its memories. */
export interface VectorIndexState {
  readonly memories: number;
  /** Complete ones; as many as memories when nothing is under way. */
  readonly vectors: number;
  /** Memories that the index has yet to follow. */
  readonly waiting: number;
}

/** Throws `unavailable` while the index does not answer. */
export async function vectorIndexState(deps: RepairDependencies, access: Access): Promise<VectorIndexState> {
  const spaces = await readSpaces(deps.db, access);
  return {
    memories: await countIndexed(deps.db, access),
    vectors: spaces ? await deps.vectors.size(access, spaces.serving) : 0,
    waiting: await countIndexBacklog(deps.db, access),
  };
}
