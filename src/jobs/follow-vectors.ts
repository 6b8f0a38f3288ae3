import { z } from 'zod';
import { finishReceipts } from '../domain/erasure/finish-receipts.ts';
import { accessAsWorker } from '../domain/tenancy/authenticate.ts';
import { defineJob, doneOrRunAgain, retryUntilDone, type JobOutcome } from './job.ts';

export const followVectorsJob = defineJob({
  name: 'follow-vectors',
  description: 'Brings the vector index to what the rows say, and completes the receipts that waited for it.',
  payload: z.object({}),
  retry: retryUntilDone,
  operation: 'follow_vectors',
  async handler({ deps, job }): Promise<JobOutcome> {
    const access = await accessAsWorker(deps, job);
    await finishReceipts(deps, access);
    return doneOrRunAgain(await deps.vectors.applyAllPending(access));
  },
});
