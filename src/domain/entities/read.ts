import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import {
  mapPageRecords,
  pagesFromRows,
  parsePageRequest,
  type SortDirection,
  type Page,
  type PageRequest,
} from '../pagination.ts';
import { groupBy } from '../flow/group-by.ts';
import { toPublicId, fromPublicId } from '../ids.ts';
import { countRowsPerParent, directionSql, keysetSql } from '../tenancy/keyset-store.ts';
import { mayReadOwner, type Access, type SubjectIds, type Scope } from '../tenancy/access.ts';
import { givenSubjectsSql, ownedByGivenSql, includesUser } from '../tenancy/owned-list-store.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import { findOwners, ownersOf } from '../tenancy/owner-store.ts';
import type { Entity, EntityFilter, MentionEvidence } from './entity.ts';
import { isRoleName, normalName } from './normal-name.ts';

interface Row {
  /** The number of its list, from 1. */
  readonly n: number;
  readonly id: string;
  readonly kind: string | null;
  readonly createdAt: Date;
  readonly scope: Scope;
  readonly userId: string;
  readonly customerId: string;
  readonly mentions: number;
  /** Its names, oldest first: the id and normal form of each, and one memory with its spelling. */
  readonly nameIds: string[];
  readonly normals: Uint8Array[];
  readonly memoryIds: string[];
  readonly spellings: Uint8Array[];
}

/**
 * The entities that meet the condition, as far as a mention that `access` may read shows them; of each of the named,
 * where somebody is named, as far as one of theirs does. By their time of creation, at most `limit` each.
 */
async function readEntities(
  sql: Sql,
  access: Access,
  {
    of = [{}],
    condition,
    direction = 'desc',
    limit,
  }: { of?: readonly SubjectIds[]; condition: Prisma.Sql; direction?: SortDirection; limit: number },
): Promise<Row[]> {
  const towards = directionSql(direction);
  return sql.$queryRaw<Row[]>`
    SELECT given.n, e.* FROM ${givenSubjectsSql(of)} CROSS JOIN LATERAL (
      SELECT t.id, n.kind, t.created_at AS "createdAt", o.scope, o.user_id AS "userId", t.customer_id AS "customerId",
        n.mentions, s.*
      FROM (
        SELECT t.* FROM entity t WHERE ${isSeen(access, of)} AND ${condition}
        ORDER BY t.created_at ${towards}, t.id ${towards} LIMIT ${limit}) AS t
      JOIN owner o ON o.i = t.i AND o.owner_no = t.owner_no
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT mention.memory_id)::int AS mentions, ${kind} AS kind ${mentionsSql(access, of)}) AS n
      CROSS JOIN LATERAL (
        SELECT array_agg(l.id::text ORDER BY l.created_at, l.id) AS "nameIds",
          array_agg(l.name ORDER BY l.created_at, l.id) AS normals,
          array_agg(m.memory_id::text ORDER BY l.created_at, l.id) AS "memoryIds",
          array_agg(m.name ORDER BY l.created_at, l.id) AS spellings
        FROM entity l CROSS JOIN LATERAL (
          SELECT mention.memory_id, mention.name FROM mention WHERE mention.entity_id = l.id AND ${readable(access, of)}
          ORDER BY mention.memory_id LIMIT 1) AS m
        WHERE l.i = t.i AND l.root_id = t.id) AS s) AS e
    ORDER BY given.n, e."createdAt" ${towards}, e.id ${towards}`;
}

/** The condition that a row of `entity t` is an entity of which a mention shows something to `access`. */
const isSeen = (access: Access, of: readonly SubjectIds[]) => Prisma.sql`
  t.i = ${access.instanceNumber} AND t.root_id = t.id AND ${among(access, of)}
  AND EXISTS (SELECT 1 ${mentionsSql(access, of)})`;

/** The kind of an entity: the most frequent one of its mentions. */
const kind = Prisma.sql`mode() WITHIN GROUP (ORDER BY mention.kind) FILTER (WHERE mention.kind <> 'other')`;

/** The mentions of the entity `t` by any of its names. */
const mentionsSql = (access: Access, of: readonly SubjectIds[]) => Prisma.sql`
  FROM entity l JOIN mention ON mention.entity_id = l.id
  WHERE l.i = t.i AND l.root_id = t.id AND ${readable(access, of)}`;

