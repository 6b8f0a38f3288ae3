import { completeJob, retryJob, type Job } from '../../db/queue.ts';
import type { Dependencies } from '../../dependencies.ts';
import { rewrapDataKeys } from '../../domain/administration/master-key.ts';
import type { Telemetry } from '../../telemetry.ts';
import { delayOf } from './reembed-instance.ts';

/** One pass over all data keys; those that could not be opened are tried again, until their master key is there. */
export async function rotateMasterKey(
  d: Dependencies,
  { log }: Telemetry,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const failures = await rewrapDataKeys(d, signal, (instance, error) =>
    log.error({ instance, error }, 'a data key could not be wrapped by the master key of now'),
  );
  if (signal.aborted) return retryJob(d.db, job, 0);
  if (failures) return retryJob(d.db, job, delayOf(job));
  if (await completeJob(d.db, job)) log.info({ master_key: d.keyRing.masterKeyId }, 'every data key is rewrapped');
}
