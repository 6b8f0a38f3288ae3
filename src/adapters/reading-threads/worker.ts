import { comparePairs, type NameComparison, type ScoredPair } from '../../domain/entities/match.ts';
import { warmUp } from '../../domain/extraction/warm-up.ts';
import { generate as generateConfiguration, type Generated } from '../../domain/generation/generate.ts';
import type { Classifications } from '../../domain/extraction/settle.ts';
import {
  draftOf,
  draftOfPassages,
  readingOf,
  type DocumentReading,
  type DocumentToRead,
  type DraftedDocument,
} from '../../domain/ingestion/read-document.ts';

// Each function that this file exports is a task of the reading threads, asked for by its name.
warmUp();

/** `withinMs`: after so long what is left of the document is kept as passages, without statements. */
export function draft({ document, withinMs }: { document: DocumentToRead; withinMs: number }): DraftedDocument {
  const deadline = performance.now() + withinMs;
  return draftOf(document, () => performance.now() > deadline);
}

export const passages = (document: DocumentToRead): DraftedDocument => draftOfPassages(document);

export const settle = ({
  drafted,
  classifications,
  ...how
}: Pick<DocumentToRead, 'mode' | 'threshold'> & {
  drafted: DraftedDocument;
  classifications: Classifications;
}): Omit<DocumentReading, 'warnings'> => readingOf(drafted, classifications, how);

export const compare = (comparison: NameComparison): ScoredPair[] => comparePairs(comparison);

export const generate = (useCase: string): Generated => generateConfiguration(useCase);
