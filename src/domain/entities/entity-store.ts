import type { Sql, Tx } from '../../db/database.ts';
import { chunksOf } from '../flow/chunks-of.ts';
import { groupBy } from '../flow/group-by.ts';
import { readableOwnerNumbers, type Access, type NarrowedAccess } from '../tenancy/access.ts';

/** The owner at which entities are registered: the customer, or the user where there is no customer. */
export interface EntityHome {
  readonly ownerNo: number;
  readonly customerId: string;
}

/** A name to be registered; `id` is used unless the home has this name already. */
export interface RegisteredName {
  readonly id: string;
  readonly normal: string;
  readonly nameKey: Buffer<ArrayBuffer>;
  readonly variant: number;
  /** Under what it is found; empty for one that is registered. */
  readonly blocks: readonly Buffer<ArrayBuffer>[];
}

/** A memory uses the name, in this spelling. */
export interface NewMention {
  readonly memoryId: string;
  readonly ownerNo: number;
  readonly kind: string;
  readonly spelling: string;
  /** Place of the name among those registered with it. */
  readonly nameNo: number;
}

/** The names and mentions of a document, as far as they are saved at once. */
interface MentionsToSave {
  readonly names: readonly RegisteredName[];
  readonly mentions: readonly NewMention[];
  readonly at: Date;
}

/** Names that one statement registers: each of them is filed under several blocks. */
const namesOfStatement = 100;

/** Registers what is new and links the memories. Returns the id of each name, in order. */
export async function saveMentions(
  tx: Tx,
  access: Access,
  home: EntityHome,
  { names, mentions, at }: MentionsToSave,
): Promise<string[]> {
  const mentionsOf = groupBy(
    mentions,
    ({ nameNo }) => Math.floor(nameNo / namesOfStatement),
    (mention) => ({ ...mention, nameNo: mention.nameNo % namesOfStatement }),
  );
  const ids: string[] = [];
  for (const [n, some] of [...chunksOf(names, namesOfStatement)].entries()) {
    ids.push(...(await saveSome(tx, access, home, { names: some, mentions: mentionsOf.get(n) ?? [], at })));
  }
  return ids;
}

async function saveSome(
  tx: Tx,
  access: Access,
  home: EntityHome,
  { names, mentions, at }: MentionsToSave,
): Promise<string[]> {
  const { instanceNumber, keys } = access;
  const blocks = names.flatMap((name, nameNo) => name.blocks.map((block) => ({ nameNo, block })));
  const rows = await tx.$queryRaw<{ nameNo: number; id: string }[]>`
    WITH given AS (
      SELECT * FROM unnest(${names.map((_, n) => n)}::int[], ${names.map((name) => name.id)}::uuid[],
        ${names.map((name) => keys.seal('entity.name', name.id, name.normal))}::bytea[],
        ${names.map((name) => name.nameKey)}::bytea[], ${names.map((name) => name.variant)}::int[])
        AS t (name_no, id, name, name_key, variant)
    ), registered AS (
      INSERT INTO entity (i, id, owner_no, customer_id, name, name_key, variant, root_id, created_at)
      SELECT ${instanceNumber}, id, ${home.ownerNo}, ${home.customerId}, name, name_key, variant, id, ${at}::timestamptz FROM given
      ON CONFLICT (i, owner_no, name_key, variant) DO UPDATE SET variant = entity.variant
      RETURNING id, name_key, variant
    ), known AS (
      SELECT given.name_no, registered.id FROM given JOIN registered USING (name_key, variant)
    ), blocked AS (
      INSERT INTO entity_blocking_key (i, owner_no, key, entity_id)
      SELECT ${instanceNumber}, ${home.ownerNo}, t.key, known.id
      FROM unnest(${blocks.map((each) => each.nameNo)}::int[], ${blocks.map((each) => each.block)}::bytea[])
        AS t (name_no, key) JOIN known USING (name_no)
      ON CONFLICT DO NOTHING
    ), linked AS (
      INSERT INTO mention (i, memory_id, entity_id, owner_no, kind, name)
      SELECT ${instanceNumber}, t.memory_id, known.id, t.owner_no, t.kind, t.name
      FROM unnest(${mentions.map((m) => m.nameNo)}::int[], ${mentions.map((m) => m.memoryId)}::uuid[],
        ${mentions.map((m) => m.ownerNo)}::int[], ${mentions.map((m) => m.kind)}::text[],
        ${mentions.map((m) => keys.seal('mention.name', m.memoryId, m.spelling))}::bytea[])
        AS t (name_no, memory_id, owner_no, kind, name) JOIN known USING (name_no)
      ON CONFLICT DO NOTHING
    )
    SELECT name_no AS "nameNo", id FROM known`;
  const byNo = new Map(rows.map((row) => [row.nameNo, row.id]));
  return names.map((_, n) => byNo.get(n)!);
}

/** Hides the mentions of archived memories, or shows them again. */
export const saveMentionsArchived = (tx: Tx, access: Access, memoryIds: readonly string[], isArchived: boolean) =>
  tx.mention.updateMany({
    where: { memoryId: { in: [...memoryIds] }, instanceNumber: access.instanceNumber },
    data: { isArchived },
  });

/** Counts the links between these memories and entities. */
export async function countMentions(
  sql: Sql,
  { instanceNumber }: Access,
  memoryIds: readonly string[],
): Promise<number> {
  const rows = await sql.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM mention WHERE i = ${instanceNumber} AND memory_id = ANY(${memoryIds}::uuid[])`;
  return rows[0]!.count;
}

/** An entity that more memories mention than this tells nothing about any of them. */
const tellingMentions = 40;

/**
 * The memories that mention an entity of these names, by whatever name of it, as far as `access` may read them. Owners
 * one by one, since the planner, which has no statistics, would read all mentions of the instance for a list of them.
 */
export async function memoriesMentioning(
  sql: Sql,
  access: NarrowedAccess,
  nameKeys: readonly Uint8Array[],
): Promise<string[]> {
  if (!nameKeys.length) return [];
  const rows = await sql.$queryRaw<{ memoryIds: string[] }[]>`
    SELECT array_agg(DISTINCT m.memory_id::text) AS "memoryIds"
    FROM (SELECT DISTINCT root_id FROM entity n
          WHERE n.i = ${access.instanceNumber} AND n.name_key = ANY(${nameKeys}::bytea[])) AS named
    JOIN entity t ON t.i = ${access.instanceNumber} AND t.root_id = named.root_id
    CROSS JOIN unnest(${readableOwnerNumbers(access)}::int[]) AS o (owner_no)
    CROSS JOIN LATERAL (
      SELECT memory_id FROM mention
      WHERE mention.entity_id = t.id AND NOT mention.is_archived AND mention.i = ${access.instanceNumber}
        AND mention.owner_no = o.owner_no
      LIMIT ${tellingMentions + 1}) AS m
    GROUP BY named.root_id HAVING count(*) <= ${tellingMentions}`;
  return rows.flatMap((row) => row.memoryIds);
}
