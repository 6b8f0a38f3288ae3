import { inParts } from '../flow/in-parts.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { WriteTx } from '../invalidation/write-transaction.ts';
import { newUuid, toPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import { bumpOwnerRevision } from '../tenancy/owner-store.ts';
import type { Merge, MergeReason } from './entity.ts';
import { removeFromForest, mergeSubtreeOf, rootByName, type MergeEdge } from './merge-forest.ts';
import type { Feature } from './score.ts';

/** Why two names are one or may be: kept with the merge or the review. */
export interface MergeGrounds {
  readonly score: number | null;
  readonly features: readonly Feature[];
  readonly evidence: readonly string[];
}

export const noMergeGrounds: MergeGrounds = { score: null, features: [], evidence: [] };

/** A registered name and the entity that it is part of. */
export interface EntityName {
  readonly id: string;
  readonly rootId: string;
  readonly ownerNo: number;
  readonly createdAt: Date;
}

/**
 * Begins a change of what is linked in a home: until the transaction ends nobody else changes it, and what its readers
 * see is of a new revision.
 */
export const bumpEntityOwnerRevision = (tx: WriteTx, access: Access, ownerNo: number) =>
  bumpOwnerRevision(tx, access.instanceNumber, ownerNo, { memories: 0, terms: 0 });

export const findEntityNamesById = (sql: Sql, access: Access, ids: readonly string[]): Promise<EntityName[]> =>
  sql.entity.findMany({
    where: { id: { in: [...ids] }, instanceNumber: access.instanceNumber },
    select: { id: true, rootId: true, ownerNo: true, createdAt: true },
  });

/** The entities that these names are part of, in their order; fewer where a name is gone. */
export async function rootsOf(tx: Tx, access: Access, ids: readonly string[]): Promise<EntityName[]> {
  const names = new Map((await findEntityNamesById(tx, access, ids)).map((name) => [name.id, name.rootId]));
  const rootIds = ids.flatMap((id) => names.get(id) ?? []);
  const roots = new Map((await findEntityNamesById(tx, access, rootIds)).map((name) => [name.id, name]));
  return rootIds.flatMap((id) => roots.get(id) ?? []);
}

/** The names of entities, with the merges that hold among them, oldest first. */
export async function readMergeForest(
  tx: Tx,
  access: Access,
  rootIds: readonly string[],
): Promise<{ names: EntityName[]; edges: (MergeEdge & { evidence: string[] })[] }> {
  const names = await tx.entity.findMany({
    where: { rootId: { in: [...rootIds] }, instanceNumber: access.instanceNumber },
    select: { id: true, rootId: true, ownerNo: true, createdAt: true },
  });
  const nameIds = names.map(({ id }) => id);
  const edges = await inParts(nameIds, (part) =>
    tx.entityMerge.findMany({
      where: { sourceId: { in: part }, undoneAt: null, instanceNumber: access.instanceNumber },
      select: { id: true, sourceId: true, targetId: true, evidence: true, createdAt: true },
    }),
  );
  const inTime = (one: (typeof edges)[number], other: (typeof edges)[number]) =>
    one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1);
  return { names, edges: edges.toSorted(inTime) };
}

/** Makes the source, a root, part of the target, another. */
export async function mergeNames(
  tx: Tx,
  access: Access,
  { source, target }: { source: EntityName; target: EntityName },
  { reason, grounds, at }: { reason: MergeReason; grounds: MergeGrounds; at: Date },
): Promise<Merge> {
  const { instanceNumber, keys } = access;
  const id = newUuid();
  const { score, features, evidence } = grounds;
  const sealed = keys.seal('entity_merge.features', id, JSON.stringify(features));
  const row = { instanceNumber, id, ownerNo: target.ownerNo, sourceId: source.id, targetId: target.id, reason, score };
  await tx.entityMerge.create({ data: { ...row, features: sealed, evidence: [...evidence], createdAt: at } });
  await tx.entity.updateMany({ where: { rootId: source.id, instanceNumber }, data: { rootId: target.id } });
  return toMerge(access, { ...row, features: sealed, createdAt: at, undoneAt: null });
}

type Row = NonNullable<Awaited<ReturnType<Tx['entityMerge']['findUnique']>>>;

/** A merge without the memories that state it; with a mention of its source, where one was looked up. */
type BareRow = Omit<Row, 'evidence'> & {
  readonly mentionedIn?: string | null;
  readonly mentionedAs?: Uint8Array | null;
};

const toMerge = ({ keys }: Access, row: BareRow): Merge => ({
  id: toPublicId('merge', row.id),
  reason: row.reason as MergeReason,
  score: row.score === null ? null : Math.round(row.score * 1_000) / 1_000,
  features: JSON.parse(keys.open('entity_merge.features', row.id, row.features)) as Feature[],
  sourceEntityId: toPublicId('entity', row.sourceId),
  sourceName: row.mentionedIn && row.mentionedAs ? keys.open('mention.name', row.mentionedIn, row.mentionedAs) : null,
  targetEntityId: toPublicId('entity', row.targetId),
  createdAt: row.createdAt,
  undoneAt: row.undoneAt,
});

