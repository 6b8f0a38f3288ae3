import type { Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { pageOf, placeOf, type Page, type PageRequest } from '../cursor.ts';
import { printId, uuidOf } from '../ids.ts';
import type { Access, Scope } from '../tenancy/access.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import type { Entity, EntityFilter } from './entity.ts';

/** A mention to be linked: `entityId` is used when no entity of that name is known to the owner. */
export interface NamedMention {
  readonly entityId: string;
  readonly ownerNo: number;
  readonly customerId: string;
  readonly name: string;
  readonly nameKey: Buffer<ArrayBuffer>;
  readonly kind: string;
}

/** Names are one when they differ in case, accents, blanks or a possessive only. */
export function normalName(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/['’]s$/u, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Registers what is new and returns the entity of each mention, in order. */
export async function registerEntities(
  tx: Tx,
  access: Access,
  mentions: readonly NamedMention[],
  at: Date,
): Promise<string[]> {
  if (!mentions.length) return [];
  const rows = await tx.$queryRaw<{ id: string; ownerNo: number; nameKey: Uint8Array }[]>`
    INSERT INTO entity (i, id, owner_no, kind, name, name_key, customer_id, created_at)
    SELECT ${access.i}, t.id, t.owner_no, t.kind, t.name, t.name_key, t.customer_id, ${at}::timestamptz
    FROM unnest(${mentions.map((m) => m.entityId)}::uuid[], ${mentions.map((m) => m.ownerNo)}::int[],
      ${mentions.map((m) => m.kind)}::text[],
      ${mentions.map((m) => access.keys.seal('entity.name', m.entityId, m.name))}::bytea[],
      ${mentions.map((m) => m.nameKey)}::bytea[], ${mentions.map((m) => m.customerId)}::text[])
      AS t (id, owner_no, kind, name, name_key, customer_id)
    ON CONFLICT (i, owner_no, name_key) DO UPDATE SET kind = entity.kind
    RETURNING id, owner_no AS "ownerNo", name_key AS "nameKey"`;
  const known = new Map(rows.map((row) => [registeredAs(row), row.id]));
  return mentions.map((mention) => known.get(registeredAs(mention))!);
}

const registeredAs = ({ ownerNo, nameKey }: { ownerNo: number; nameKey: Uint8Array }) =>
  `${ownerNo}/${Buffer.from(nameKey).toString('hex')}`;

export async function saveMentions(
  tx: Tx,
  access: Access,
  mentions: readonly { memoryId: string; entityId: string; ownerNo: number }[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO mention (i, memory_id, entity_id, owner_no)
    SELECT ${access.i}, t.memory_id, t.entity_id, t.owner_no
    FROM unnest(${mentions.map((m) => m.memoryId)}::uuid[], ${mentions.map((m) => m.entityId)}::uuid[],
      ${mentions.map((m) => m.ownerNo)}::int[]) AS t (memory_id, entity_id, owner_no)
    ON CONFLICT DO NOTHING`;
}

/** Removes the links of memories; the entities stay. Returns how many links there were. */
export async function removeMentions(tx: Tx, access: Access, memoryIds: readonly string[]): Promise<number> {
  const { count } = await tx.mention.deleteMany({ where: { memoryId: { in: [...memoryIds] }, i: access.i } });
  return count;
}

/** How many links the table holds of these memories. */
export const countMentions = (tx: Tx, access: Access, memoryIds: readonly string[]): Promise<number> =>
  tx.mention.count({ where: { memoryId: { in: [...memoryIds] }, i: access.i } });

/** An entity that more memories mention than this tells nothing about any of them. */
const tellingMentions = 40;

/** The memories that mention an entity of these names, as far as `access` may read them. */
export async function memoriesMentioning(tx: Tx, access: Access, nameKeys: readonly Uint8Array[]): Promise<string[]> {
  if (!nameKeys.length) return [];
  const rows = await tx.$queryRaw<{ memoryIds: string[] }[]>`
    SELECT array_agg(m.memory_id::text) AS "memoryIds" FROM entity t
    CROSS JOIN LATERAL (
      SELECT memory_id FROM mention
      WHERE mention.entity_id = t.id AND ${readableBySql(access, 'mention')} LIMIT ${tellingMentions + 1}) AS m
    WHERE t.i = ${access.i} AND t.name_key = ANY(${nameKeys}::bytea[])
    GROUP BY t.id HAVING count(*) <= ${tellingMentions}`;
  return rows.flatMap((row) => row.memoryIds);
}

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly name: Uint8Array;
  readonly createdAt: Date;
  readonly level: Scope;
  readonly userId: string;
  readonly customerId: string;
  readonly mentions: number;
}

async function readEntities(tx: Tx, access: Access, condition: Prisma.Sql, limit: number): Promise<Row[]> {
  // A narrowed reader sees an entity through a mention they may read; who lists the instance sees all of them.
  const seen = access.reads === 'instance' ? Prisma.empty : Prisma.sql`AND n.mentions > 0`;
  return tx.$queryRaw<Row[]>`
    SELECT t.id, t.kind, t.name, t.created_at AS "createdAt", o.level, o.user_id AS "userId",
      t.customer_id AS "customerId", n.mentions
    FROM entity t JOIN owner o ON o.i = t.i AND o.owner_no = t.owner_no
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS mentions FROM mention
      WHERE mention.entity_id = t.id AND ${readableBySql(access, 'mention')}) AS n
    WHERE t.i = ${access.i} AND ${condition} ${seen}
    ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit}`;
}

const shown = (access: Access, row: Row): Entity => ({
  id: printId('entity', row.id),
  name: access.keys.open('entity.name', row.id, row.name),
  kind: row.kind,
  aliases: [],
  scope: row.level,
  customerId: row.customerId || null,
  userId: row.userId || null,
  mentions: row.mentions,
  createdAt: row.createdAt,
});

/** The entities of these printed ids that `access` may see, in their order. */
export async function readEntitiesById(tx: Tx, access: Access, ids: readonly string[]): Promise<(Entity | null)[]> {
  const uuids = ids.flatMap((id) => uuidOf('entity', id) ?? []);
  const rows = await readEntities(tx, access, Prisma.sql`t.id = ANY(${uuids}::uuid[])`, ids.length);
  const byId = new Map(rows.map((row) => [printId('entity', row.id), shown(access, row)]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** Newest first. `reader` is narrowed where the filter names somebody. */
export async function listEntities(
  tx: Tx,
  reader: Access,
  filter: EntityFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<Entity>> {
  const conditions = [Prisma.sql`true`];
  if (filter.customerId !== undefined) conditions.push(Prisma.sql`t.customer_id = ${filter.customerId}`);
  if (filter.userId !== undefined) conditions.push(mentionedBy(reader, filter.userId));
  if (filter.kind !== undefined) conditions.push(Prisma.sql`t.kind = ${filter.kind}`);
  if (filter.q !== undefined) {
    conditions.push(Prisma.sql`t.name_key = ${reader.keys.hash('name', normalName(filter.q))}`);
  }
  if (cursor) {
    const place = placeOf(cursor);
    conditions.push(Prisma.sql`(t.created_at, t.id) < (${place.at}, ${place.id}::uuid)`);
  }
  const rows = await readEntities(tx, reader, Prisma.join(conditions, ' AND '), limit + 1);
  const page = pageOf(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  return { ...page, data: page.data.map((row) => shown(reader, row)) };
}

const mentionedBy = (access: Access, userId: string) => Prisma.sql`EXISTS (
  SELECT 1 FROM mention x JOIN owner u ON u.i = x.i AND u.owner_no = x.owner_no
  WHERE x.i = ${access.i} AND x.entity_id = t.id AND u.user_id = ${userId})`;

/** The entities of these owners and of their customers that nothing mentions any more; returns how many there were. */
export async function removeUnmentioned(
  tx: Tx,
  access: Access,
  owners: readonly { ownerNo: number; customerId: string }[],
): Promise<number> {
  const customers = owners.map((owner) => owner.customerId).filter(Boolean);
  return tx.$executeRaw`
    DELETE FROM entity WHERE i = ${access.i}
      AND (owner_no = ANY(${owners.map((owner) => owner.ownerNo)}) OR customer_id = ANY(${customers}))
      AND NOT EXISTS (SELECT 1 FROM mention WHERE mention.i = entity.i AND mention.entity_id = entity.id)`;
}
