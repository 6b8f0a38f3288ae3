import { transaction } from '../../db/database.ts';
import { completeJob, type Job } from '../../db/queue.ts';
import type { Dependencies } from '../../dependencies.ts';
import { runIngestion } from '../../domain/ingestion/run-ingestion.ts';
import { failIngestion } from '../../domain/ingestion/store.ts';
import type { Telemetry } from '../../telemetry.ts';
import { accessOf } from './access-of.ts';

/** One try at a document; throws when it is worth another. */
export async function ingestDocument(
  d: Dependencies,
  telemetry: Telemetry,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const ingesting = {
    ...d,
    signal,
    progress: (ingestionId: string) => d.progress.moved(ingestionId),
    warn: (message: string, error: unknown) => telemetry.log.warn({ job: job.id, error }, message),
  };
  const outcome = await runIngestion(ingesting, await accessOf(d, job), job);
  if (outcome === 'gone') await completeJob(d.db, job); // storing ends it otherwise, in the commit of its memories
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
