import { completeJob, retryJob, type Job } from '../../db/queue.ts';
import type { Dependencies } from '../../dependencies.ts';
import { sealClearText } from '../../domain/memories/seal-clear-text.ts';
import type { Telemetry } from '../../telemetry.ts';
import { accessOf } from './access-of.ts';

/** Seals what an earlier release kept of one instance in clear; stopped, it is put back and goes on with what is left. */
export async function sealInstance(d: Dependencies, { log }: Telemetry, job: Job, signal: AbortSignal): Promise<void> {
  const access = await accessOf(d, job);
  const rows = await sealClearText(d.db, access, signal);
  log.info({ instance: access.instance, rows }, 'sealed what an earlier release kept in clear');
  if (signal.aborted) await retryJob(d.db, job, 0);
  else await completeJob(d.db, job);
}
