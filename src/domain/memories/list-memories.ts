import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { narrowIfSubjectGiven } from '../configurations/narrow-to-subject.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import {
  mapPageRecords,
  pagesFromRows,
  parsePageRequest,
  type Page,
  type PageRequest,
  type KeysetPosition,
} from '../pagination.ts';
import { notFoundError } from '../errors.ts';
import { parseId, fromPublicId } from '../ids.ts';
import { countRowsPerParent, keysetSql } from '../tenancy/keyset-store.ts';
import { metadataTerms, type Metadata } from '../search-index/metadata-terms.ts';
import { stemsOf } from '../language/stems.ts';
import { readableOwnerNumbers, type Access, type SubjectIds, type NarrowedAccess } from '../tenancy/access.ts';
import {
  countRowsPerList,
  firstRowsPerListSql,
  givenSubjectsSql,
  ownedByGivenSql,
} from '../tenancy/owned-list-store.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import type { MemoryType } from '../memory-types.ts';
import { dayMs } from '../time.ts';
import { isOfCategory } from './category-store.ts';
import type { Memory, MemoryCounts, MemoryFilter, MemorySelection } from './memory.ts';
import { isPossiblyOutdatedSql } from './possible-supersession-store.ts';
import { readMemories } from './read.ts';
import { memorySelectionSql } from './memory-selection-store.ts';

/** The memories that match every given filter. Lists the whole instance, unlike a fetch. */
export async function listMemories(
  sql: Sql,
  access: Access,
  { userId, customerId, ...filter }: MemoryFilter,
  request: PageRequest,
): Promise<Page<Memory>> {
  const [memories] = await listMemoriesOf(sql, access, [{ userId, customerId }], { ...request, filter });
  return memories!;
}

/** A page, for each of the named owners, of the memories that match every given filter. */
export async function listMemoriesOf(
  sql: Sql,
  access: Access,
  named: readonly SubjectIds[],
  { filter, ...request }: PageRequest & { filter: MemoryFilter },
): Promise<Page<Memory>[]> {
  const keysetQuery = parsePageRequest('memories', request);
  const { order, behind } = keysetSql('memory', keysetQuery);
  const where = [...conditionsOf(access, filter), ...behind];
  const first = firstRowsPerListSql(access, named, { table: 'memory', where, order, limit: keysetQuery.limit });
  const rows = await sql.$queryRaw<(KeysetPosition & { n: number })[]>`
    SELECT given.n, memory.id, memory.created_at AS at FROM ${first} ORDER BY given.n, ${order}`;
  const pages = pagesFromRows(rows, named.length, keysetQuery, (row) => row);
  return readPages(sql, access, pages);
}

/** The memories that each of these documents (public ids) states. */
export async function listMemoriesOfDocuments(
  sql: Sql,
  access: Access,
  documentIds: readonly string[],
  request: PageRequest,
): Promise<Page<Memory>[]> {
  const keysetQuery = parsePageRequest('memories', request);
  const { order, behind } = keysetSql('memory', keysetQuery);
  const conditions = [statedIn(access), ...behind, readableBySql(access, 'memory')];
  const rows = await sql.$queryRaw<(KeysetPosition & { n: number })[]>`
    SELECT given.n, memory.id, memory.created_at AS at FROM ${givenDocuments(documentIds)} CROSS JOIN LATERAL (
      SELECT memory.id, memory.created_at FROM memory
      WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY ${order} LIMIT ${keysetQuery.limit}) AS memory
    ORDER BY given.n, ${order}`;
  const pages = pagesFromRows(rows, documentIds.length, keysetQuery, (row) => row);
  return readPages(sql, access, pages);
}

const givenDocuments = (ids: readonly string[]) => Prisma.sql`(
  SELECT id, n::int FROM unnest(${ids.map((id) => fromPublicId('document', id))}::uuid[]) WITH ORDINALITY AS t (id, n)) AS given`;

const statedIn = ({ instanceNumber }: Access) =>
  Prisma.sql`memory.id IN (SELECT v.memory_id FROM memory_evidence v WHERE v.i = ${instanceNumber} AND v.document_id = given.id)`;

