import type { Db, Tx } from '../../db/database.ts';
import { narrowIfSubjectGiven } from '../configurations/narrow-to-subject.ts';
import { DomainError, invalidInputError, notFoundError } from '../errors.ts';
import { writeTransaction, type WriteDependencies } from '../invalidation/write-transaction.ts';
import { parseId, toPublicId } from '../ids.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import type { Entity, Merge } from './entity.ts';
import {
  findMerge,
  findEntityNamesById,
  mergeNames,
  noMergeGrounds,
  bumpEntityOwnerRevision,
  readMergeForest,
  rootsOf,
  detachNames,
  unmergeName,
  type EntityName,
} from './merge-store.ts';
import { readEntitiesById } from './read.ts';
import { decideReview, findReview, saveReview, type ReviewRow } from './review-store.ts';
import { splitName, findMentions } from './split-store.ts';

/** The dependencies of a change by hand. */
export interface CurationDependencies extends WriteDependencies {
  readonly now: () => Date;
}

/** Two entities are one now. */
export interface MergeResult {
  readonly merge: Merge;
  readonly entity: Entity;
}

const conflict = (message: string) => new DomainError('conflict', message);

/** A review is answered with yes. Throws `not_found`, and `conflict` when it was answered before or is settled. */
export async function confirmReview(
  deps: CurationDependencies,
  access: Access,
  id: string,
  named: SubjectIds,
): Promise<MergeResult> {
  const merge = await answerReview(deps, access, { id, named }, async (tx, review) => {
    const at = deps.now();
    const [left, right] = await rootsOf(tx, access, [review.leftId, review.rightId]);
    if (left!.id === right!.id) throw conflict('these are one entity already');
    if (!(await decideReview(tx, access, review.id, 'confirmed', at))) throw conflict('the review was answered before');
    const [source, target] = left!.createdAt < right!.createdAt ? [right!, left!] : [left!, right!];
    return mergeNames(tx, access, { source, target }, { reason: 'confirmed', grounds: review.grounds, at });
  });
  return {
    merge,
    entity: await requireEntity(deps.db, await narrowIfSubjectGiven(deps.db, access, named), merge.targetEntityId),
  };
}

/** A review is answered with no, for good: the two are never proposed or linked again. Throws like `confirmReview`. */
export async function rejectReview(
  deps: CurationDependencies,
  access: Access,
  id: string,
  named: SubjectIds,
): Promise<void> {
  await answerReview(deps, access, { id, named }, async (tx, review) => {
    if (review.leftRoot === review.rightRoot) throw conflict('these are one entity already');
    if (!(await decideReview(tx, access, review.id, 'rejected', deps.now())))
      throw conflict('the review was answered before');
  });
}

async function answerReview<T>(
  deps: CurationDependencies,
  access: Access,
  { id, named }: { id: string; named: SubjectIds },
  work: (tx: Tx, review: ReviewRow) => Promise<T>,
): Promise<T> {
  const uuid = parseId('review', id);
  const reader = await narrowIfSubjectGiven(deps.db, access, named);
  return writeTransaction(deps, async (tx) => {
    const review = await findReview(tx, access, uuid);
    if (!review) throw notFoundError('review');
    // Else a merge may take the two away between two looks.
    await bumpEntityOwnerRevision(tx, access, review.ownerNo);
    await requireSeen(tx, reader, 'review', [review.leftId, review.rightId]);
    const current = await findReview(tx, access, uuid); // once nobody else changes it
    if (!current) throw notFoundError('review');
    return work(tx, current);
  });
}

/** Merges `sourceId` into `targetId`, whatever was decided before. Throws `not_found`, or `conflict` if impossible. */
export async function mergeEntities(
  deps: CurationDependencies,
  access: Access,
  { sourceId, targetId, ...named }: SubjectIds & { sourceId: string; targetId: string },
): Promise<MergeResult> {
  const ids = [parseId('entity', sourceId), parseId('entity', targetId)];
  const reader = await narrowIfSubjectGiven(deps.db, access, named);
  const merge = await writeTransaction(deps, async (tx) => {
    await requireSeen(tx, reader, 'entity', ids);
    const homes = new Set((await findEntityNamesById(tx, access, ids)).map((name) => name.ownerNo));
    if (homes.size > 1) throw conflict('the entities belong to different customers or users');
    await bumpEntityOwnerRevision(tx, access, [...homes][0]!);
    const [source, target] = await rootsOf(tx, access, ids);
    if (!source || !target) throw notFoundError('entity');
    if (source.id === target.id) throw conflict('these are one entity already');
    const at = deps.now();
    await saveReview(tx, access, {
      ownerNo: source.ownerNo,
      ids: [source.id, target.id],
      status: 'confirmed',
      grounds: noMergeGrounds,
      at,
    });
    return mergeNames(tx, access, { source, target }, { reason: 'manual', grounds: noMergeGrounds, at });
  });
  return { merge, entity: await requireEntity(deps.db, reader, merge.targetEntityId) };
}

/** The entities after a merge was undone. */
export interface UnmergeResult {
  readonly merge: Merge;
  /** The one that was the source, and the one that it was part of. */
  readonly entities: readonly [Entity, Entity];
}

/**
 * Ends a merge: each name has its mentions again, those that came since too, and all other merges hold. The two are
 * not proposed again. Throws `not_found`, and `conflict` when it was undone before.
 */
