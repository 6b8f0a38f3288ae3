import { saveMentionsArchived } from '../entities/entity-store.ts';
import { DomainError } from '../errors.ts';
import { toPublicId } from '../ids.ts';
import { saveIndexTerms, prepareIndex, termCountsOf } from '../search-index/index-memories.ts';
import { defineMemoryChange } from './change-memory.ts';
import { withOwnerRevision } from './with-owner-revision.ts';
import { saveRestored } from './expiry-store.ts';
import { readMemory } from './list-memories.ts';
import { WriteConflict } from './optimistic-lock.ts';
import { readIndexable } from './indexable-store.ts';
import { findActiveTwinOf } from './memory-store.ts';

/**
 * Brings an archived memory back whole: to every search, with its entities, as active or superseded as what was said
 * since makes it. It counts as accessed now. Throws `not_found`, and `conflict` when it is not archived, or the same
 * was said again since.
 */
export const restoreMemory = defineMemoryChange(async (deps, access, { id, ownerNo, expectedRevision, ...place }) => {
  const { status } = await readMemory(deps.db, access, toPublicId('memory', id), {});
  if (status !== 'archived') throw new DomainError('conflict', `this memory is ${status}`);
  const twin = await findActiveTwinOf(deps.db, access, id);
  if (twin)
    throw new DomainError('conflict', `the same was said again and is remembered: ${toPublicId('memory', twin)}`);
  const model = await deps.embedding.serving(access);
  const standing = await readIndexable(deps.db, access, { places: [place], ids: [id], reach: 2, restored: id });
  // It lends a little to what stands beside it, so those vectors are made anew too.
  const entries = await prepareIndex(model, access, standing, {
    only: (memory) =>
      memory.memoryId === id || (memory.documentId === place.documentId && Math.abs(memory.turn - place.turn) === 1),
  });
  const own = entries.filter(({ vector }) => vector.memoryId === id);
  const vectors = entries.map(({ vector }) => vector);
  const change = {
    ownerNo,
    expectedRevision,
    gains: termCountsOf(own),
    made: { space: model.space, vectors },
    ids: [id],
  };
  return withOwnerRevision(deps, access, change, async (tx) => {
    if (!(await saveRestored(tx, access, id, deps.now()))) throw new WriteConflict();
    await saveIndexTerms(tx, access, own);
    await saveMentionsArchived(tx, access, [id], false);
    return true as const;
  });
});
