import { categoryOf } from '../extraction/categories.ts';
import { parseJsonRecords } from '../extraction/documents/json-records.ts';
import type { DocumentReadResult } from './read-document.ts';
import type { IngestionWork } from './ingestion-store.ts';

/** A text that is JSON, as a fact for each of its objects; null for any other document. */
export function readJsonDocument({
  body,
  createdAt,
}: Pick<IngestionWork, 'body' | 'createdAt'>): DocumentReadResult | null {
  if (typeof body !== 'string') return null;
  const records = parseJsonRecords(body);
  return (
    records && {
      turns: [{ index: 0, role: 'user', content: body, at: createdAt }],
      candidates: records.map(({ content, quote }) => ({
        type: 'facts',
        category: categoryOf('fact', content),
        content,
        confidence: 1,
        turns: [0],
        quote,
        entities: [],
      })),
      discarded: [],
      warnings: [],
    }
  );
}
