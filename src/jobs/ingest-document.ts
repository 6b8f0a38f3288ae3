import { z } from 'zod';
import { transaction } from '../db/database.ts';
import type { IngestionResult } from '../domain/ingestion/ingestion.ts';
import { runIngestion } from '../domain/ingestion/run-ingestion.ts';
import { failIngestion } from '../domain/ingestion/ingestion-store.ts';
import { accessAsWorker, toWorkerAccess } from '../domain/tenancy/authenticate.ts';
import { defineJob, type JobOutcome } from './job.ts';
import { completeJob } from './queue.ts';

/** Another worker has the job. Rolls the transaction back. */
class NotOurs extends Error {}

export const ingestDocumentJob = defineJob({
  name: 'ingest-document',
  description: 'Reads an accepted document and stores its memories.',
  payload: z.object({ ingestionId: z.uuid() }),
  retry: { maxAttempts: 5, maxWorkerCrashes: 3, backoff: { firstMs: 200, factor: 4, maxMs: 30_000 } },
  operation: 'ingest',
  runsInParallel: true,

  async handler({ deps, telemetry, job, handedOver, signal }): Promise<JobOutcome> {
    const access = handedOver ? toWorkerAccess(handedOver.access) : await accessAsWorker(deps, job);
    const ended = handedOver && deps.ingestionProgress.runsHere(handedOver);
    const ingesting = {
      ...deps,
      signal,
      reportProgress(ingestionId: string, stored?: IngestionResult) {
        if (stored) ended?.(stored);
        deps.ingestionProgress.moved(ingestionId);
      },
      warn: (message: string, error: unknown) => telemetry.log.warn({ job: job.id, error }, message),
    };
    try {
      const outcome = await runIngestion(ingesting, access, job, handedOver);
      return outcome === 'gone' ? 'done' : 'removed'; // storing removes it, in the commit of its memories
    } finally {
      ended?.();
    }
  },

  /** The ingestion says that it failed, and its document id is free again. */
  async deadLetter({ deps, job }, reason): Promise<void> {
    const access = await accessAsWorker(deps, job);
    const { ingestionId } = job.payload;
    const isOurs = await transaction(deps.db, async (tx) => {
      await failIngestion(tx, access, ingestionId, reason, deps.now());
      if (!(await completeJob(tx, job))) throw new NotOurs();
      return true;
    }).catch((error: unknown) => {
      if (error instanceof NotOurs) return false;
      throw error;
    });
    if (!isOurs) return;
    deps.metering.measure(access.instanceNumber, 'ingest', { variant: '', ms: 0, isError: true });
    deps.ingestionProgress.moved(ingestionId);
  },
});
