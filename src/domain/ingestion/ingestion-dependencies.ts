import type { WriteDependencies } from '../invalidation/write-transaction.ts';
import type { LanguageModel } from '../extraction/language-model.ts';
import type { UpdateClassifier } from '../memories/update-classifier.ts';
import type { Metering } from '../metering/metering.ts';
import type { EmbeddingModels } from '../search-index/embedding-models.ts';
import type { VectorIndex } from '../search-index/vector-index.ts';
import type { IngestionResult } from './ingestion.ts';
import type { DocumentReadResult, DocumentToRead } from './read-document.ts';
import type { resolveEntities, ResolutionDependencies } from './resolve-entities.ts';

export interface IngestionDependencies extends WriteDependencies {
  readonly vectors: VectorIndex;
  readonly embedding: EmbeddingModels;
  /** By the name that configurations use. */
  readonly languageModels: ReadonlyMap<string, LanguageModel>;
  readonly metering: Pick<Metering, 'countTokens' | 'measure' | 'noteStorage'>;
  /** Aborted when the process stops: the run is taken up by the next. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** The rules, wherever they run. */
  readonly readDocument: (document: DocumentToRead) => Promise<DocumentReadResult>;
  /** Tells which memories a later statement replaces. */
  readonly updateClassifier: UpdateClassifier;
  readonly compareNames: ResolutionDependencies['compareNames'];
  readonly resolveEntities: typeof resolveEntities;
  /** Told whenever an ingestion comes to a new stage, and how it ended when it is stored. */
  readonly reportProgress: (ingestionId: string, stored?: IngestionResult) => void;
  readonly warn: (message: string, error: unknown) => void;
}
