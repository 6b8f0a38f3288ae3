import type { WriteTx } from '../invalidation/write-transaction.ts';
import type { Access } from '../tenancy/access.ts';
import type { ScoredPair, StatedLink } from './match.ts';
import { pathBetween } from './merge-forest.ts';
import { addEvidence, join, openHome, readForest, rootsOf } from './merge-store.ts';
import { isRejected, saveReview } from './review-store.ts';

/** The merges and open questions that a resolution found. */
export interface FoundLinks {
  readonly merges: readonly ScoredPair[];
  readonly reviews: readonly ScoredPair[];
  readonly restated: readonly StatedLink[];
}

/**
 * Writes the links of names that are registered in this transaction. `idOf` gives the id under which a name was
 * registered: somebody else may have been first. What changed since it was found is left as it is.
 */
export async function linkNames(
  tx: WriteTx,
  access: Access,
  { merges, reviews, restated }: FoundLinks,
  { ownerNo, idOf, at }: { ownerNo: number; idOf: (id: string) => string; at: Date },
): Promise<void> {
  if (!merges.length && !reviews.length && !restated.length) return;
  await openHome(tx, access, ownerNo);
  for (const { left, right, ...grounds } of merges) {
    const [one, other] = await rootsOf(tx, access, [idOf(left.id), idOf(right.id)]);
    if (!one || !other || one.id === other.id) continue;
    if (await isRejected(tx, access, [one.id, other.id])) continue;
    // The elder keeps its id; of two that come together, the one with the longer name.
    const isOlder =
      one.createdAt < other.createdAt ||
      (+one.createdAt === +other.createdAt && left.normal.length > right.normal.length);
    const [source, target] = isOlder ? [other, one] : [one, other];
    await join(tx, access, { source, target }, { reason: 'automatic', grounds, at });
  }
  for (const { left, right, ...grounds } of reviews) {
    const ids = [idOf(left.id), idOf(right.id)] as const;
    await saveReview(tx, access, { ownerNo, ids, status: 'open', grounds, at });
  }
  for (const { ids, memoryIds } of restated) {
    const [one, other] = [idOf(ids[0]), idOf(ids[1])];
    const roots = await rootsOf(tx, access, [one, other]);
    const { edges } = await readForest(tx, access, [...new Set(roots.map((root) => root.id))]);
    const stated = pathBetween(edges, one, other).filter(
      (edge) => edges.find(({ id }) => id === edge.id)!.evidence.length,
    );
    await addEvidence(
      tx,
      access,
      stated.map(({ id }) => id),
      memoryIds,
    );
  }
}
