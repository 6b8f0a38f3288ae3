import { z } from 'zod';
import { removePurgedData } from '../domain/administration/purge-instance.ts';
import { defineJob, doneOrRunAgain, retryUntilDone, type JobOutcome } from './job.ts';

export const purgeInstanceJob = defineJob({
  name: 'purge-instance',
  description: 'Removes what there is of a purged instance, and again once no call is left that could write.',
  payload: z.object({}),
  retry: retryUntilDone,
  operation: 'purge',
  async handler({ deps, job, signal }): Promise<JobOutcome> {
    return doneOrRunAgain(await removePurgedData(deps, job.instanceNumber, { signal }));
  },
});