/** A mention that `access` may read, of whom `given` names. */
const readable = (access: Access, of: readonly SubjectIds[]) =>
  Prisma.sql`${ownedByGivenSql(access, of, 'mention')} AND ${readableBySql(access, 'mention')}`;

/**
 * Narrows a query to the entities of these subjects, so that it does not scan those of the whole instance: a user's are
 * those that their memories mention, a customer's are registered at the customer.
 */
function among(access: Access, of: readonly SubjectIds[]): Prisma.Sql {
  const { instanceNumber } = access;
  if (includesUser(of)) {
    return Prisma.sql`t.id IN (
      SELECT l.root_id FROM memory JOIN mention m ON m.i = ${instanceNumber} AND m.memory_id = memory.id
      JOIN entity l ON l.i = ${instanceNumber} AND l.id = m.entity_id WHERE ${ownedByGivenSql(access, of, 'memory')} AND memory.i = ${instanceNumber})`;
  }
  if (of.every(({ customerId }) => customerId === undefined)) return Prisma.sql`true`;
  return Prisma.sql`t.owner_no IN (
    SELECT h.owner_no FROM owner h
    WHERE h.i = ${instanceNumber} AND h.scope = 'CUSTOMER' AND h.user_id = '' AND h.customer_id = given.customer_id)`;
}

function toEntity(access: Access, row: Row): Entity {
  const spelled = row.nameIds.map((id, n) => ({
    normal: access.keys.open('entity.name', id, row.normals[n]!),
    spelling: access.keys.open('mention.name', row.memoryIds[n]!, row.spellings[n]!),
  }));
  const [first, ...others] = spelled.toSorted((a, b) => tellingness(b.normal) - tellingness(a.normal));
  const aliases = new Map(others.map(({ spelling }) => [normalName(spelling), spelling]));
  aliases.delete(normalName(first!.spelling));
  return {
    id: toPublicId('entity', row.id),
    name: first!.spelling,
    kind: row.kind ?? 'other',
    aliases: [...aliases.values()],
    scope: row.scope,
    customerId: row.customerId || null,
    userId: row.userId || null,
    mentions: row.mentions,
    createdAt: row.createdAt,
  };
}

/** An entity goes by its fullest name; what it is to somebody only where it has none. */
const tellingness = (normal: string): number => (isRoleName(normal) ? 0 : Math.min(normal.split(' ').length, 3));

/** Reads entities by public id, in their order, as far as `access` may. A merged one gives the one that it became. */
export async function readEntitiesById(sql: Sql, access: Access, ids: readonly string[]): Promise<(Entity | null)[]> {
  const uuids = [...new Set(ids.flatMap((id) => fromPublicId('entity', id) ?? []))];
  if (!uuids.length) return ids.map(() => null);
  const names = await sql.entity.findMany({
    where: { id: { in: uuids }, instanceNumber: access.instanceNumber },
    select: { id: true, rootId: true },
  });
  const rootIds = [...new Set(names.map((name) => name.rootId))];
  const condition = Prisma.sql`t.id = ANY(${rootIds}::uuid[])`;
  const rows = await readEntities(sql, access, { condition, limit: rootIds.length });
  const byRoot = new Map(rows.map((row) => [row.id, toEntity(access, row)]));
  const byId = new Map(names.map(({ id, rootId }) => [toPublicId('entity', id), byRoot.get(rootId)]));
  return ids.map((id) => byId.get(id) ?? null);
}

/**
 * A page of the entities that meet the filter. Where that names a user or a customer, only their mentions count: names
 * of an entity that they never used are not shown.
 */
export async function listEntities(
  sql: Sql,
  access: Access,
  filter: EntityFilter,
  page: PageRequest,
): Promise<Page<Entity>> {
  const [entities] = await listEntitiesOf(sql, access, [{}], { ...page, filter });
  return entities!;
}

/** Lists, for each of the named owners, the entities that their own memories mention. */
export async function listEntitiesOf(
  sql: Sql,
  access: Access,
  of: readonly SubjectIds[],
  { filter, ...request }: PageRequest & { filter: EntityFilter },
): Promise<Page<Entity>[]> {
  const reader = await readerOf(sql, access, filter);
  const keysetQuery = parsePageRequest('entities', request);
  const { direction, limit } = keysetQuery;
  const conditions = [Prisma.sql`true`, ...keysetSql('t', keysetQuery).behind, ...conditionsOf(reader, of, filter)];
  const rows = await readEntities(sql, reader, {
    of,
    condition: Prisma.join(conditions, ' AND '),
    direction,
    limit,
  });
  const pages = pagesFromRows(rows, of.length, keysetQuery, ({ createdAt, id }) => ({ at: createdAt, id }));
  return pages.map((page) => mapPageRecords(page, (row) => toEntity(reader, row)));
}

