import type { DocumentType } from '../configurations/configuration.ts';
import { DomainError } from '../errors.ts';
import type { Candidate, DiscardedTurn, Turn } from '../extraction/candidate.ts';
import { draftDocument } from '../extraction/draft-document.ts';
import type { DocumentDraft, StatedDraft } from '../extraction/draft.ts';
import { classifyDraft, finishExtraction } from '../extraction/extract.ts';
import type { Classifications } from '../extraction/select-candidates.ts';
import type { StatementClassifier } from '../extraction/statement-classifier.ts';
import type { IngestionMode } from './ingestion.ts';
import type { DocumentBody } from './ingestion-store.ts';
import { toExtractionTurns } from './turns.ts';

/** A document, and how it is read. */
export interface DocumentToRead {
  readonly body: DocumentBody;
  readonly createdAt: Date;
  readonly type: DocumentType;
  readonly mode: Exclude<IngestionMode, 'verbatim'>;
  /** Statements less sure than this are left out and counted. */
  readonly threshold: number;
  /** Other words of its speaker, which tell with its own in what order they write day and month. Default: none. */
  readonly saidElsewhere?: readonly string[];
}

/** A document as it was read. */
export interface DocumentReadResult {
  readonly turns: readonly Turn[];
  readonly candidates: Candidate[];
  readonly discarded: DiscardedTurn[];
  /** Sentences that tell what could not be done. */
  readonly warnings: readonly string[];
}

/** A document as far as rules read it: its turns, and the statements that a model is to be asked about. */
export interface DraftedDocument {
  readonly turns: readonly Turn[];
  readonly draft: DocumentDraft;
}

/** The number of characters that are read for a document. */
export const documentSizeOf = ({ body, saidElsewhere = [] }: Pick<DocumentToRead, 'body' | 'saidElsewhere'>): number =>
  [...(typeof body === 'string' ? [body] : body.map(({ content }) => content)), ...saidElsewhere].reduce(
    (sum, { length }) => sum + length,
    0,
  );

/** `isLate` is asked again and again: from its first yes on the document is only cut into passages. */
export function draftTurns(
  { body, createdAt, type, saidElsewhere = [] }: DocumentToRead,
  isLate: () => boolean = () => false,
): DraftedDocument {
  const turns = toExtractionTurns(body, createdAt, type);
  return { turns, draft: draftDocument(turns, { documentType: type, saidElsewhere, isLate }) };
}

/** The passages of a document that cannot be read in time, each turn as it was sent. */
export function draftPassages({ body, createdAt, type }: DocumentToRead): DraftedDocument {
  const sent = typeof body === 'string' ? [{ role: 'user', content: body }] : body;
  const turns = sent.map(({ timestamp, name, ...turn }, index) => ({
    ...turn,
    ...(name ? { name } : {}),
    at: timestamp ?? createdAt,
    sent: index,
    index,
  }));
  const draft = draftDocument(turns, { documentType: type, isLate: () => true });
  return { turns, draft: { ...draft, isCutShort: true } };
}

/** Classifies a draft's statements. Without the model, only statements that match attribute patterns are kept. */
export async function classifyDraftedDocument(
  draft: StatedDraft,
  classifier: StatementClassifier,
  isLate: () => boolean,
): Promise<{ readonly classifications: Classifications; readonly warnings: readonly string[] }> {
  try {
    const classifications = await classifyDraft(draft, classifier, isLate);
    const isComplete = classifications.every((turn) => turn.every((each) => each !== undefined));
    return { classifications, warnings: isComplete ? [] : [cutShort] };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { classifications: [], warnings: [withoutModel] };
  }
}

/** The part of a draft that the model needs, without what only the rules need again. */
export const classifiablePartOf = ({ turns, isCutShort }: StatedDraft): StatedDraft => ({
  turns: turns.map(({ statements }) => ({ statements: statements.map(({ utterance }) => ({ utterance })) })),
  isCutShort,
});

/** The memories of a drafted document. */
export function toDocumentReading(
  { turns, draft }: DraftedDocument,
  classifications: Classifications,
  options: Pick<DocumentToRead, 'mode' | 'threshold'>,
): Omit<DocumentReadResult, 'warnings'> {
  return { turns, ...finishExtraction(draft, classifications, turns, options) };
}

/** `warnings` of the reading, each once. */
export const documentWarningsOf = ({ isCutShort }: StatedDraft, warnings: readonly string[]): string[] => [
  ...new Set([...(isCutShort ? [cutShort] : []), ...warnings]),
];

const cutShort =
  'there was more in the document than could be read in time: some or all of it is kept as passages only';
const withoutModel = 'the statement model was unavailable: little more than passages is kept';
