import { transaction } from '../../db/database.ts';
import { completeJob, type Job } from '../../db/queue.ts';
import type { Dependencies } from '../../dependencies.ts';
import { instanceIdOf } from '../../domain/ids.ts';
import { runIngestion } from '../../domain/ingestion/run-ingestion.ts';
import { failIngestion } from '../../domain/ingestion/store.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import { accessAsAdmin } from '../../domain/tenancy/authenticate.ts';
import type { Telemetry } from '../../telemetry.ts';

/** A job's payload is ids only: who may do what is read from the rows again. */
const accessOf = (d: Dependencies, job: Job): Promise<Access> =>
  accessAsAdmin(d, { kind: 'admin', tokenId: 'worker', role: 'owner' }, instanceIdOf(job.i));

/** One try at a document; throws when it is worth another. */
export async function ingestDocument(d: Dependencies, telemetry: Telemetry, job: Job): Promise<void> {
  const ingesting = {
    ...d,
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
