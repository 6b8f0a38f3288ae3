import { z } from 'zod';
import { removePurged } from '../domain/administration/purge-instance.ts';
import { defineJob, doneOrAgain, untilDone, type Outcome } from './job.ts';

const payload = z.object({});
declare module './queue.ts' {
  interface JobPayloads {
    'purge-instance': z.output<typeof payload>;
  }
}

export const purgeInstance = defineJob({
  name: 'purge-instance',
  description: 'Removes what there is of a purged instance, and again once no call is left that could write.',
  payload,
  retry: untilDone,
  operation: 'purge',
  async handler({ deps, job, signal }): Promise<Outcome> {
    return doneOrAgain(await removePurged(deps, job.i, { signal }));
  },
});
