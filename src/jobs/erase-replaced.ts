import { z } from 'zod';
import { forgetReplaced } from '../domain/erasure/forget-documents.ts';
import { accessAsWorker } from '../domain/tenancy/authenticate.ts';
import { defineJob, retryUntilDone, type JobOutcome } from './job.ts';

export const eraseReplacedJob = defineJob({
  name: 'erase-replaced',
  description: 'Erases a document that another of its id replaced, and the memories that only it states.',
  payload: z.object({}),
  retry: retryUntilDone,
  operation: 'erase_replaced',
  async handler({ deps, job }): Promise<JobOutcome> {
    await forgetReplaced(deps, await accessAsWorker(deps, job), job.id);
    return 'done';
  },
});
