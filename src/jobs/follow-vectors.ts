import { z } from 'zod';
import { finishReceipts } from '../domain/erasure/finish-receipts.ts';
import { workerAccessOf } from './worker-access.ts';
import { defineJob, doneOrRunAgain, retryUntilDone, type JobOutcome } from './job.ts';

export const followVectorsJob = defineJob({
  name: 'follow-vectors',
  description: 'Brings the vector index to what the rows say, and completes the receipts that waited for it.',
  payload: z.object({}),
  retry: retryUntilDone,
  operation: 'follow_vectors',
  async handler({ deps, job }): Promise<JobOutcome> {
    const access = await workerAccessOf(deps, job);
    await finishReceipts(deps, access);
    return doneOrRunAgain(await deps.vectors.followAll(access));
  },
});
