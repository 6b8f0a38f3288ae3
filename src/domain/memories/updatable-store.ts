import type { Sql } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { isRecordSql } from './indexable-store.ts';
import type { NewMemory } from './memory-store.ts';
import type { MemoryStatus } from './memory.ts';
import type { MemoryWithAttribute } from './shared-attribute.ts';

/** A memory that a later statement may replace. */
export type UpdatableMemory = MemoryWithAttribute & Pick<NewMemory, 'validFrom'> & { readonly eventStart: Date | null };

/** The owner's statements among these memories that hold now, or are in one of these states, except records. */
export async function findUpdatableMemories(
  sql: Sql,
  { instanceNumber, keys }: Access,
  ownerNo: number,
  ids: readonly string[],
  statuses: readonly MemoryStatus[] = ['active'],
): Promise<UpdatableMemory[]> {
  if (!ids.length) return [];
  type Row = Pick<UpdatableMemory, 'id' | 'attributeSense' | 'validFrom' | 'eventStart'> & {
    content: Uint8Array;
    attributeKey: Uint8Array | null;
    attributeValue: Uint8Array | null;
  };
  const rows = await sql.$queryRaw<Row[]>`
    SELECT memory.id, memory.content, memory.attribute_key AS "attributeKey", memory.attribute_value AS "attributeValue",
      memory.attribute_sense AS "attributeSense", memory.valid_from AS "validFrom",
      memory.event_start AS "eventStart"
    FROM unnest(${[...ids]}::uuid[]) AS given (id)
    CROSS JOIN LATERAL (SELECT * FROM memory m WHERE m.i = ${instanceNumber} AND m.id = given.id OFFSET 0) AS memory
    WHERE memory.i = ${instanceNumber} AND memory.owner_no = ${ownerNo} AND memory.status = ANY(${[...statuses]})
      AND memory.type <> 'episodes' AND NOT ${isRecordSql}`;
  return rows.map(({ content, attributeKey, attributeValue, ...row }) => ({
    ...row,
    content: keys.open('memory.content', row.id, content),
    attributeKey: attributeKey && Buffer.from(attributeKey),
    attributeValue: attributeValue && Buffer.from(attributeValue),
  }));
}
