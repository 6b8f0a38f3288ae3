import { currentConfiguration } from '../configurations/configuration-store.ts';
import { unavailableError } from '../errors.ts';
import type { WriteDependencies } from '../invalidation/write-transaction.ts';
import type { EmbeddingModels, SpaceEmbedder } from '../search-index/embedding-models.ts';
import { prepareIndex } from '../search-index/index-memories.ts';
import { countIndexed, listIndexedMemories, type IndexedMemoryKey } from '../search-index/indexed-memory-store.ts';
import {
  startBuildingSpace,
  lockSpaces,
  readSpaces,
  switchToBuiltSpace,
  type VectorSpaces,
} from '../search-index/space-store.ts';
import { isSameSpace, type VectorSpace } from '../vectors/vector-recipe.ts';
import type { VectorIndex } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import { findOwners, lockOwnersIfUnchanged, bumpOwnerRevision } from '../tenancy/owner-store.ts';
import { WriteConflict, withOptimisticLock } from './optimistic-lock.ts';
import { readIndexable } from './indexable-store.ts';

export interface ReembeddingDependencies extends WriteDependencies {
  readonly vectors: VectorIndex;
  readonly embedding: EmbeddingModels;
  readonly now: () => Date;
}

const pageSize = 256;
/** Memories whose texts are embedded at once. */
const batchSize = 64;
const removedAtOnce = 1_000;
/** Memories that changed behind the place that was reached are found by starting again, after this pause. */
const beginAgainMs = 500;
/** The old vectors stay this long after a switch, for searches that began before it. */
export const oldVectorsRetentionMs = 60_000;

/**
 * Brings an instance's vectors to the model of its configuration, and completes those that were stored while the model
 * was away. Searches compare the old vectors until every memory has a new one; then one commit switches, and the old
 * ones go a minute later. Whatever was done stays done: it may be stopped and begun again at any point. Resolves with
 * how long to wait before going on, or null when all is done. Throws `unavailable` when the model does not answer.
 */
export async function reembedMemories(
  deps: ReembeddingDependencies,
  accessNow: () => Promise<Access>,
  run: { signal: AbortSignal; progress: (access: Access) => Promise<void> },
): Promise<number | null> {
  let place: Place = null;
  while (!run.signal.aborted) {
    const access = await accessNow(); // its configuration may have changed
    const spaces = await readSpaces(deps.db, access);
    if (!spaces) return null;
    const wanted = await deps.embedding.wanted(access, await currentConfiguration(deps.db, access));
    const target = wanted.space;
    if (!isSameSpace(target, spaces.building ?? spaces.serving)) {
      const waitMs = await changeBuildingSpace(deps, access, spaces, target);
      if (waitMs) return waitMs;
      place = null;
    } else if (place !== 'end') {
      place = await embedNext(deps, access, wanted, place, run.signal);
      await run.progress(access);
    } else if (!(await holdsEveryMemory(deps, access, target))) {
      return beginAgainMs;
    } else if (spaces.building) {
      if (!(await switchTo(deps, access, target))) return beginAgainMs;
    } else {
      return (await clearOld(deps, access, spaces)) || null;
    }
  }
  return 0;
}

/** The progress of a pass over the memories; null at its beginning. */
type Place = IndexedMemoryKey | 'end' | null;

/** Begins to build the space that is wanted, or ends building one that is not any more; 0 or how long to wait. */
async function changeBuildingSpace(
  deps: ReembeddingDependencies,
  access: Access,
  spaces: VectorSpaces,
  wanted: VectorSpace,
): Promise<number> {
  if (spaces.building) {
    await startBuildingSpace(deps.db, access, null, deps.now());
    return 0;
  }
  const waitMs = await clearOld(deps, access, spaces); // what was once built in it is out of date
  if (!waitMs) await startBuildingSpace(deps.db, access, wanted, deps.now());
  return waitMs;
}

/** Every memory has its complete vector in the space. */
async function holdsEveryMemory(
  deps: Pick<ReembeddingDependencies, 'db' | 'vectors'>,
  access: Access,
  space: VectorSpace,
): Promise<boolean> {
  return (await deps.vectors.size(access, space)) >= (await countIndexed(deps.db, access));
}

/** Embeds the next few that lack a vector; returns the place to go on from. */
async function embedNext(
  deps: ReembeddingDependencies,
  access: Access,
  model: SpaceEmbedder,
  place: IndexedMemoryKey | null,
  signal: AbortSignal,
): Promise<Place> {
  const page = await listIndexedMemories(deps.db, access, place, pageSize);
  const lacking = new Set(
    await deps.vectors.findMissing(
      access,
      model.space,
      page.map(({ id }) => id),
    ),
  );
  const batch = page.filter(({ id }) => lacking.has(id)).slice(0, batchSize);
  if (!batch.length) return page.at(-1) ?? 'end';
  return (await embedBatch(deps, access, model, batch, signal)) ? batch.at(-1)! : place;
}

