import type { Sql, Tx } from '../../db/database.ts';
import type { MemoryType } from '../configurations/configuration.ts';
import type { Access } from '../tenancy/access.ts';
import { openCategory } from './category-store.ts';
import type { MemoryStatus } from './memory.ts';

/** A memory, with the words of one document that state it. */
export interface StatedMemory {
  readonly id: string;
  readonly type: MemoryType;
  readonly category: string;
  readonly content: string;
  readonly status: MemoryStatus;
  readonly supersededBy: string | null;
  readonly isScheduled: boolean;
  readonly documentId: string;
  /** The turns in the document, from 0. */
  readonly turns: readonly number[];
  readonly quote: string;
}

type Row = Omit<StatedMemory, 'category' | 'content' | 'quote'> & {
  readonly category: string;
  readonly ownCategory: Uint8Array | null;
  readonly content: Uint8Array;
  readonly quote: Uint8Array;
};

/** Every memory that these documents state, once for each evidence, in the order in which it was said. */
export async function memoriesStatedIn(
  sql: Sql,
  access: Access,
  documentIds: readonly string[],
): Promise<StatedMemory[]> {
  if (!documentIds.length) return [];
  const rows = await sql.$queryRaw<Row[]>`
    SELECT m.id, m.type, m.category, m.own_category AS "ownCategory", m.content, m.status,
      m.superseded_by AS "supersededBy", (m.due_at IS NOT NULL OR m.event_start IS NOT NULL) AS "isScheduled",
      e.document_id AS "documentId", e.turns, e.quote
    FROM memory_evidence e
    CROSS JOIN LATERAL (SELECT * FROM memory WHERE i = e.i AND id = e.memory_id OFFSET 0) AS m
    WHERE e.document_id = ANY(${documentIds}::uuid[]) AND e.i = ${access.i}
    ORDER BY e.said_at, e.memory_id, e.n`;
  return rows.map(({ ownCategory, ...row }) => ({
    ...row,
    category: openCategory(access, { ...row, ownCategory }),
    content: access.keys.open('memory.content', row.id, row.content),
    quote: access.keys.open('memory_evidence.quote', row.id, row.quote),
  }));
}

/**
 * Keeps memories from being removed until the transaction ends; returns how many there are. What is removed at the same
 * time is waited for, and not counted.
 */
export async function holdMemories(tx: Tx, access: Access, ids: readonly string[]): Promise<number> {
  if (!ids.length) return 0;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM memory WHERE id = ANY(${ids}::uuid[]) AND i = ${access.i} ORDER BY id FOR KEY SHARE`;
  return rows.length;
}
