import type { Citation } from '../memories/evidence-store.ts';

/** The cited turns, a document once. */
export function turnsByDocument(citations: readonly Citation[]): { documentId: string; turns: number[] }[] {
  const documents = [...new Set(citations.map((row) => row.documentId))];
  return documents.map((documentId) => ({
    documentId,
    turns: [...new Set(citations.flatMap((row) => (row.documentId === documentId ? row.turns : [])))],
  }));
}