/** False when an owner changed, or another model was wanted, before the vectors could be stored. */
async function embedBatch(
  deps: ReembeddingDependencies,
  access: Access,
  model: SpaceEmbedder,
  batch: readonly IndexedMemoryKey[],
  signal: AbortSignal,
): Promise<boolean> {
  // Read before all else: what is decided below rests on these revisions.
  const seen = await findOwners(deps.db, access.instanceNumber, [...new Set(batch.map(({ ownerNo }) => ownerNo))]);
  const ids = batch.map(({ id }) => id);
  const memories = await readIndexable(deps.db, access, { ids });
  // Only other turns lend to a memory: of its own, which may be a whole text, nothing is read.
  const beside = memories.flatMap(({ documentId, turn }) =>
    [turn - 1, turn + 1].map((at) => ({ documentId, turn: at })),
  );
  const standing = await readIndexable(deps.db, access, { ids, places: beside });
  const wanted = new Set(ids);
  const entries = await prepareIndex(model, access, standing, { only: ({ memoryId }) => wanted.has(memoryId), signal });
  const vectors = entries.map((entry) => entry.vector);
  if (!vectors.every(({ isComplete }) => isComplete)) {
    throw unavailableError('the embedding model does not answer');
  }
  const prepared = await deps.vectors.prepare(access, { space: model.space, vectors });
  const isStored = await withOptimisticLock(deps, access, async (tx) => {
    if (!(await lockOwnersIfUnchanged(tx, access.instanceNumber, seen))) return false;
    const spaces = await lockSpaces(tx, access);
    const isServing = spaces !== null && isSameSpace(spaces.serving, model.space);
    const isAwaited = isServing || (spaces?.building && isSameSpace(spaces.building, model.space));
    if (!isAwaited) return false;
    // Searches now compare other vectors; cached copies learn of it by the owner's revision.
    if (isServing)
      for (const { ownerNo } of seen)
        await bumpOwnerRevision(tx, access.instanceNumber, ownerNo, { memories: 0, terms: 0 });
    if (!(await deps.vectors.put(tx, access, prepared))) throw new WriteConflict();
    return true;
  });
  return isStored === true;
}

/** Writers wait meanwhile, so that no memory is left without a vector. False: one is, so nothing was switched. */
async function switchTo(deps: ReembeddingDependencies, access: Access, built: VectorSpace): Promise<boolean> {
  const isDone = await withOptimisticLock(deps, access, async (tx) => {
    if (!(await switchToBuiltSpace(tx, access, built, deps.now()))) return true; // another model is wanted by now
    if (!(await deps.vectors.isStillComplete(tx, access, built, await countIndexed(tx, access))))
      throw new WriteConflict();
    return true;
  });
  deps.embedding.forget(access);
  return isDone === true;
}

/** Removes the vectors that nobody compares; 0, or how long some have to stay for searches under way. */
async function clearOld(
  deps: ReembeddingDependencies,
  access: Access,
  { serving, switchedAt }: VectorSpaces,
): Promise<number> {
  const stayMs = switchedAt ? switchedAt.getTime() + oldVectorsRetentionMs - deps.now().getTime() : 0;
  if (stayMs > 0) return stayMs;
  while ((await deps.vectors.clear(access, [serving], removedAtOnce)) === removedAtOnce);
  return 0;
}

export interface EmbeddingProgress {
  readonly model: string;
  /** Memories that have their vector, of all. */
  readonly done: number;
  readonly total: number;
}

/** The model that searches compare by, and how far the next one has come. */
export interface EmbeddingState {
  readonly model: string;
  readonly reembedding: (EmbeddingProgress & { readonly startedAt: Date }) | null;
}

export async function embeddingState(
  deps: Omit<ReembeddingDependencies, 'now'>,
  access: Access,
): Promise<EmbeddingState> {
  const spaces = await readSpaces(deps.db, access);
  if (!spaces) return { model: (await deps.embedding.serving(access)).space.model, reembedding: null };
  const { serving, building, startedAt } = spaces;
  if (!building) return { model: serving.model, reembedding: null };
  const progress = await progressIn(deps, access, building);
  return { model: serving.model, reembedding: { ...progress, startedAt: startedAt! } };
}

/** The progress of making vectors, also when those that serve are made again. */
export async function embeddingProgress(
  deps: Omit<ReembeddingDependencies, 'now'>,
  access: Access,
): Promise<EmbeddingProgress> {
  const spaces = await readSpaces(deps.db, access);
  return progressIn(deps, access, spaces?.building ?? spaces?.serving ?? (await deps.embedding.serving(access)).space);
}

async function progressIn(
  deps: Omit<ReembeddingDependencies, 'now'>,
  access: Access,
  space: VectorSpace,
): Promise<EmbeddingProgress> {
  const done = await deps.vectors.size(access, space);
  return { model: space.model, done, total: await countIndexed(deps.db, access) };
}
