import { inParts } from '../flow/in-parts.ts';
import type { Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { WriteTx } from '../invalidation/write-transaction.ts';
import type { Access } from '../tenancy/access.ts';
import { removeFromForest } from './merge-forest.ts';
import { findEntityNamesById, bumpEntityOwnerRevision, readMergeForest, saveForest } from './merge-store.ts';

/** Counts of what a removal of memories took from the graph. */
export interface RemovedGraphCounts {
  readonly links: number;
  /** Names that nobody mentions any more, with what was filed, merged and asked of them. */
  readonly rows: number;
}

/** The owners where what these memories mention is registered. */
export async function entityHomesOfMemories(
  tx: Tx,
  { instanceNumber }: Access,
  memoryIds: readonly string[],
): Promise<number[]> {
  const mentioned = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT entity_id AS id FROM mention WHERE i = ${instanceNumber} AND memory_id = ANY(${memoryIds}::uuid[])`;
  // In two statements: of tables that grew a moment ago a planner knows nothing, and joins row by row with row.
  const rows = await tx.$queryRaw<{ ownerNo: number }[]>`
    SELECT DISTINCT owner_no AS "ownerNo" FROM entity
    WHERE i = ${instanceNumber} AND id = ANY(${mentioned.map(({ id }) => id)}::uuid[])`;
  return rows.map(({ ownerNo }) => ownerNo);
}

/**
 * Removes the links of memories, and what stood on them alone: the names that only they used, the merges and questions
 * that only they stated. Others stay linked as they were. Call it when every owner of the memories is locked, and every
 * home of what they mention: somebody else may be about to mention the same. `kept`: names to which the caller links
 * the memories anew in this transaction, with the spelling of what they say now.
 */
export async function removeMentions(
  tx: WriteTx,
  access: Access,
  memoryIds: readonly string[],
  kept: readonly string[] = [],
): Promise<RemovedGraphCounts> {
  const { instanceNumber } = access;
  const links = await tx.$queryRaw<{ entityId: string }[]>`
    DELETE FROM mention WHERE i = ${instanceNumber} AND memory_id = ANY(${memoryIds}::uuid[])
    RETURNING entity_id AS "entityId"`;
  if (!links.length && !kept.length) return { links: 0, rows: 0 };
  const unfounded = await withdrawEvidence(tx, access, memoryIds);
  const touched = [...new Set(links.map((link) => link.entityId))].filter((id) => !kept.includes(id));
  const mentioned = await inParts(touched, (part) =>
    tx.mention.groupBy({ by: ['entityId'], where: { entityId: { in: part }, instanceNumber } }),
  );
  const still = new Set(mentioned.map((row) => row.entityId));
  const gone = touched.filter((id) => !still.has(id));
  if (!gone.length && !unfounded.length) return { links: links.length, rows: 0 };
  return { links: links.length, rows: await removeNames(tx, access, gone, unfounded) };
}

/** Takes the memories from what was stated by them; returns the merges that nothing states any more. */
async function withdrawEvidence(
  tx: Tx,
  access: Access,
  memoryIds: readonly string[],
): Promise<{ id: string; sourceId: string }[]> {
  const { instanceNumber } = access;
  const without = Prisma.sql`SET evidence = array(SELECT e FROM unnest(evidence) e WHERE e <> ALL(${memoryIds}::uuid[]))
    WHERE i = ${instanceNumber} AND evidence && ${memoryIds}::uuid[]`;
  const asked = await tx.$queryRaw<{ id: string; isOver: boolean }[]>`
    UPDATE entity_review ${without} RETURNING id, status = 'open' AND cardinality(evidence) = 0 AS "isOver"`;
  const over = asked.filter((review) => review.isOver).map((review) => review.id);
  if (over.length) await tx.entityReview.deleteMany({ where: { id: { in: over }, instanceNumber } });
  const merged = await tx.$queryRaw<{ id: string; sourceId: string; isOver: boolean }[]>`
    UPDATE entity_merge ${without}
    RETURNING id, source_id AS "sourceId", reason = 'automatic' AND undone_at IS NULL AND cardinality(evidence) = 0 AS "isOver"`;
  return merged.filter((merge) => merge.isOver);
}

async function removeNames(
  tx: WriteTx,
  access: Access,
  gone: readonly string[],
  unfounded: readonly { id: string; sourceId: string }[],
): Promise<number> {
  const { instanceNumber } = access;
  const touched = await findEntityNamesById(tx, access, [...gone, ...unfounded.map((merge) => merge.sourceId)]);
  for (const ownerNo of [...new Set(touched.map((name) => name.ownerNo))].toSorted((a, b) => a - b)) {
    await bumpEntityOwnerRevision(tx, access, ownerNo);
  }
  const { names, edges } = await readMergeForest(tx, access, [...new Set(touched.map((name) => name.rootId))]);
  const without = new Set(unfounded.map((merge) => merge.id));
  const {
    edges: after,
    ended,
    heirs,
  } = removeFromForest(
    edges.filter((edge) => !without.has(edge.id)),
    gone,
  );
  await saveForest(tx, access, { names, before: edges, after });
  const ids = [...gone];
  const over = [...without, ...ended.map((edge) => edge.id)];
  const merges = await tx.$executeRaw`
    DELETE FROM entity_merge WHERE i = ${instanceNumber} AND (id = ANY(${over}::uuid[])
      OR undone_at IS NOT NULL AND (source_id = ANY(${ids}::uuid[]) OR target_id = ANY(${ids}::uuid[])))`;
  const reviews = await reassignReviews(tx, access, ids, heirs);
  const blocks = await tx.entityBlockingKey.deleteMany({ where: { entityId: { in: ids }, instanceNumber } });
  const entities = await tx.entity.deleteMany({ where: { id: { in: ids }, instanceNumber } });
  return merges + reviews + blocks.count + entities.count;
}

/** A no is about the entity: it holds for what is left of it. All else that was asked of a name goes with it. */
async function reassignReviews(
  tx: Tx,
  access: Access,
  gone: readonly string[],
  heirs: ReadonlyMap<string, string>,
): Promise<number> {
  const { instanceNumber } = access;
  const goneIds = new Set(gone);
  const onLeft = await inParts(gone, (part) =>
    tx.entityReview.findMany({ where: { leftId: { in: part }, instanceNumber } }),
  );
  const onRight = await inParts(gone, (part) =>
    tx.entityReview.findMany({ where: { rightId: { in: part }, instanceNumber } }),
  );
  const reviews = [...onLeft, ...onRight.filter(({ leftId }) => !goneIds.has(leftId))];
  let removed = 0;
  for (const { id, leftId, rightId, status } of reviews) {
    const heirOf = (name: string) => (goneIds.has(name) ? heirs.get(name) : name);
    const [left, right] = [heirOf(leftId), heirOf(rightId)];
    const pair = left && right && left !== right ? ([left, right].toSorted() as [string, string]) : null;
    const taken =
      pair && (await tx.entityReview.count({ where: { leftId: pair[0], rightId: pair[1], instanceNumber } }));
    if (status === 'rejected' && pair && !taken) {
      await tx.entityReview.updateMany({ where: { id, instanceNumber }, data: { leftId: pair[0], rightId: pair[1] } });
    } else removed += (await tx.entityReview.deleteMany({ where: { id, instanceNumber } })).count;
  }
  return removed;
}
