import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../db/database.ts';
import type { ResumeWaiter } from '../../db/wake-signal.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import type { Access } from '../tenancy/access.ts';
import { acceptDocument, type AcceptedDocument } from './accept-document.ts';
import { acceptInPlace } from './accept-in-place.ts';
import { extractByRules, type DocumentForRules } from './extract-document.ts';
import type { IngestionDependencies } from './ingestion-dependencies.ts';
import type { Ingestion, Submission } from './ingestion.ts';
import type { DocumentReadResult } from './read-document.ts';

export interface SubmissionDependencies {
  readonly db: Db;
  readonly now: () => Date;
  /** Tells a worker that there is work; a worker that does not hear it finds out by itself. */
  readonly wake: () => void;
  /** Keeps a worker of this process that waits for work, if there is one. */
  readonly reserveWorker: () => ResumeWaiter<AcceptedDocument> | null;
  /** The rules, wherever they run. */
  readonly readDocument: IngestionDependencies['readDocument'];
}

/**
 * Accepts a document: stores it with its ingestion and its job in one statement, or with `ifExists: 'replace'` in one
 * transaction. Throws `duplicate_document` (with the first ingestion) when its id is queued, running or ingested,
 * `invalid_input` when it has no owner, and `payload_too_large`.
 */
export async function submitDocument(
  deps: SubmissionDependencies,
  access: Access,
  submission: Submission,
): Promise<Ingestion> {
  const handOver = deps.reserveWorker();
  try {
    const readMeanwhile = handOver ? (told: DocumentForRules) => readOnceSent(deps, access, told) : undefined;
    const options = { at: deps.now(), batch: null, readMeanwhile };
    const accepted =
      submission.ifExists === 'replace'
        ? await acceptInPlace(deps.db, access, submission, options)
        : await acceptDocument(deps.db, access, submission, options);
    if (!('job' in accepted)) {
      handOver?.();
      return accepted;
    }
    if (handOver) handOver(accepted);
    else deps.wake();
    return accepted.ingestion;
  } catch (error) {
    handOver?.();
    throw error;
  }
}

/** Reads a document by rules once the statement that stores it has left, since reading keeps this thread busy. */
async function readOnceSent(
  deps: SubmissionDependencies,
  access: Access,
  told: DocumentForRules,
): Promise<DocumentReadResult> {
  await setImmediate();
  return extractByRules(deps, told, await currentConfiguration(deps.db, access));
}
