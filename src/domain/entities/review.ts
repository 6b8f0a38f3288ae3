import type { Tx } from '../../db/database.ts';
import { narrowIfNamed } from '../configurations/narrow.ts';
import { mapPage, type Page, type PageRequest } from '../cursor.ts';
import { notFound } from '../errors.ts';
import { parseId, printId } from '../ids.ts';
import type { Access, Named } from '../tenancy/access.ts';
import type { Review } from './entity.ts';
import { readEntitiesById, readEvidence } from './read.ts';
import { findReview, listOpen, type ReviewRow } from './review-store.ts';

const shownEvidence = 3;

/** The open questions with both sides as the reader may see them. */
export async function listReviews(tx: Tx, access: Access, named: Named, page: PageRequest): Promise<Page<Review>> {
  const reader = await narrowIfNamed(tx, access, named);
  const open = await listOpen(tx, reader, page);
  const reviews = new Map((await withSides(tx, reader, open.data)).map((review) => [review.id, review]));
  return mapPage(open, ({ id }) => reviews.get(printId('review', id)));
}

/** One review in any state. Throws `not_found`. */
export async function readReview(tx: Tx, access: Access, id: string, named: Named): Promise<Review> {
  const reader = await narrowIfNamed(tx, access, named);
  const row = await findReview(tx, access, parseId('review', id));
  const [review] = row ? await withSides(tx, reader, [row]) : [];
  if (!review) throw notFound('review');
  return review;
}

async function withSides(tx: Tx, reader: Access, rows: readonly ReviewRow[]): Promise<Review[]> {
  const rootIds = [...new Set(rows.flatMap((row) => [row.leftRoot, row.rightRoot]))];
  const entities = await readEntitiesById(
    tx,
    reader,
    rootIds.map((id) => printId('entity', id)),
  );
  const evidence = await readEvidence(tx, reader, rootIds, shownEvidence);
  const sides = new Map(
    rootIds.map((id, n) => [id, entities[n] ? { entity: entities[n], evidence: evidence.get(id) ?? [] } : undefined]),
  );
  return rows.flatMap(({ id, status, grounds, createdAt, leftRoot, rightRoot }) => {
    const [left, right] = [sides.get(leftRoot), sides.get(rightRoot)];
    if (!left || !right) return [];
    const { score, features } = grounds;
    return [{ id: printId('review', id), status, score, features, left, right, createdAt }];
  });
}
