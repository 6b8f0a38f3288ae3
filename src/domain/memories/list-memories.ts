import type { Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { narrowIfNamed } from '../configurations/narrow.ts';
import { currentConfiguration } from '../configurations/store.ts';
import { pageOf, placeOf, type Page, type PageRequest } from '../cursor.ts';
import { notFound } from '../errors.ts';
import { parseId, uuidOf } from '../ids.ts';
import { stemsOf } from '../language/stems.ts';
import type { Access, Named } from '../tenancy/access.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import type { Memory, MemoryFilter } from './memory.ts';
import { readMemories } from './read.ts';

/** The memories that match every given filter, newest first. Lists the whole instance, unlike a fetch. */
export async function listMemories(
  tx: Tx,
  access: Access,
  filter: MemoryFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<Memory>> {
  const conditions = conditionsOf(access, filter);
  if (cursor) {
    const place = placeOf(cursor);
    conditions.push(Prisma.sql`(memory.created_at, memory.id) < (${place.at}, ${place.id}::uuid)`);
  }
  const rows = await tx.$queryRaw<{ id: string; at: Date }[]>`
    SELECT memory.id, memory.created_at AS at FROM memory
    WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY memory.created_at DESC, memory.id DESC LIMIT ${limit + 1}`;
  const page = pageOf(rows, limit, (row) => row);
  const configuration = await currentConfiguration(tx, access);
  const data = await readMemories(
    tx,
    access,
    configuration,
    page.data.map((row) => row.id),
  );
  return { ...page, data };
}

/** How many match every given filter. */
export async function countMemories(tx: Tx, access: Access, filter: MemoryFilter): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM memory WHERE ${Prisma.join(conditionsOf(access, filter), ' AND ')}`;
  return row!.count;
}

/** What `access` may read, as far as it matches every given filter. */
function conditionsOf(access: Access, filter: MemoryFilter): Prisma.Sql[] {
  const { i } = access;
  const conditions = [readableBySql(access, 'memory')];
  if (filter.userId !== undefined) conditions.push(ownedBy(i, Prisma.sql`user_id = ${filter.userId}`));
  if (filter.customerId !== undefined) conditions.push(ownedBy(i, Prisma.sql`customer_id = ${filter.customerId}`));
  if (filter.type) conditions.push(Prisma.sql`memory.type = ${filter.type}`);
  if (filter.category !== undefined) conditions.push(Prisma.sql`memory.category = ${filter.category}`);
  if (filter.createdFrom) conditions.push(Prisma.sql`memory.created_at >= ${filter.createdFrom}`);
  if (filter.createdUntil) conditions.push(Prisma.sql`memory.created_at < ${filter.createdUntil}`);
  if (filter.status) conditions.push(Prisma.sql`memory.status = ${filter.status}`);
  if (filter.entityId !== undefined) {
    const entity = uuidOf('entity', filter.entityId);
    conditions.push(
      Prisma.sql`EXISTS (SELECT 1 FROM mention n WHERE n.i = ${i} AND n.memory_id = memory.id AND NOT n.is_archived
        AND n.entity_id IN (SELECT l.id FROM entity g JOIN entity l ON l.i = g.i AND l.root_id = g.root_id
                            WHERE g.i = ${i} AND g.id = ${entity}::uuid))`,
    );
  }
  if (filter.documentId !== undefined) {
    const document = uuidOf('document', filter.documentId);
    conditions.push(Prisma.sql`EXISTS (
      SELECT 1 FROM memory_evidence v JOIN document d ON d.i = v.i AND d.id = v.document_id
      WHERE v.i = ${i} AND v.memory_id = memory.id AND (d.external_id = ${filter.documentId} OR d.id = ${document}::uuid))`);
  }
  if (filter.q !== undefined) conditions.push(hasWords(access, filter.q));
  return conditions;
}

/** Has each of the words; a text without a word that can be looked for is in no memory. */
function hasWords(access: Access, text: string): Prisma.Sql {
  const terms = [...new Set(stemsOf(text))].map((stem) => access.keys.term(stem));
  if (!terms.length) return Prisma.sql`false`;
  return Prisma.sql`(
    SELECT count(*) FROM memory_term t
    WHERE t.i = ${access.i} AND t.memory_id = memory.id AND t.term = ANY(${terms})) = ${terms.length}`;
}

const ownedBy = (i: bigint, condition: Prisma.Sql) =>
  Prisma.sql`memory.owner_no IN (SELECT owner_no FROM owner WHERE i = ${i} AND ${condition})`;

/** One memory; naming a user or customer narrows who is asking. Throws `not_found`. */
export async function readMemory(tx: Tx, access: Access, id: string, named: Named): Promise<Memory> {
  const configuration = await currentConfiguration(tx, access);
  const reader = await narrowIfNamed(tx, access, named);
  const [memory] = await readMemories(tx, reader, configuration, [parseId('memory', id)]);
  if (!memory) throw notFound('memory');
  return memory;
}
