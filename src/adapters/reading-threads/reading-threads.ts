import { availableParallelism } from 'node:os';
import { scoreNamePairs, type NameComparison, type ScoredNamePair } from '../../domain/entities/match.ts';
import { invalidInputError, unavailableError } from '../../domain/errors.ts';
import type { StatedDraft } from '../../domain/extraction/draft.ts';
import type { DocumentPart } from '../../domain/extraction/documents/document-part.ts';
import { parseTranscript } from '../../domain/extraction/documents/transcript.ts';
import { generateByRules, type GeneratedConfiguration } from '../../domain/generation/generate.ts';
import type { StatementClassifier } from '../../domain/extraction/statement-classifier.ts';
import {
  classifyDraftedDocument,
  draftTurns,
  toDocumentReading,
  documentSizeOf,
  documentWarningsOf,
  type DocumentReadResult,
  type DocumentToRead,
} from '../../domain/ingestion/read-document.ts';
import { openThreadPool, ResourceLimitExceeded, type ThreadPool } from '../thread-pool.ts';
import type * as tasks from './worker.ts';
import type { PackedDraft } from './worker.ts';

/**
 * Texts of others are read by rules that take time in proportion to their length, as far as we know. Here that is not
 * trusted: what is longer than a message is read in a thread, and one that takes too long is ended.
 */
export interface ReadingThreads {
  /**
   * Extracts a document. When it takes longer than it should, the rest is kept as passages, with a warning. Throws
   * `invalid_input` when not even that can be done.
   */
  readonly read: (document: DocumentToRead) => Promise<DocumentReadResult>;
  /** The turns of a text that names its speakers; null where it does not. Throws `invalid_input` when that takes too long. */
  readonly parseTranscript: (text: string, startedAt: Date) => Promise<DocumentPart[] | null>;
  /** The pairs of names that may be one. Throws `unavailable` when comparing them takes too long. */
  readonly compare: (comparison: NameComparison) => Promise<ScoredNamePair[]>;
  /** The configuration that a use-case file asks for, by rules. Throws `invalid_input` when reading it takes too long. */
  readonly generate: (useCase: string) => Promise<GeneratedConfiguration>;
  close(): Promise<void>;
}

/** So little takes less time to read than to hand to a thread and back, however it is written. */
const readHere = { characters: 2_000, names: 40 };
/**
 * In milliseconds: after `statements` the rest of a document is only cut into passages, after `reading` its thread is
 * ended, after `classifying` no further statement is classified, after `other` the thread of any other task is ended. A
 * megabyte of ordinary text takes two seconds of a slow processor.
 */
const limits = { statements: 15_000, reading: 30_000, classifying: 60_000, other: 10_000 };
const reading = { withinMs: limits.reading };
const other = { withinMs: limits.other };
/** `heap` is the memory of each thread, in MiB: what a text took of it is given back when the thread ends. */
const each = { heap: 256, idleMs: 20_000 };
/**
 * Large texts are read one at a time, in a thread of their own: what a megabyte becomes while it is read stands in the
 * process once, and short texts never wait for it.
 */
const pools = { short: { ...each, max: Math.max(2, availableParallelism() - 1) }, large: { ...each, max: 1 } };
/**
 * The sizes from which work is large: documents and use-case files in characters, comparisons in names. Below, the
 * costliest that we know leave a thread with a heap of 45 MiB, where it begins with 32; the largest leave it with 130.
 * Where somebody waits for the answer, more is read beside large documents: use-case files, whose costliest leave 75,
 * and transcripts that are only cut into turns, of any length, since a megabyte takes 10 MiB and 100 ms.
 */
const large = { document: 64_000, useCase: 32_000, names: 300 };

type Threads = ThreadPool<typeof tasks>;

export function openReadingThreads(classifier: StatementClassifier): ReadingThreads {
  const worker = new URL('./worker.js', import.meta.url);
  const forShort: Threads = openThreadPool(worker, pools.short);
  const forLarge: Threads = openThreadPool(worker, pools.large);
  const threadsFor = (size: number, kind: keyof typeof large) => (size > large[kind] ? forLarge : forShort);
  const instead = (refusal: () => Error) => (error: unknown) => {
    throw error instanceof ResourceLimitExceeded ? refusal() : error;
  };
  const draftInThread = async (document: DocumentToRead, threads: Threads): Promise<PackedDraft> => {
    try {
      return await threads.run('draft', { document, withinMs: limits.statements }, reading);
    } catch (error) {
      if (!(error instanceof ResourceLimitExceeded)) throw error;
      return threads.run('splitPassages', document, reading).catch(instead(unreadable));
    }
  };
  const classify = (asked: StatedDraft) => {
    const deadline = performance.now() + limits.classifying;
    return classifyDraftedDocument(asked, classifier, () => performance.now() > deadline);
  };
  const readHereAndNow = async (document: DocumentToRead): Promise<DocumentReadResult> => {
    const drafted = draftTurns(document);
    const { classifications, warnings } = await classify(drafted.draft);
    return {
      ...toDocumentReading(drafted, classifications, document),
      warnings: documentWarningsOf(drafted.draft, warnings),
    };
  };
  const readInThread = async (document: DocumentToRead, threads: Threads): Promise<DocumentReadResult> => {
    const drafted = await draftInThread(document, threads);
    const { classifications, warnings } = await classify(drafted);
    const { packed } = drafted;
    const { mode, threshold } = document;
    const finishing = { packed, classifications, mode, threshold };
    const finished = await threads
      .run('finishExtraction', finishing, { ...reading, transferList: [packed.buffer] })
      .catch(instead(unreadable));
    return { ...finished, warnings: documentWarningsOf(drafted, warnings) };
  };
  return {
    read(document) {
      const size = documentSizeOf(document);
      if (size <= readHere.characters) return readHereAndNow(document);
      return readInThread(document, threadsFor(size, 'document'));
    },
    async parseTranscript(text, startedAt) {
      if (text.length <= readHere.characters) return parseTranscript(text, startedAt, { onlyRoles: false });
      return forShort.run('parseTranscript', { text, startedAt }, other).catch(instead(unreadable));
    },
    async compare(comparison) {
      const { length } = comparison.nodes;
      if (length <= readHere.names) return scoreNamePairs(comparison);
      return threadsFor(length, 'names').run('compare', comparison, other).catch(instead(tooManyNames));
    },
    async generate(useCase) {
      if (useCase.length <= readHere.characters) return generateByRules(useCase);
      try {
        return await threadsFor(useCase.length, 'useCase').run('generate', useCase, other);
      } catch (error) {
        throw error instanceof ResourceLimitExceeded || error instanceof RangeError ? unreadableUseCase() : error;
      }
    },
    async close() {
      await Promise.all([forShort.close(), forLarge.close()]);
    },
  };
}

const unreadable = () => invalidInputError('document', 'takes too long to read: send it in parts');
const tooManyNames = () => unavailableError('comparing the names took too long');
const unreadableUseCase = () =>
  invalidInputError('use_case', 'takes too long to read: make it shorter, its lists flatter');
