import { z } from 'zod';
import { rewrapDataKeys } from '../domain/administration/master-key.ts';
import { defineJob, retryUntilDone, type JobOutcome } from './job.ts';

export const rotateMasterKeyJob = defineJob({
  name: 'rotate-master-key',
  description: 'Wraps every data key by the current master key; those that do not open wait for their master key.',
  payload: z.object({}),
  retry: retryUntilDone,
  operation: 'rotate',
  async handler({ deps, telemetry: { log }, signal, backoffMs }): Promise<JobOutcome> {
    const failures = await rewrapDataKeys(deps, signal, (instance, error) =>
      log.error({ instance, error }, 'a data key could not be wrapped by the current master key'),
    );
    if (signal.aborted) return { runAgainInMs: 0 };
    if (failures) return { runAgainInMs: backoffMs };
    log.info({ master_key: deps.keyRing.masterKeyId }, 'every data key is rewrapped');
    return 'done';
  },
});
