import type { Configuration } from '../configurations/configuration.ts';
import type { Candidate } from '../extraction/candidate.ts';
import { isExcluded } from '../extraction/fit-category.ts';
import type { DocumentReadResult } from './read-document.ts';
import type { IngestionWork } from './ingestion-store.ts';

/** A record cites itself by its beginning. */
const quotedCharacters = 2_000;

/** The words that a record cites as its evidence. */
export const quoteOfRecord = (content: string): string => content.slice(0, quotedCharacters);

/** A record as one fact, in the words in which it was given; none where the configuration excludes what it holds. */
export function extractVerbatimRecord(
  { body, createdAt }: Pick<IngestionWork, 'body' | 'createdAt'>,
  configuration: Configuration,
): DocumentReadResult {
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
  const turns = [{ index: 0, role: 'user', content, at: createdAt }];
  return isExcluded(configuration, content)
    ? { turns, candidates: [], discarded: [{ turn: 0, reason: 'excluded' }], warnings: [excluded] }
    : { turns, candidates: [fact], discarded: [], warnings: [] };
}

const excluded = 'the text holds what `excluded` of the configuration names: nothing of it is remembered';
