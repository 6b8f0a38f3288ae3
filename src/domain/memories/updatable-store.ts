import type { Sql } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import type { NewMemory } from './memory-store.ts';
import type { MemoryStatus } from './memory.ts';
import type { MemoryWithAttribute } from './shared-attribute.ts';

/** What is known of a memory that a later statement may replace. */
export type UpdatableMemory = MemoryWithAttribute & Pick<NewMemory, 'validFrom'>;

/** The statements among these memories that the owner holds and that hold now, or are in one of these states. */
export async function findUpdatableMemories(
  sql: Sql,
  { instanceNumber, keys }: Access,
  ownerNo: number,
  ids: readonly string[],
  statuses: readonly MemoryStatus[] = ['active'],
): Promise<UpdatableMemory[]> {
  if (!ids.length) return [];
  type Row = Pick<UpdatableMemory, 'id' | 'attributeSense' | 'validFrom'> & {
    content: Uint8Array;
    attributeKey: Uint8Array | null;
    attributeValue: Uint8Array | null;
  };
  const rows = await sql.$queryRaw<Row[]>`
    SELECT m.id, m.content, m.attribute_key AS "attributeKey", m.attribute_value AS "attributeValue",
      m.attribute_sense AS "attributeSense", m.valid_from AS "validFrom"
    FROM unnest(${[...ids]}::uuid[]) AS given (id)
    CROSS JOIN LATERAL (SELECT * FROM memory m WHERE m.i = ${instanceNumber} AND m.id = given.id OFFSET 0) AS m
    WHERE m.i = ${instanceNumber} AND m.owner_no = ${ownerNo} AND m.status = ANY(${[...statuses]}) AND m.type <> 'episodes'`;
  return rows.map(({ content, attributeKey, attributeValue, ...row }) => ({
    ...row,
    content: keys.open('memory.content', row.id, content),
    attributeKey: attributeKey && Buffer.from(attributeKey),
    attributeValue: attributeValue && Buffer.from(attributeValue),
  }));
}
