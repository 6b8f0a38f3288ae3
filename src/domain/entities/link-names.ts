import type { WriteTx } from '../invalidation/write-transaction.ts';
import type { Access } from '../tenancy/access.ts';
import type { ScoredNamePair } from './match.ts';
import { pathBetween } from './merge-forest.ts';
import { addMergeEvidence, mergeNames, bumpEntityOwnerRevision, readMergeForest, rootsOf } from './merge-store.ts';
import { wasPairRejected, saveReview } from './review-store.ts';

/** The merges and open questions that a resolution found. */
export interface NameLinks {
  readonly merges: readonly ScoredNamePair[];
  readonly reviews: readonly ScoredNamePair[];
  readonly restated: readonly ScoredNamePair[];
}

/** The owner of registered names, and the ids of their entities: somebody else may have registered one first. */
interface Registration {
  readonly ownerNo: number;
  readonly idOf: (id: string) => string;
  readonly at: Date;
}

/** Writes the links of names that are registered. What changed since it was found is left as it is. */
export async function linkNames(
  tx: WriteTx,
  access: Access,
  { merges, reviews, restated }: NameLinks,
  registration: Registration,
): Promise<void> {
  if (!merges.length && !reviews.length && !restated.length) return;
  const { ownerNo, idOf, at } = registration;
  await bumpEntityOwnerRevision(tx, access, ownerNo);
  for (const pair of merges) await mergePair(tx, access, pair, registration);
  for (const { left, right, ...grounds } of reviews) {
    const ids = [idOf(left.id), idOf(right.id)] as const;
    await saveReview(tx, access, { ownerNo, ids, status: 'open', grounds, at });
  }
  for (const pair of restated) await restate(tx, access, pair, registration);
}

async function mergePair(
  tx: WriteTx,
  access: Access,
  { left, right, ...grounds }: ScoredNamePair,
  { idOf, at }: Registration,
): Promise<void> {
  const [one, other] = await rootsOf(tx, access, [idOf(left.id), idOf(right.id)]);
  if (!one || !other || one.id === other.id) return;
  if (await wasPairRejected(tx, access, [one.id, other.id])) return;
  // The elder keeps its id; of two that come together, the one with the longer name.
  const isOlder =
    one.createdAt < other.createdAt ||
    (+one.createdAt === +other.createdAt && left.normal.length > right.normal.length);
  const [source, target] = isOlder ? [other, one] : [one, other];
  await mergeNames(tx, access, { source, target }, { reason: 'automatic', grounds, at });
}

/** Makes a merge anew that ended in this transaction with the last memory that stated it in other words. */
async function restate(tx: WriteTx, access: Access, pair: ScoredNamePair, registration: Registration): Promise<void> {
  const [one, other] = [registration.idOf(pair.left.id), registration.idOf(pair.right.id)];
  const rootIds = new Set((await rootsOf(tx, access, [one, other])).map((root) => root.id));
  if (rootIds.size > 1) return mergePair(tx, access, pair, registration);
  const { edges } = await readMergeForest(tx, access, [...rootIds]);
  const stated = pathBetween(edges, one, other).filter(
    (edge) => edges.find(({ id }) => id === edge.id)!.evidence.length,
  );
  await addMergeEvidence(
    tx,
    access,
    stated.map(({ id }) => id),
    pair.evidence,
  );
}
