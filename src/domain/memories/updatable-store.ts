import type { Sql } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import type { NewMemory } from './memory-store.ts';

/** What is known of a memory that a later statement may replace. */
export type UpdatableMemory = Pick<NewMemory, 'id' | 'content' | 'attributeKey' | 'validFrom'>;

/** The statements among these memories that the owner holds and that hold now. */
export async function findUpdatableMemories(
  sql: Sql,
  { instanceNumber, keys }: Access,
  ownerNo: number,
  ids: readonly string[],
): Promise<UpdatableMemory[]> {
  if (!ids.length) return [];
  type Row = { id: string; content: Uint8Array; attributeKey: Uint8Array | null; validFrom: Date };
  const rows = await sql.$queryRaw<Row[]>`
    SELECT m.id, m.content, m.attribute_key AS "attributeKey", m.valid_from AS "validFrom"
    FROM unnest(${[...ids]}::uuid[]) AS given (id)
    CROSS JOIN LATERAL (SELECT * FROM memory m WHERE m.i = ${instanceNumber} AND m.id = given.id OFFSET 0) AS m
    WHERE m.i = ${instanceNumber} AND m.owner_no = ${ownerNo} AND m.status = 'active' AND m.type <> 'episodes'`;
  return rows.map(({ content, attributeKey, ...row }) => ({
    ...row,
    content: keys.open('memory.content', row.id, content),
    attributeKey: attributeKey && Buffer.from(attributeKey),
  }));
}
