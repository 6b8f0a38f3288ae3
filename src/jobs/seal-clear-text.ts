import { z } from 'zod';
import { sealClearText as sealRows } from '../domain/memories/seal-clear-text.ts';
import { workerAccessOf } from './worker-access.ts';
import { defineJob, retryUntilDone, type JobOutcome } from './job.ts';

/** A migration enqueues it. */
export const sealClearTextJob = defineJob({
  name: 'seal-clear-text',
  description: 'Seals what an earlier release kept of an instance in clear.',
  payload: z.object({}),
  retry: retryUntilDone,
  operation: 'seal',
  async handler({ deps, telemetry: { log }, job, signal }): Promise<JobOutcome> {
    const access = await workerAccessOf(deps, job);
    const rows = await sealRows(deps.db, access, signal);
    log.info({ instance: access.instance, rows }, 'sealed what an earlier release kept in clear');
    return signal.aborted ? { runAgainInMs: 0 } : 'done';
  },
});
