import { enqueue } from '../../jobs/queue.ts';
import { transaction, type Tx } from '../../db/database.ts';
import { notFoundError } from '../errors.ts';
import { newUuid, parseId } from '../ids.ts';
import type { WriteDependencies } from '../invalidation/write-transaction.ts';
import type { Access } from '../tenancy/access.ts';
import { duplicateDocumentError } from './accept-document.ts';
import { readAcknowledgedIngestion } from './acknowledged-ingestion.ts';
import type { Ingestion } from './ingestion.ts';
import { requeueFailedIngestion } from './ingestion-store.ts';
import type { SubmissionDependencies } from './submit-document.ts';
import type { IngestionProgress } from './watch-ingestion.ts';

interface RetryDependencies extends WriteDependencies, Pick<SubmissionDependencies, 'wake'> {
  readonly ingestionProgress: IngestionProgress;
}

/**
 * Has an ingestion that failed run again, with all tries; its document takes its id again. One that has not failed is
 * answered as it stands, so that it runs once however often it is asked for. Throws `not_found`, and
 * `duplicate_document` where another document has the id by now.
 */
export async function retryIngestion(deps: RetryDependencies, access: Access, publicId: string): Promise<Ingestion> {
  const id = parseId('ingestion', publicId);
  const isQueued = await transaction(deps.db, (tx) => requeue(tx, access, id)).catch(async (error: unknown) => {
    throw error instanceof IdTaken ? await duplicateDocumentError(deps.db, access, error.externalId) : error;
  });
  if (isQueued) {
    deps.wake();
    deps.ingestionProgress.moved(id);
  }
  const ingestion = await readAcknowledgedIngestion(deps, access, id);
  if (!ingestion) throw notFoundError('ingestion');
  return ingestion;
}

async function requeue(tx: Tx, access: Access, id: string): Promise<boolean> {
  const { instanceNumber } = access;
  const document = await requeueFailedIngestion(tx, access, id);
  if (!document) return false;
  const { externalId } = document;
  if (externalId !== null) {
    await tx.document
      .update({
        where: { instanceNumber_id: { instanceNumber, id: document.id } },
        data: { reservedExternalId: externalId },
      })
      .catch((error: { code?: string }) => {
        throw error.code === uniqueViolation ? new IdTaken(externalId) : error;
      });
  }
  await enqueue(tx, 'ingest-document', { id: newUuid(), instanceNumber, payload: { ingestionId: id } });
  return true;
}

/** Prisma's code. */
const uniqueViolation = 'P2002';

/** Another document has the id. Ends the transaction, after which that document is read. */
class IdTaken extends Error {
  readonly externalId: string;

  constructor(externalId: string) {
    super();
    this.externalId = externalId;
  }
}