/** Counts the entities of each of these lists, each count at most one more than `maxTotalCount`. */
export async function countEntitiesOf(
  sql: Sql,
  access: Access,
  of: readonly SubjectIds[],
  filter: EntityFilter,
): Promise<number[]> {
  const reader = await readerOf(sql, access, filter);
  const where = [isSeen(reader, of), ...conditionsOf(reader, of, filter)];
  return countRowsPerParent(sql, givenSubjectsSql(of), 'entity t', where);
}

function conditionsOf(reader: Access, of: readonly SubjectIds[], { kind: named, q }: EntityFilter): Prisma.Sql[] {
  return [
    ...(named === undefined
      ? []
      : [Prisma.sql`(SELECT coalesce(${kind}, 'other') ${mentionsSql(reader, of)}) = ${named}`]),
    ...(q === undefined ? [] : [isNamed(reader, of, q)]),
  ];
}

async function readerOf(sql: Sql, access: Access, { userId, customerId }: EntityFilter): Promise<Access> {
  if (userId === undefined && customerId === undefined) return access;
  const named = await ownersOf(sql, access, { userId, customerId });
  const ownerNos = named.map((owner) => owner.ownerNo).filter((ownerNo) => mayReadOwner(access, ownerNo));
  return { ...access, readableOwners: await findOwners(sql, access.instanceNumber, ownerNos) };
}

/** The condition that an entity has this text in any of its names that the reader may read. */
const isNamed = (access: Access, of: readonly SubjectIds[], name: string) => Prisma.sql`EXISTS (
  SELECT 1 FROM entity a JOIN mention ON mention.entity_id = a.id AND ${readable(access, of)}
  WHERE a.i = ${access.instanceNumber} AND a.root_id = t.id AND a.name_key = ${access.keys.hash('name', normalName(name))})`;

/**
 * Reads the mentions of entities (UUIDs of roots), newest first, as far as `access` may read them: by the first
 * evidence of each memory, and by the last of one that was corrected, since those before may quote what it says no
 * more.
 */
export async function readEvidence(
  sql: Sql,
  access: Access,
  rootIds: readonly string[],
  limit: number,
): Promise<Map<string, MentionEvidence[]>> {
  type Sealed = Omit<MentionEvidence, 'name' | 'quote'> & {
    rootId: string;
    name: Uint8Array;
    quote: Uint8Array;
    externalId: string | null;
  };
  if (!rootIds.length) return new Map();
  const rows = await sql.$queryRaw<Sealed[]>`
    SELECT given.id AS "rootId", m.memory_id AS "memoryId", m.name, v.document_id AS "documentId",
      d.external_id AS "externalId", v.turns, v.quote
    FROM unnest(${rootIds}::uuid[]) AS given (id)
    CROSS JOIN LATERAL (
      SELECT mention.memory_id, mention.entity_id, mention.name FROM entity l JOIN mention ON mention.entity_id = l.id
      WHERE l.i = ${access.instanceNumber} AND l.root_id = given.id AND ${readableBySql(access, 'mention')}
      ORDER BY mention.memory_id DESC, l.id LIMIT ${limit}) AS m
    JOIN memory c ON c.i = ${access.instanceNumber} AND c.id = m.memory_id
    CROSS JOIN LATERAL (
      SELECT e.document_id, e.turns, e.quote FROM memory_evidence e WHERE e.i = c.i AND e.memory_id = c.id
      ORDER BY CASE WHEN c.content_version > 0 THEN -e.n ELSE e.n END LIMIT 1) AS v
    LEFT JOIN document d ON d.i = c.i AND d.id = v.document_id
    ORDER BY m.memory_id DESC, m.entity_id`;
  return groupBy(
    rows,
    ({ rootId }) => rootId,
    ({ memoryId, name, quote, documentId, externalId, turns }) => ({
      memoryId: toPublicId('memory', memoryId),
      name: access.keys.open('mention.name', memoryId, name),
      documentId: externalId ?? toPublicId('document', documentId),
      turns,
      quote: access.keys.open('memory_evidence.quote', memoryId, quote),
    }),
  );
}
