import { deserialize, serialize } from 'node:v8';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { comparePairs, type NameComparison, type ScoredPair } from '../../domain/entities/match.ts';
import type { Piece } from '../../domain/extraction/documents/piece.ts';
import { speakersIn } from '../../domain/extraction/documents/transcript.ts';
import { warmUp } from '../../domain/extraction/warm-up.ts';
import { generate as generateConfiguration, type Generated } from '../../domain/generation/generate.ts';
import type { Classifications } from '../../domain/extraction/settle.ts';
import {
  askedOf,
  draftOf,
  draftOfPassages,
  readingOf,
  type AskedDocument,
  type DocumentReading,
  type DocumentToRead,
  type DraftedDocument,
} from '../../domain/ingestion/read-document.ts';
import { yieldAs } from '../thread-priority.ts';

// Each function that this file exports is a task of the reading threads, asked for by its name.
yieldAs('reading');
warmUp();

/**
 * A drafted document on its way from one task to another. The main thread reads what a model is asked about, and passes
 * the rest on without a copy and without making objects of it: a draft has many times as many as its text has words.
 */
export interface PackedDraft extends AskedDocument {
  readonly packed: Uint8Array<ArrayBuffer>;
}

function pack(drafted: DraftedDocument): PackedDraft {
  const packed = new Uint8Array(serialize(drafted));
  const sent = { ...askedOf(drafted), packed };
  return move({ [transferableSymbol]: [packed.buffer], [valueSymbol]: sent }) as unknown as PackedDraft;
}

/** `withinMs`: after so long what is left of the document is kept as passages, without statements. */
export function draft({ document, withinMs }: { document: DocumentToRead; withinMs: number }): PackedDraft {
  const deadline = performance.now() + withinMs;
  return pack(draftOf(document, () => performance.now() > deadline));
}

export const passages = (document: DocumentToRead): PackedDraft => pack(draftOfPassages(document));

export const settle = ({
  packed,
  classifications,
  ...how
}: Pick<DocumentToRead, 'mode' | 'threshold'> & {
  packed: Uint8Array;
  classifications: Classifications;
}): Omit<DocumentReading, 'warnings'> => readingOf(deserialize(packed) as DraftedDocument, classifications, how);

export const speakers = ({ text, startedAt }: { text: string; startedAt: Date }): Piece[] | null =>
  speakersIn(text, startedAt, { onlyRoles: false });

export const compare = (comparison: NameComparison): ScoredPair[] => comparePairs(comparison);

export const generate = (useCase: string): Generated => generateConfiguration(useCase);
