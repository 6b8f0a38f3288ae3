import { z } from 'zod';
import { runQueuedCompaction } from '../domain/compaction/queued-compaction.ts';
import { compactionStrategies } from '../domain/configurations/configuration.ts';
import { hasErrorCode } from '../domain/errors.ts';
import { accessAsWorker } from '../domain/tenancy/authenticate.ts';
import { defineJob, retryUntilDone, type JobOutcome } from './job.ts';
import { completeJob } from './queue.ts';

/**
 * From this attempt on, about 15 s after the first, what is not ingested yet is waited for no longer: where people go on
 * talking, something never is.
 */
const firstAttemptWithoutWaiting = 6;

export const compactConversationJob = defineJob({
  name: 'compact-conversation',
  description: 'Compacts a conversation: as it was requested, or once it is long where the configuration says so.',
  payload: z.object({
    conversationId: z.uuid(),
    isRequested: z.boolean().optional(),
    strategy: z.enum(compactionStrategies).optional(),
    targetTokens: z.int().optional(),
  }),
  retry: { ...retryUntilDone, maxWorkerCrashes: 3 },
  operation: 'compact',
  async handler({ deps, job, backoffMs }): Promise<JobOutcome> {
    const waits = job.attempt < firstAttemptWithoutWaiting;
    try {
      const isOver = await runQueuedCompaction(deps, await accessAsWorker(deps, job), job.payload, { waits });
      return isOver ? 'done' : { runAgainInMs: backoffMs };
    } catch (error) {
      // It was forgotten meanwhile.
      if (!hasErrorCode(error, 'context_not_found')) throw error;
      return 'done';
    }
  },

  /** The version before stays, and a compaction that failed is counted. */
  async deadLetter({ deps, job }): Promise<void> {
    if (!(await completeJob(deps.db, job))) return;
    const variant = job.payload.strategy ?? '';
    deps.metering.measure(job.instanceNumber, 'compact', { variant, ms: 0, isError: true });
  },
});
