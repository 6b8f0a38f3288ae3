import { z } from 'zod';
import { DomainError } from '../domain/errors.ts';
import { embeddingProgress, reembedMemories } from '../domain/memories/reembed.ts';
import type { Access } from '../domain/tenancy/access.ts';
import { accessAsWorker } from '../domain/tenancy/authenticate.ts';
import { defineJob, doneOrRunAgain, retryUntilDone, type JobOutcome } from './job.ts';

const toldEveryMs = 5_000;

export const reembedInstanceJob = defineJob({
  name: 'reembed-instance',
  description: "Makes the vectors of an instance's memories anew, for as long as the embedding model answers.",
  payload: z.object({}),
  retry: retryUntilDone,
  operation: 'reembed',
  async handler({ deps, telemetry: { log }, job, signal, backoffMs }): Promise<JobOutcome> {
    let toldAt = -Infinity;
    const progress = async (access: Access) => {
      if (performance.now() - toldAt < toldEveryMs) return;
      toldAt = performance.now();
      log.info({ instance: access.instance, ...(await embeddingProgress(deps, access)) }, 're-embedding');
    };
    try {
      return doneOrRunAgain(await reembedMemories(deps, () => accessAsWorker(deps, job), { signal, progress }));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      log.warn({ job: job.id, error }, 're-embedding waits for its model');
      return { runAgainInMs: backoffMs };
    }
  },
});
