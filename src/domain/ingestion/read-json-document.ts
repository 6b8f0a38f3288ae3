import { categoryOf } from '../extraction/categories.ts';
import { parseJsonRecords } from '../extraction/documents/json-records.ts';
import type { DocumentReadResult } from './read-document.ts';
import type { IngestionWork } from './ingestion-store.ts';
import { quoteOfRecord } from './verbatim.ts';

/** A text that is JSON, as a fact for each of its objects; null for any other document. */
export function readJsonDocument({
  body,
  createdAt,
}: Pick<IngestionWork, 'body' | 'createdAt'>): DocumentReadResult | null {
  if (typeof body !== 'string') return null;
  const found = parseJsonRecords(body);
  return (
    found && {
      turns: [{ index: 0, role: 'user', content: body, at: createdAt }],
      candidates: found.records.map(({ content, quote }) => ({
        type: 'facts',
        category: categoryOf('fact', content),
        content,
        confidence: 1,
        turns: [0],
        quote: quoteOfRecord(quote),
        entities: [],
      })),
      discarded: Array.from({ length: found.leftOut }, () => ({ turn: 0, reason: 'too-long' as const })),
      warnings: [],
    }
  );
}
