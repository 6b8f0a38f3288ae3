import { groupBy } from '../flow/group-by.ts';
import type { Citation } from '../memories/evidence-store.ts';

/** The cited turns, a document once. */
export function turnsByDocument(citations: readonly Citation[]): { documentId: string; turns: number[] }[] {
  const rowsOf = groupBy(citations, ({ documentId }) => documentId);
  return [...rowsOf].map(([documentId, rows]) => ({
    documentId,
    turns: [...new Set(rows.flatMap(({ turns }) => turns))],
  }));
}
