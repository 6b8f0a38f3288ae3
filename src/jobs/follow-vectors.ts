import { z } from 'zod';
import { finishReceipts } from '../domain/erasure/finish-receipts.ts';
import { accessOf } from './access-of.ts';
import { defineJob, doneOrAgain, untilDone, type Outcome } from './job.ts';

const payload = z.object({});
declare module './queue.ts' {
  interface JobPayloads {
    'follow-vectors': z.output<typeof payload>;
  }
}

export const followVectors = defineJob({
  name: 'follow-vectors',
  description: 'Brings the vector index to what the rows say, and completes the receipts that waited for it.',
  payload,
  retry: untilDone,
  operation: 'follow_vectors',
  async handler({ deps, job }): Promise<Outcome> {
    const access = await accessOf(deps, job);
    await finishReceipts(deps, access);
    return doneOrAgain(await deps.vectors.followAll(access));
  },
});
