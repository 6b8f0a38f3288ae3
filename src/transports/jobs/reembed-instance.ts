import { completeJob, retryJob, type Job } from '../../db/queue.ts';
import type { Dependencies } from '../../dependencies.ts';
import { DomainError } from '../../domain/errors.ts';
import { embeddingProgress, reembed } from '../../domain/memories/reembed.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import type { Telemetry } from '../../telemetry.ts';
import { accessOf } from './access-of.ts';

const toldEveryMs = 5_000;
const retryMs = { first: 500, most: 30_000 };

/** Goes on for as long as the model answers, then waits and goes on from there; nothing of it is ever given up. */
export async function reembedInstance(
  d: Dependencies,
  { log }: Telemetry,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  let toldAt = -Infinity;
  const progress = async (access: Access) => {
    if (performance.now() - toldAt < toldEveryMs) return;
    toldAt = performance.now();
    log.info({ instance: access.instance, ...(await embeddingProgress(d, access)) }, 're-embedding');
  };
  try {
    const waitMs = await reembed(d, () => accessOf(d, job), { signal, progress });
    if (waitMs === null) await completeJob(d.db, job);
    else await retryJob(d.db, job, waitMs);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    log.warn({ job: job.id, error }, 're-embedding waits for its model');
    await retryJob(d.db, job, delayOf(job));
  }
}

/** Longer at each try. */
export const delayOf = ({ attempt }: Job) => Math.min(retryMs.first * 2 ** Math.min(attempt - 1, 10), retryMs.most);