export async function undoMerge(
  deps: CurationDependencies,
  access: Access,
  id: string,
  named: SubjectIds,
): Promise<UnmergeResult> {
  const uuid = parseId('merge', id);
  const reader = await narrowIfSubjectGiven(deps.db, access, named);
  const merge = await writeTransaction(deps, async (tx) => {
    const found = await findMerge(tx, access, uuid);
    if (!found) throw notFoundError('merge');
    await requireSeen(tx, reader, 'merge', [found.sourceId, found.targetId]);
    await bumpEntityOwnerRevision(tx, access, found.ownerNo);
    const current = await findMerge(tx, access, uuid);
    if (!current) throw notFoundError('merge');
    if (current.merge.undoneAt) throw conflict('the merge was undone before');
    const { ownerNo, sourceId, targetId, grounds } = current;
    const at = deps.now();
    const [root] = await rootsOf(tx, access, [sourceId]);
    await unmergeName(tx, access, { id: uuid, rootId: root!.id }, at);
    await requireSeen(tx, reader, 'merge', [sourceId, targetId]); // each by itself, now that they are two
    await saveReview(tx, access, { ownerNo, ids: [sourceId, targetId], status: 'rejected', grounds, at });
    return { ...current.merge, undoneAt: at };
  });
  const entities = [merge.sourceEntityId, merge.targetEntityId].map((each) => requireEntity(deps.db, reader, each));
  return { merge, entities: (await Promise.all(entities)) as [Entity, Entity] };
}

/** An entity in two: what is left of it, and the new one. */
export interface SplitResult {
  readonly entity: Entity;
  readonly newEntity: Entity;
}

/**
 * Moves the mentions by these memories to a new entity; the two are not proposed again. Throws `not_found` when one of
 * the memories does not mention it, and `conflict` when no mention would be left.
 */
export async function splitEntity(
  deps: CurationDependencies,
  access: Access,
  { entityId, memoryIds, ...named }: SubjectIds & { entityId: string; memoryIds: readonly string[] },
): Promise<SplitResult> {
  if (!memoryIds.length) throw invalidInputError('memory_ids', 'must list the memories that mean a different entity');
  const id = parseId('entity', entityId);
  const memories = memoryIds.map((each) => parseId('memory', each));
  const reader = await narrowIfSubjectGiven(deps.db, access, named);
  const [rest, head] = await writeTransaction(deps, async (tx) => {
    await requireSeen(tx, reader, 'entity', [id]);
    const [before] = await rootsOf(tx, access, [id]);
    await bumpEntityOwnerRevision(tx, access, before!.ownerNo);
    const [root] = await rootsOf(tx, access, [id]);
    if (!root) throw notFoundError('entity');
    const divided = await splitMentions(tx, { access, reader }, { root, memories }, deps.now());
    const [left] = await readEntitiesById(tx, reader, [toPublicId('entity', divided[0])]);
    if (!left) throw conflict('no mention of the entity would be left'); // that this reader may read
    return divided;
  });
  return {
    entity: await requireEntity(deps.db, reader, toPublicId('entity', rest)),
    newEntity: await requireEntity(deps.db, reader, toPublicId('entity', head)),
  };
}

async function splitMentions(
  tx: Tx,
  { access, reader }: { access: Access; reader: Access },
  { root, memories }: { root: EntityName; memories: readonly string[] },
  at: Date,
): Promise<[string, string]> {
  const forest = await readMergeForest(tx, access, [root.id]);
  const nameIds = forest.names.map((name) => name.id);
  const { chosen, counts } = await findMentions(tx, reader, nameIds, memories);
  const mentioning = new Set([...chosen.values()].flat());
  if (memories.some((id) => !mentioning.has(id))) throw notFoundError('mention of the entity');
  const whole = [...chosen].flatMap(([name, ids]) => (ids.length === counts.get(name) ? [name] : []));
  if (whole.length === nameIds.length) throw conflict('no mention of the entity would be left');
  await detachNames(tx, access, forest, whole, at);
  const apart = [...whole];
  for (const [nameId, memoryIds] of chosen) {
    if (!whole.includes(nameId)) apart.push(await splitName(tx, access, { nameId, memoryIds }, at));
  }
  const [head, ...others] = await findEntityNamesById(tx, access, apart);
  for (const source of others)
    await mergeNames(tx, access, { source, target: head! }, { reason: 'split', grounds: noMergeGrounds, at });
  const remaining = nameIds.find((name) => !whole.includes(name))!;
  const [rest] = await rootsOf(tx, access, [remaining]);
  await saveReview(tx, access, {
    ownerNo: root.ownerNo,
    ids: [rest!.id, head!.id],
    status: 'rejected',
    grounds: noMergeGrounds,
    at,
  });
  return [rest!.id, head!.id];
}

/** Throws for entities that the reader may not see: they may neither change them nor learn of them. */
async function requireSeen(tx: Tx, reader: Access, what: string, ids: readonly string[]): Promise<void> {
  const entities = await readEntitiesById(
    tx,
    reader,
    ids.map((id) => toPublicId('entity', id)),
  );
  if (entities.includes(null)) throw notFoundError(what);
}

async function requireEntity(db: Db, reader: Access, id: string): Promise<Entity> {
  const [entity] = await readEntitiesById(db, reader, [id]);
  if (!entity) throw notFoundError('entity'); // forgotten a moment ago
  return entity;
}
