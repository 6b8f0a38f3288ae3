import { transaction } from '../../db/database.ts';
import { completeJob, type Job } from '../../db/queue.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Stored } from '../../domain/ingestion/ingestion.ts';
import { runIngestion } from '../../domain/ingestion/run-ingestion.ts';
import { failIngestion } from '../../domain/ingestion/store.ts';
import type { Accepted } from '../../domain/ingestion/submit.ts';
import { asWorker } from '../../domain/tenancy/authenticate.ts';
import type { Telemetry } from '../../telemetry.ts';
import { accessOf } from './access-of.ts';

/** One try at a document; throws when it is worth another. `accepted`: it was handed over, and nothing is read again. */
export async function ingestDocument(
  d: Dependencies,
  telemetry: Telemetry,
  { job, accepted, signal }: { job: Job; accepted: Accepted | undefined; signal: AbortSignal },
): Promise<void> {
  const access = accepted ? asWorker(accepted.access) : await accessOf(d, job);
  const ended = accepted && d.progress.runsHere(accepted);
  const ingesting = {
    ...d,
    signal,
    progress(ingestionId: string, stored?: Stored) {
      if (stored) ended?.(stored);
      d.progress.moved(ingestionId);
    },
    warn: (message: string, error: unknown) => telemetry.log.warn({ job: job.id, error }, message),
  };
  try {
    const outcome = await runIngestion(ingesting, access, job, accepted);
    if (outcome === 'gone') await completeJob(d.db, job); // storing ends it otherwise, in the commit of its memories
  } finally {
    ended?.();
  }
}

/** After the last try: the ingestion says so, and its document id is free again. */
export async function failDocument(d: Dependencies, job: Job, message: string): Promise<void> {
  const access = await accessOf(d, job);
  const ingestionId = job.payload['ingestionId']!;
  await transaction(d.db, async (tx) => {
    await failIngestion(tx, access, ingestionId, message, d.now());
    await completeJob(tx, job);
  });
  d.progress.moved(ingestionId);
}
