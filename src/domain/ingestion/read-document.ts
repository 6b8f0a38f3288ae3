import type { Candidate, Discarded, Turn } from '../extraction/candidate.ts';
import { extract } from '../extraction/extract.ts';
import type { DocumentType, IngestionMode } from './ingestion.ts';
import type { DocumentBody } from './store.ts';
import { turnsOf } from './turns.ts';

/** A document, and how it is read. */
export interface DocumentToRead {
  readonly body: DocumentBody;
  readonly createdAt: Date;
  readonly type: DocumentType;
  readonly mode: IngestionMode;
  /** Statements less sure than this are left out and counted. */
  readonly threshold: number;
}

/** A document as the rules read it. */
export interface DocumentReading {
  readonly turns: readonly Turn[];
  readonly candidates: Candidate[];
  readonly discarded: Discarded[];
  /** Sentences that tell what could not be done. */
  readonly warnings: readonly string[];
}

/** In characters. */
export const sizeOf = ({ body }: Pick<DocumentToRead, 'body'>): number =>
  typeof body === 'string' ? body.length : body.reduce((sum, { content }) => sum + content.length, 0);

/** `isLate` is asked again and again: from its first yes on the document is only cut into passages. */
export function readDocument(document: DocumentToRead, isLate: () => boolean = () => false): DocumentReading {
  const { body, createdAt, type, mode, threshold } = document;
  const turns = turnsOf(body, createdAt, type);
  const { candidates, discarded, isCutShort } = extract(turns, { mode, documentType: type, threshold, isLate });
  return { turns, candidates, discarded, warnings: isCutShort ? [cutShort] : [] };
}

/** The passages of a document that cannot be read in time, each turn as it was sent. */
export function readPassages({ body, createdAt, type, mode, threshold }: DocumentToRead): DocumentReading {
  const sent = typeof body === 'string' ? [{ role: 'user', content: body }] : body;
  const turns = sent.map(({ timestamp, name, ...turn }, index) => ({
    ...turn,
    ...(name ? { name } : {}),
    at: timestamp ?? createdAt,
    sent: index,
    index,
  }));
  const { candidates, discarded } = extract(turns, { mode, documentType: type, threshold, isLate: () => true });
  return { turns, candidates, discarded, warnings: [cutShort] };
}

const cutShort =
  'there was more in the document than could be read in time: some or all of it is kept as passages only';