/** A merge by its UUID, in force or undone, with the names it links. */
export async function findMerge(tx: Tx, access: Access, id: string) {
  const row = await tx.entityMerge.findUnique({
    where: { instanceNumber_id: { instanceNumber: access.instanceNumber, id } },
  });
  if (!row) return null;
  const { ownerNo, sourceId, targetId, score, evidence } = row;
  const merge = toMerge(access, row);
  return { ownerNo, sourceId, targetId, grounds: { score, evidence, features: merge.features }, merge };
}

/** The merges in force of these entities (UUIDs of roots) of which `access` may read both names, newest first. */
export async function readMergesOfEntities(
  sql: Sql,
  access: Access,
  rootIds: readonly string[],
): Promise<Map<string, Merge[]>> {
  if (!rootIds.length) return new Map();
  const readable = (id: string) => Prisma.sql`EXISTS (
    SELECT 1 FROM mention WHERE mention.entity_id = ${Prisma.raw(id)} AND ${readableBySql(access, 'mention')})`;
  const rows = await sql.$queryRaw<(BareRow & { rootId: string })[]>`
    SELECT g.id, g.i AS "instanceNumber", g.owner_no AS "ownerNo", g.source_id AS "sourceId", g.target_id AS "targetId", g.reason, g.score,
      g.features, g.created_at AS "createdAt", g.undone_at AS "undoneAt", s.root_id AS "rootId",
      m.memory_id AS "mentionedIn", m.name AS "mentionedAs"
    FROM entity s JOIN entity_merge g ON g.i = s.i AND g.source_id = s.id AND g.undone_at IS NULL
    LEFT JOIN LATERAL (
      SELECT mention.memory_id, mention.name FROM mention
      WHERE mention.entity_id = g.source_id AND ${readableBySql(access, 'mention')} LIMIT 1) AS m ON true
    WHERE s.root_id = ANY(${rootIds}::uuid[]) AND ${readable('g.source_id')} AND ${readable('g.target_id')}
      AND s.i = ${access.instanceNumber} ORDER BY g.created_at DESC, g.id DESC`;
  const found = new Map<string, Merge[]>(rootIds.map((id) => [id, []]));
  for (const row of rows) found.get(row.rootId)!.push(toMerge(access, row));
  return found;
}

/** Ends a merge: what hung from its source is an entity of its own again, under the id it had. */
export async function unmergeName(
  tx: Tx,
  access: Access,
  { id, rootId }: { id: string; rootId: string },
  at: Date,
): Promise<void> {
  const { edges } = await readMergeForest(tx, access, [rootId]);
  const edge = edges.find((each) => each.id === id)!;
  const apart = mergeSubtreeOf(edges, edge.sourceId);
  await tx.entityMerge.updateMany({ where: { id, instanceNumber: access.instanceNumber }, data: { undoneAt: at } });
  await tx.entity.updateMany({
    where: { id: { in: [...apart] }, instanceNumber: access.instanceNumber },
    data: { rootId: edge.sourceId },
  });
}

/** Takes names out of their entity, whose others stay together; they are roots afterwards. */
export async function detachNames(
  tx: Tx,
  access: Access,
  { names, edges }: { names: readonly EntityName[]; edges: readonly MergeEdge[] },
  gone: readonly string[],
  at: Date,
): Promise<void> {
  const contracted = removeFromForest(edges, gone);
  const ended = contracted.ended.map(({ id }) => id);
  await tx.entityMerge.updateMany({
    where: { id: { in: ended }, instanceNumber: access.instanceNumber },
    data: { undoneAt: at },
  });
  await saveForest(tx, access, { names, before: edges, after: contracted.edges });
}

/** Writes what changed of the forest: where merges hang, and which root each name is part of. */
export async function saveForest(
  tx: Tx,
  access: Access,
  { names, before, after }: { names: readonly EntityName[]; before: readonly MergeEdge[]; after: readonly MergeEdge[] },
): Promise<void> {
  const { instanceNumber } = access;
  const targets = new Map(before.map((edge) => [edge.id, edge.targetId]));
  for (const { id, targetId } of after) {
    if (targets.get(id) !== targetId)
      await tx.entityMerge.updateMany({ where: { id, instanceNumber }, data: { targetId } });
  }
  const roots = rootByName(
    after,
    names.map(({ id }) => id),
  );
  const moved = names.flatMap(({ id, rootId }) => (roots.get(id) === rootId ? [] : { id, rootId: roots.get(id)! }));
  await tx.$executeRaw`
    UPDATE entity SET root_id = moved.root_id
    FROM unnest(${moved.map(({ id }) => id)}::uuid[], ${moved.map(({ rootId }) => rootId)}::uuid[]) AS moved (id, root_id)
    WHERE entity.i = ${instanceNumber} AND entity.id = moved.id`;
}

/** Merges stand on these memories too. */
export async function addMergeEvidence(
  tx: Tx,
  access: Access,
  ids: readonly string[],
  memoryIds: readonly string[],
): Promise<void> {
  if (!ids.length) return;
  await tx.entityMerge.updateMany({
    where: { id: { in: [...ids] }, instanceNumber: access.instanceNumber },
    data: { evidence: { push: [...memoryIds] } },
  });
}
