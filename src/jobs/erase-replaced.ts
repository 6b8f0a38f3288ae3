import { z } from 'zod';
import { forgetReplaced } from '../domain/erasure/forget-documents.ts';
import { accessOf } from './access-of.ts';
import { defineJob, untilDone, type Outcome } from './job.ts';

/** The id of the job is that of the ingestion. */
const payload = z.object({});
declare module './queue.ts' {
  interface JobPayloads {
    'erase-replaced': z.output<typeof payload>;
  }
}

export const eraseReplaced = defineJob({
  name: 'erase-replaced',
  description: 'Erases a document that another of its id replaced, and the memories that only it states.',
  payload,
  retry: untilDone,
  operation: 'erase_replaced',
  async handler({ deps, job }): Promise<Outcome> {
    await forgetReplaced(deps, await accessOf(deps, job), job.id);
    return 'done';
  },
});