/** The memories of several pages, read together. */
async function readPages(sql: Sql, access: Access, pages: readonly Page<KeysetPosition>[]): Promise<Page<Memory>[]> {
  const ids = new Set(pages.flatMap(({ data }) => data.map(({ id }) => id)));
  const memories = await readMemories(sql, access, await currentConfiguration(sql, access), [...ids]);
  const byId = new Map(memories.map((memory) => [memory.uuid, memory]));
  return pages.map((page) => mapPageRecords(page, ({ id }) => byId.get(id)));
}

/**
 * Counts the memories of each subject that match every given filter, each count at most one more than `maxTotalCount`.
 */
export const countMemoriesOf = (
  sql: Sql,
  access: Access,
  named: readonly SubjectIds[],
  filter: MemoryFilter,
): Promise<number[]> => countRowsPerList(sql, access, named, { table: 'memory', where: conditionsOf(access, filter) });

/** Counts the memories that each of these documents states, each count at most one more than `maxTotalCount`. */
export const countMemoriesOfDocuments = (sql: Sql, access: Access, documentIds: readonly string[]): Promise<number[]> =>
  countRowsPerParent(sql, givenDocuments(documentIds), 'memory', [statedIn(access), readableBySql(access, 'memory')]);

/** Counts the memories of each subject by status. */
export const countMemoriesByStatus = (
  sql: Sql,
  access: Access,
  named: readonly SubjectIds[],
): Promise<MemoryCounts[]> =>
  sql.$queryRaw<MemoryCounts[]>`
    SELECT counted.* FROM ${givenSubjectsSql(named)} CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE memory.status = 'active')::int AS active,
        count(*) FILTER (WHERE memory.status = 'superseded')::int AS superseded,
        count(*) FILTER (WHERE memory.status = 'archived')::int AS archived
      FROM memory WHERE ${ownedByGivenSql(access, named, 'memory')} AND ${readableBySql(access, 'memory')}) AS counted
    ORDER BY given.n`;

/** Memories of one type that were stored on one day (UTC). */
export interface MemoriesOfDay {
  readonly day: Date;
  readonly type: MemoryType;
  readonly count: number;
}

/** Counts what was stored on each of the last days, today among them, by type; oldest first. */
export function countMemoriesByDay(
  sql: Sql,
  access: Access,
  { days, now }: { days: number; now: Date },
): Promise<MemoriesOfDay[]> {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  const from = new Date(today - (days - 1) * dayMs);
  return sql.$queryRaw<MemoriesOfDay[]>`
    SELECT date_trunc('day', memory.created_at, 'UTC') AS day, memory.type, count(*)::int AS count FROM memory
    WHERE memory.created_at >= ${from}::timestamptz AND ${readableBySql(access, 'memory')}
    GROUP BY 1, 2 ORDER BY 1, 2`;
}

