import type { WriteTx } from '../invalidation/write-transaction.ts';
import type { Access } from '../tenancy/access.ts';
import type { ScoredNamePair, StatedLink } from './match.ts';
import { pathBetween } from './merge-forest.ts';
import { addMergeEvidence, mergeNames, reviseEntityHome, readMergeForest, rootsOf } from './merge-store.ts';
import { wasPairRejected, saveReview } from './review-store.ts';

/** The merges and open questions that a resolution found. */
export interface NameLinks {
  readonly merges: readonly ScoredNamePair[];
  readonly reviews: readonly ScoredNamePair[];
  readonly restated: readonly StatedLink[];
}

/**
 * Writes the links of names that are registered in this transaction. `idOf` gives the id under which a name was
 * registered: somebody else may have been first. What changed since it was found is left as it is.
 */
export async function linkNames(
  tx: WriteTx,
  access: Access,
  { merges, reviews, restated }: NameLinks,
  { ownerNo, idOf, at }: { ownerNo: number; idOf: (id: string) => string; at: Date },
): Promise<void> {
  if (!merges.length && !reviews.length && !restated.length) return;
  await reviseEntityHome(tx, access, ownerNo);
  for (const { left, right, ...grounds } of merges) {
    const [one, other] = await rootsOf(tx, access, [idOf(left.id), idOf(right.id)]);
    if (!one || !other || one.id === other.id) continue;
    if (await wasPairRejected(tx, access, [one.id, other.id])) continue;
    // The elder keeps its id; of two that come together, the one with the longer name.
    const isOlder =
      one.createdAt < other.createdAt ||
      (+one.createdAt === +other.createdAt && left.normal.length > right.normal.length);
    const [source, target] = isOlder ? [other, one] : [one, other];
    await mergeNames(tx, access, { source, target }, { reason: 'automatic', grounds, at });
  }
  for (const { left, right, ...grounds } of reviews) {
    const ids = [idOf(left.id), idOf(right.id)] as const;
    await saveReview(tx, access, { ownerNo, ids, status: 'open', grounds, at });
  }
  for (const { ids, memoryIds } of restated) {
    const [one, other] = [idOf(ids[0]), idOf(ids[1])];
    const roots = await rootsOf(tx, access, [one, other]);
    const { edges } = await readMergeForest(tx, access, [...new Set(roots.map((root) => root.id))]);
    const stated = pathBetween(edges, one, other).filter(
      (edge) => edges.find(({ id }) => id === edge.id)!.evidence.length,
    );
    await addMergeEvidence(
      tx,
      access,
      stated.map(({ id }) => id),
      memoryIds,
    );
  }
}
