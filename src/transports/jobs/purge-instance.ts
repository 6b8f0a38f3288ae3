import { completeJob, retryJob, type Job } from '../../db/queue.ts';
import type { Dependencies } from '../../dependencies.ts';
import { removePurged } from '../../domain/administration/purge-instance.ts';

/** Goes on until nothing is left. */
export async function purgeInstance(d: Dependencies, job: Job, signal: AbortSignal): Promise<void> {
  const waitMs = await removePurged(d, job.i, { signal });
  if (waitMs === null) await completeJob(d.db, job);
  else await retryJob(d.db, job, waitMs);
}