/** The conditions of every given filter; whoever puts them into a statement adds what `access` may read. */
function conditionsOf(access: Access, filter: MemoryFilter): Prisma.Sql[] {
  const { instanceNumber } = access;
  const conditions: Prisma.Sql[] = [];
  if (filter.userId !== undefined) conditions.push(ownedBy(instanceNumber, Prisma.sql`user_id = ${filter.userId}`));
  if (filter.customerId !== undefined)
    conditions.push(ownedBy(instanceNumber, Prisma.sql`customer_id = ${filter.customerId}`));
  if (filter.type) conditions.push(Prisma.sql`memory.type = ${filter.type}`);
  if (filter.types) conditions.push(Prisma.sql`memory.type = ANY(${[...filter.types]}::text[])`);
  if (filter.category !== undefined) conditions.push(isOfCategory(access, filter.category));
  if (filter.createdFrom) conditions.push(Prisma.sql`memory.created_at >= ${filter.createdFrom}`);
  if (filter.createdUntil) conditions.push(Prisma.sql`memory.created_at < ${filter.createdUntil}`);
  if (filter.provenance) conditions.push(Prisma.sql`memory.provenance = ${filter.provenance}`);
  if (filter.status) conditions.push(Prisma.sql`memory.status = ${filter.status}`);
  if (filter.statuses) conditions.push(Prisma.sql`memory.status = ANY(${[...filter.statuses]}::text[])`);
  if (filter.possiblyOutdated !== undefined) conditions.push(isPossiblyOutdatedSql(access, filter.possiblyOutdated));
  if (filter.entityId !== undefined) {
    const entity = fromPublicId('entity', filter.entityId);
    conditions.push(
      Prisma.sql`EXISTS (SELECT 1 FROM mention n WHERE n.i = ${instanceNumber} AND n.memory_id = memory.id AND NOT n.is_archived
        AND n.entity_id IN (SELECT l.id FROM entity g JOIN entity l ON l.i = g.i AND l.root_id = g.root_id
                            WHERE g.i = ${instanceNumber} AND g.id = ${entity}::uuid))`,
    );
  }
  if (filter.documentId !== undefined) {
    const document = fromPublicId('document', filter.documentId);
    conditions.push(Prisma.sql`EXISTS (
      SELECT 1 FROM memory_evidence v JOIN document d ON d.i = v.i AND d.id = v.document_id
      WHERE v.i = ${instanceNumber} AND v.memory_id = memory.id AND (d.external_id = ${filter.documentId} OR d.id = ${document}::uuid))`);
  }
  if (filter.q !== undefined) conditions.push(hasWords(access, filter.q));
  if (filter.metadata !== undefined) conditions.push(hasTerms(access, metadataTerms(access, filter.metadata)));
  return conditions;
}

/** Has each of the words; a text without a word that can be looked for is in no memory. */
function hasWords(access: Access, text: string): Prisma.Sql {
  const terms = [...new Set(stemsOf(text))].map((stem) => access.keys.term(stem));
  return hasTerms(access, terms);
}

function hasTerms(access: Access, terms: readonly bigint[]): Prisma.Sql {
  if (!terms.length) return Prisma.sql`false`;
  return Prisma.sql`(
    SELECT count(*) FROM memory_term t
    WHERE t.i = ${access.instanceNumber} AND t.memory_id = memory.id AND t.term = ANY(${[...terms]})) = ${terms.length}`;
}

/** Finds the records, readable by `access`, that have these members in their metadata: UUIDs, newest first. */
export async function findRecords(
  sql: Sql,
  access: NarrowedAccess,
  { metadata, limit, ...wanted }: MemorySelection & { metadata: Metadata; limit: number },
): Promise<string[]> {
  const terms = metadataTerms(access, metadata);
  if (!terms.length) return [];
  const { instanceNumber } = access;
  // `OFFSET 0` keeps the planner at one look-up a term and a row.
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT memory.id FROM (
      SELECT t.memory_id FROM unnest(${terms}::bigint[]) AS q (term)
      CROSS JOIN LATERAL (
        SELECT p.memory_id FROM memory_term p
        WHERE p.i = ${instanceNumber} AND p.owner_no = ANY(${readableOwnerNumbers(access)}) AND p.term = q.term OFFSET 0) AS t
      GROUP BY t.memory_id HAVING count(*) = ${terms.length}
    ) AS noted
    CROSS JOIN LATERAL (SELECT * FROM memory m WHERE m.i = ${instanceNumber} AND m.id = noted.memory_id OFFSET 0) AS memory
    WHERE ${readableBySql(access, 'memory')} ${memorySelectionSql('memory', wanted)}
    ORDER BY memory.created_at DESC, memory.id DESC LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

const ownedBy = (instanceNumber: bigint, condition: Prisma.Sql) =>
  Prisma.sql`memory.owner_no IN (SELECT owner_no FROM owner WHERE i = ${instanceNumber} AND ${condition})`;

/** One memory; naming a user or customer narrows who is asking. Throws `not_found`. */
export async function readMemory(sql: Sql, access: Access, id: string, named: SubjectIds): Promise<Memory> {
  const configuration = await currentConfiguration(sql, access);
  const reader = await narrowIfSubjectGiven(sql, access, named);
  const [memory] = await readMemories(sql, reader, configuration, [parseId('memory', id)]);
  if (!memory) throw notFoundError('memory');
  return memory;
}
