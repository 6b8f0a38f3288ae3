import { deserialize, serialize } from 'node:v8';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { scoreNamePairs, type NameComparison, type ScoredNamePair } from '../../domain/entities/match.ts';
import type { DocumentPart } from '../../domain/extraction/documents/document-part.ts';
import { parseTranscript as parseTurns } from '../../domain/extraction/documents/transcript.ts';
import type { StatedDraft } from '../../domain/extraction/draft.ts';
import { warmUpRules } from '../../domain/extraction/warm-up.ts';
import {
  generateByRules as generateConfiguration,
  type GeneratedConfiguration,
} from '../../domain/generation/generate.ts';
import type { Classifications } from '../../domain/extraction/select-candidates.ts';
import {
  classifiablePartOf,
  draftTurns,
  draftPassages,
  toDocumentReading,
  type DocumentReadResult,
  type DocumentToRead,
  type DraftedDocument,
} from '../../domain/ingestion/read-document.ts';
import { lowerThreadPriority } from '../thread-priority.ts';

// Each function that this file exports is a task of the reading threads, asked for by its name.
lowerThreadPriority('reading');
warmUpRules();

/**
 * A drafted document on its way from one task to another. The main thread reads what a model is asked about, and passes
 * the rest on without a copy and without making objects of it: a draft has many times as many as its text has words.
 */
export interface PackedDraft extends StatedDraft {
  readonly packed: Uint8Array<ArrayBuffer>;
}

function pack(drafted: DraftedDocument): PackedDraft {
  const packed = new Uint8Array(serialize(drafted));
  const sent = { ...classifiablePartOf(drafted.draft), packed };
  return move({ [transferableSymbol]: [packed.buffer], [valueSymbol]: sent }) as unknown as PackedDraft;
}

/** `withinMs`: after so long what is left of the document is kept as passages, without statements. */
export function draft({ document, withinMs }: { document: DocumentToRead; withinMs: number }): PackedDraft {
  const deadline = performance.now() + withinMs;
  return pack(draftTurns(document, () => performance.now() > deadline));
}

export const splitPassages = (document: DocumentToRead): PackedDraft => pack(draftPassages(document));

export const finishExtraction = ({
  packed,
  classifications,
  ...how
}: Pick<DocumentToRead, 'mode' | 'threshold'> & {
  packed: Uint8Array;
  classifications: Classifications;
}): Omit<DocumentReadResult, 'warnings'> =>
  toDocumentReading(deserialize(packed) as DraftedDocument, classifications, how);

export const parseTranscript = ({ text, startedAt }: { text: string; startedAt: Date }): DocumentPart[] | null =>
  parseTurns(text, startedAt, { onlyRoles: false });

export const compare = (comparison: NameComparison): ScoredNamePair[] => scoreNamePairs(comparison);

export const generate = (useCase: string): GeneratedConfiguration => generateConfiguration(useCase);
