import { z } from 'zod';
import { sweepRetention as sweep } from '../domain/erasure/sweep-retention.ts';
import { accessAsWorker } from '../domain/tenancy/authenticate.ts';
import { defineJob, retryUntilDone, type JobOutcome } from './job.ts';

export const sweepRetentionJob = defineJob({
  name: 'sweep-retention',
  description: 'Archives and removes the memories of an instance whose time is over.',
  payload: z.object({}),
  retry: retryUntilDone,
  operation: 'sweep',
  async handler({ deps, telemetry: { log }, job, signal }): Promise<JobOutcome> {
    const access = await accessAsWorker(deps, job);
    deps.metering.noteStorage(access.instanceNumber); // each month begins with what is held, whether anybody calls or not
    await deps.metering.flush(deps.now()); // what was read a moment ago has been accessed
    const swept = await sweep(deps, access, signal);
    if (swept.archived || swept.evicted) log.info({ instance: access.instance, ...swept }, 'retention');
    return signal.aborted ? { runAgainInMs: 0 } : 'done';
  },
});
