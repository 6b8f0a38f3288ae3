import { categoryOf } from '../extraction/categories.ts';
import { jsonRecordsIn } from '../extraction/documents/json-records.ts';
import type { DocumentReading } from './read-document.ts';
import type { IngestionWork } from './store.ts';

/** A text that is JSON, as a fact for each of its objects; null for any other document. */
export function jsonReading({ body, createdAt }: Pick<IngestionWork, 'body' | 'createdAt'>): DocumentReading | null {
  if (typeof body !== 'string') return null;
  const records = jsonRecordsIn(body);
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
