import type { Sql } from '../../db/database.ts';
import { narrowIfSubjectGiven } from '../configurations/narrow-to-subject.ts';
import { mapPageRecords, type Page, type PageRequest } from '../pagination.ts';
import { notFoundError } from '../errors.ts';
import { parseId, toPublicId } from '../ids.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import type { EntityMatchReview, EntityMatchReviewStatus } from './entity.ts';
import { readEntitiesById, readEvidence } from './read.ts';
import { findReview, listReviewsByStatus, type ReviewRow } from './review-store.ts';

const shownEvidence = 3;

/** The questions in a state, by default those that wait, with both sides as the reader may see them. */
export async function listReviews(
  sql: Sql,
  access: Access,
  { status = 'open', ...named }: SubjectIds & { readonly status?: EntityMatchReviewStatus | undefined },
  page: PageRequest,
): Promise<Page<EntityMatchReview>> {
  const reader = await narrowIfSubjectGiven(sql, access, named);
  const open = await listReviewsByStatus(sql, reader, status, page);
  const reviews = new Map((await withSides(sql, reader, open.data)).map((review) => [review.id, review]));
  return mapPageRecords(open, ({ id }) => reviews.get(toPublicId('review', id)));
}

/** One review in any state. Throws `not_found`. */
export async function readReview(sql: Sql, access: Access, id: string, named: SubjectIds): Promise<EntityMatchReview> {
  const reader = await narrowIfSubjectGiven(sql, access, named);
  const row = await findReview(sql, access, parseId('review', id));
  const [review] = row ? await withSides(sql, reader, [row]) : [];
  if (!review) throw notFoundError('review');
  return review;
}

async function withSides(sql: Sql, reader: Access, rows: readonly ReviewRow[]): Promise<EntityMatchReview[]> {
  const rootIds = [...new Set(rows.flatMap((row) => [row.leftRoot, row.rightRoot]))];
  const entities = await readEntitiesById(
    sql,
    reader,
    rootIds.map((id) => toPublicId('entity', id)),
  );
  const evidence = await readEvidence(sql, reader, rootIds, shownEvidence);
  const sides = new Map(
    rootIds.map((id, n) => [id, entities[n] ? { entity: entities[n], evidence: evidence.get(id) ?? [] } : undefined]),
  );
  return rows.flatMap(({ id, status, grounds, createdAt, decidedAt, leftRoot, rightRoot }) => {
    const [left, right] = [sides.get(leftRoot), sides.get(rightRoot)];
    if (!left || !right) return [];
    const { score, features } = grounds;
    return [{ id: toPublicId('review', id), status, score, features, left, right, createdAt, decidedAt }];
  });
}
