import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { mapPageRecords, pageFromRows, parsePageRequest, type PageRequest } from '../pagination.ts';
import { newUuid } from '../ids.ts';
import { keysetSql } from '../tenancy/keyset-store.ts';
import type { Access } from '../tenancy/access.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import type { EntityMatchReviewStatus } from './entity.ts';
import type { MergeGrounds } from './merge-store.ts';
import type { Feature } from './score.ts';

/** A review, opened, with the entities that its names are part of now. */
export interface ReviewRow {
  readonly id: string;
  readonly ownerNo: number;
  readonly status: EntityMatchReviewStatus;
  readonly leftId: string;
  readonly rightId: string;
  readonly leftRoot: string;
  readonly rightRoot: string;
  readonly grounds: MergeGrounds;
  readonly createdAt: Date;
  readonly decidedAt: Date | null;
}

type Row = Omit<ReviewRow, 'grounds'> & { score: number | null; features: Uint8Array; evidence: string[] };

const select = (conditions: readonly Prisma.Sql[], access: Access) => Prisma.sql`
  SELECT r.id, r.owner_no AS "ownerNo", r.status, r.left_id AS "leftId", r.right_id AS "rightId",
    l.root_id AS "leftRoot", g.root_id AS "rightRoot", r.score, r.features, r.evidence::text[], r.created_at AS "createdAt",
    r.decided_at AS "decidedAt"
  FROM entity_review r JOIN entity l ON l.i = r.i AND l.id = r.left_id JOIN entity g ON g.i = r.i AND g.id = r.right_id
  WHERE ${Prisma.join([...conditions], ' AND ')} AND r.i = ${access.instanceNumber}`;

const decryptReview = ({ keys }: Access, { score, features, evidence, ...row }: Row): ReviewRow => ({
  ...row,
  grounds: {
    score: score === null ? null : Math.round(score * 1_000) / 1_000,
    features: JSON.parse(keys.open('entity_review.features', row.id, features)) as Feature[],
    evidence,
  },
});

/** Reads a review by UUID; null when this instance has none. */
export async function findReview(sql: Sql, access: Access, id: string): Promise<ReviewRow | null> {
  const rows = await sql.$queryRaw<Row[]>`${select([Prisma.sql`r.id = ${id}::uuid`], access)}`;
  return rows[0] ? decryptReview(access, rows[0]) : null;
}

/** Lists reviews of which `access` may read both sides, but no open ones that a merge has answered. */
export async function listReviewsByStatus(
  sql: Sql,
  access: Access,
  status: EntityMatchReviewStatus,
  request: PageRequest,
) {
  const keysetQuery = parsePageRequest('reviews', request);
  const readable = (side: string) => Prisma.sql`EXISTS (
    SELECT 1 FROM mention WHERE mention.entity_id = ${Prisma.raw(side)} AND ${readableBySql(access, 'mention')})`;
  const { order, behind } = keysetSql('r', keysetQuery);
  const isUnsettled = status === 'open' ? [Prisma.sql`l.root_id <> g.root_id`] : [];
  const conditions = [Prisma.sql`r.status = ${status}`, ...isUnsettled, ...behind, readable('l.id'), readable('g.id')];
  const rows = await sql.$queryRaw<Row[]>`
    ${select(conditions, access)} ORDER BY ${order} LIMIT ${keysetQuery.limit}`;
  return mapPageRecords(
    pageFromRows(rows, keysetQuery, ({ createdAt, id }) => ({ at: createdAt, id })),
    (row) => decryptReview(access, row),
  );
}

/** Records a question, or what was decided without one; a pair that is known already keeps its id. */
export async function saveReview(
  tx: Tx,
  access: Access,
  {
    ownerNo,
    ids,
    status,
    grounds,
    at,
  }: {
    ownerNo: number;
    ids: readonly [string, string];
    status: EntityMatchReviewStatus;
    grounds: MergeGrounds;
    at: Date;
  },
): Promise<void> {
  const { instanceNumber, keys } = access;
  const [leftId, rightId] = ids.toSorted() as [string, string];
  const decidedAt = status === 'open' ? null : at;
  const existing = await tx.entityReview.findUnique({
    where: { instanceNumber_leftId_rightId: { instanceNumber, leftId, rightId } },
    select: { id: true },
  });
  if (existing) {
    if (status !== 'open')
      await tx.entityReview.updateMany({ where: { id: existing.id, instanceNumber }, data: { status, decidedAt } });
    return;
  }
  const id = newUuid();
  const features = keys.seal('entity_review.features', id, JSON.stringify(grounds.features));
  const { score, evidence } = grounds;
  await tx.entityReview.create({
    data: {
      instanceNumber,
      id,
      ownerNo,
      leftId,
      rightId,
      status,
      score,
      features,
      evidence: [...evidence],
      createdAt: at,
      decidedAt,
    },
  });
}

/** Answers a question; false when somebody did before. */
export async function decideReview(
  tx: Tx,
  access: Access,
  id: string,
  status: EntityMatchReviewStatus,
  at: Date,
): Promise<boolean> {
  const { count } = await tx.entityReview.updateMany({
    where: { id, status: 'open', instanceNumber: access.instanceNumber },
    data: { status, decidedAt: at },
  });
  return count === 1;
}

/** Whether somebody rejected that two entities are one, by any of their names. */
export async function wasPairRejected(tx: Tx, access: Access, rootIds: readonly [string, string]): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM entity l JOIN entity_review r ON r.i = l.i AND r.left_id = l.id AND r.status = 'rejected'
      JOIN entity g ON g.i = r.i AND g.id = r.right_id
    WHERE l.root_id = ANY(${rootIds}::uuid[]) AND g.root_id = ANY(${rootIds}::uuid[]) AND l.root_id <> g.root_id
      AND l.i = ${access.instanceNumber} LIMIT 1`;
  return rows.length > 0;
}
