import type { Configuration } from '../configurations/configuration.ts';
import { extractByModel, type ModelAnswers } from '../extraction/ask-model.ts';
import { addModelMemories } from '../extraction/add-model-memories.ts';
import type { Candidate, Turn } from '../extraction/candidate.ts';
import type { LanguageModel, TokenUsage } from '../extraction/language-model.ts';
import { withDeadline } from '../flow/with-deadline.ts';
import type { Access } from '../tenancy/access.ts';
import type { IngestionDependencies } from './ingestion-dependencies.ts';
import { readJsonDocument } from './read-json-document.ts';
import type { DocumentReadResult } from './read-document.ts';
import { saveCheckpoint, type IngestionWork } from './ingestion-store.ts';
import { extractVerbatimRecord } from './verbatim.ts';

/** The candidates of a document, the number of discarded ones, and warnings about what could not be done. */
export interface ExtractedDocument {
  readonly candidates: readonly Candidate[];
  readonly discarded: number;
  readonly warnings: readonly string[];
}

/** A document as the rules read it. */
export type DocumentForRules = Pick<IngestionWork, 'body' | 'createdAt' | 'type' | 'mode'>;

/** Extracts candidates from a document by rules. */
export async function extractByRules(
  deps: Pick<IngestionDependencies, 'readDocument'>,
  { body, createdAt, type, mode }: DocumentForRules,
  configuration: Configuration,
): Promise<DocumentReadResult> {
  if (mode === 'verbatim') return extractVerbatimRecord(deps, { body, createdAt, type }, configuration);
  const threshold = configuration.confidence_threshold;
  return readJsonDocument({ body, createdAt }) ?? deps.readDocument({ body, createdAt, type, mode, threshold });
}

/** Time for a model to read one document, all calls together. The job's lease is renewed meanwhile. */
const documentWithinMs = 180_000;

/** Extracts by rules (`ruled`), and in `long-range` also by the language model that the configuration names. */
export async function extractDocument(
  deps: IngestionDependencies,
  access: Access,
  { inference, confidence_threshold: threshold }: Configuration,
  work: IngestionWork,
  ruled: DocumentReadResult,
): Promise<ExtractedDocument> {
  const { candidates, discarded, turns, warnings } = ruled;
  const byRules = { candidates, discarded: discarded.length, warnings };
  if (work.mode !== 'long-range' || inference.extraction === 'none') return byRules;
  const model = deps.languageModels.get(inference.extraction);
  if (!model) {
    if (inference.extraction === 'default') return byRules;
    const missing = 'the configuration names a language model that is not there; rules found what is kept';
    return { ...byRules, warnings: [...warnings, missing] };
  }
  const answers =
    work.checkpoint ?? (await askWithinTime(deps, access, { model, provider: inference.extraction }, turns));
  const told = answers.filter((answer) => answer !== null);
  if (told.length && !work.checkpoint) await saveCheckpoint(deps.db, access, work.ingestionId, answers);
  const missed = answers.length - told.length;
  return {
    ...addModelMemories(ruled, told.flat(), turns, threshold),
    warnings: missed
      ? [
          ...warnings,
          `the language model gave no valid answer for ${partsOf(missed, answers.length)}; rules found what is kept`,
        ]
      : warnings,
  };
}

const partsOf = (missed: number, all: number) =>
  all === 1 ? 'the document' : `${missed} of ${all} parts of the document`;

async function askWithinTime(
  deps: IngestionDependencies,
  access: Access,
  { model, provider }: { model: LanguageModel; provider: string },
  turns: readonly Turn[],
): Promise<ModelAnswers> {
  const used = (tokens: TokenUsage) =>
    deps.metering.countTokens(access.instanceNumber, { provider, purpose: 'extraction', ...tokens });
  const answers = await withDeadline({ ms: documentWithinMs, signal: deps.signal }, (signal) =>
    extractByModel(model, turns, { signal, used }),
  );
  deps.signal.throwIfAborted();
  return answers;
}
