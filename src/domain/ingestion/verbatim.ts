import type { Candidate } from '../extraction/candidate.ts';
import type { DocumentReadResult } from './read-document.ts';
import type { IngestionWork } from './ingestion-store.ts';

/** A record cites itself by its beginning. */
const quotedCharacters = 2_000;

/** The words that a record cites as its evidence. */
export const quoteOfRecord = (content: string): string => content.slice(0, quotedCharacters);

/** A record as one fact, in the words in which it was given. */
export function readVerbatimDocument({
  body,
  createdAt,
}: Pick<IngestionWork, 'body' | 'createdAt'>): DocumentReadResult {
  const content = typeof body === 'string' ? body : body.map((turn) => turn.content).join('\n');
  const fact: Candidate = {
    type: 'facts',
    category: 'other',
    content,
    confidence: 1,
    turns: [0],
    quote: quoteOfRecord(content),
    entities: [],
  };
  return {
    turns: [{ index: 0, role: 'user', content, at: createdAt }],
    candidates: [fact],
    discarded: [],
    warnings: [],
  };
}
