import type { Sql, Tx } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { lockOwners } from '../tenancy/owner-store.ts';
import { decryptCategory } from './category-store.ts';
import type { StatedMemory } from './memory.ts';

type Row = Omit<StatedMemory, 'category' | 'content' | 'quote' | 'isReworded'> & {
  readonly category: string;
  readonly customCategory: Uint8Array | null;
  readonly content: Uint8Array;
  readonly quote: Uint8Array;
  readonly quotesElsewhere: readonly Uint8Array[];
};

/** Every memory that these documents state, once for each evidence, in the order in which it was said. */
export async function memoriesStatedIn(
  sql: Sql,
  access: Access,
  documentIds: readonly string[],
): Promise<StatedMemory[]> {
  if (!documentIds.length) return [];
  const rows = await sql.$queryRaw<Row[]>`
    SELECT m.id, m.type, m.category, m.own_category AS "customCategory", m.content, m.status,
      m.superseded_by AS "supersededBy", (m.due_at IS NOT NULL OR m.event_start IS NOT NULL) AS "isScheduled",
      m.confidence, m.content_version AS "contentVersion", m.owner_no AS "ownerNo", e.document_id AS "documentId", e.turns, e.quote,
      ARRAY(
        SELECT quote FROM memory_evidence
        WHERE m.content_version > 0 AND i = m.i AND memory_id = m.id AND document_id <> ALL(${documentIds}::uuid[])
      ) AS "quotesElsewhere"
    FROM memory_evidence e
    CROSS JOIN LATERAL (SELECT * FROM memory WHERE i = e.i AND id = e.memory_id OFFSET 0) AS m
    WHERE e.document_id = ANY(${documentIds}::uuid[]) AND e.i = ${access.instanceNumber}
    ORDER BY e.said_at, e.memory_id, e.n`;
  return rows.map(({ customCategory, quotesElsewhere, ...row }) => {
    const content = access.keys.open('memory.content', row.id, row.content);
    const openQuote = (quote: Uint8Array) => access.keys.open('memory_evidence.quote', row.id, quote);
    return {
      ...row,
      category: decryptCategory(access, { ...row, customCategory }),
      content,
      quote: openQuote(row.quote),
      // The words of a correction are a document of their own; that of a type or of times leaves none.
      isReworded: quotesElsewhere.some((quote) => openQuote(quote) === content),
    };
  });
}

/** A memory as it was read, to be looked for again. */
export type SeenMemory = Pick<StatedMemory, 'id' | 'contentVersion' | 'ownerNo'>;

/**
 * Keeps memories from being removed or corrected until the transaction ends; tells whether all are there, and say what
 * they said. Who removes or corrects one at the same time is waited for. To be called before anything else is locked.
 */
export async function lockUnchangedMemories(tx: Tx, access: Access, seen: readonly SeenMemory[]): Promise<boolean> {
  if (!seen.length) return true;
  const versions = new Map(seen.map(({ id, contentVersion }) => [id, contentVersion]));
  const ids = [...versions.keys()];
  await lockOwners(tx, access.instanceNumber, [...new Set(seen.map(({ ownerNo }) => ownerNo))]);
  const rows = await tx.$queryRaw<{ id: string; contentVersion: number }[]>`
    SELECT id, content_version AS "contentVersion" FROM memory WHERE id = ANY(${ids}::uuid[]) AND i = ${access.instanceNumber} ORDER BY id FOR KEY SHARE`;
  return rows.length === ids.length && rows.every(({ id, contentVersion }) => versions.get(id) === contentVersion);
}
