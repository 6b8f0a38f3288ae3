import { comparePairs, type NameComparison, type ScoredPair } from '../../domain/entities/match.ts';
import { warmUp } from '../../domain/extraction/warm-up.ts';
import { generate as generateConfiguration, type Generated } from '../../domain/generation/generate.ts';
import {
  readDocument,
  readPassages,
  type DocumentReading,
  type DocumentToRead,
} from '../../domain/ingestion/read-document.ts';

// Each function that this file exports is a task of the reading threads, asked for by its name.
warmUp();

/** `withinMs`: after so long what is left of the document is kept as passages, without statements. */
export function read({ document, withinMs }: { document: DocumentToRead; withinMs: number }): DocumentReading {
  const deadline = performance.now() + withinMs;
  return readDocument(document, () => performance.now() > deadline);
}

export const passages = (document: DocumentToRead): DocumentReading => readPassages(document);

export const compare = (comparison: NameComparison): ScoredPair[] => comparePairs(comparison);

export const generate = (useCase: string): Generated => generateConfiguration(useCase);
