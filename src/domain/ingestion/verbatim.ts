import type { Candidate } from '../extraction/candidate.ts';
import type { DocumentReading } from './read-document.ts';
import type { IngestionWork } from './store.ts';

/** What is indexed of a record: a framework's state may be long, and says little in words. */
const indexedCharacters = 2_000;

/** A record as one fact, in the words in which it was given. */
export function verbatimReading({ body, createdAt }: Pick<IngestionWork, 'body' | 'createdAt'>): DocumentReading {
  const content = typeof body === 'string' ? body : body.map((turn) => turn.content).join('\n');
  const fact: Candidate = {
    type: 'facts',
    category: 'other',
    content,
    confidence: 1,
    turns: [0],
    quote: content.slice(0, indexedCharacters),
    entities: [],
  };
  return {
    turns: [{ index: 0, role: 'user', content, at: createdAt }],
    candidates: [fact],
    discarded: [],
    warnings: [],
  };
}

/** The words by which a memory is found: those of a record begin with what is noted of it. */
export function indexedWords({ mode, metadata }: Pick<IngestionWork, 'mode' | 'metadata'>, content: string): string {
  if (mode !== 'verbatim') return content;
  const noted = Object.values(metadata ?? {}).flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
  return [...noted, content].join('\n').slice(0, indexedCharacters);
}
