import { z } from 'zod';
import { DomainError } from '../domain/errors.ts';
import { embeddingProgress, reembed } from '../domain/memories/reembed.ts';
import type { Access } from '../domain/tenancy/access.ts';
import { accessOf } from './access-of.ts';
import { defineJob, doneOrAgain, untilDone, type Outcome } from './job.ts';

const toldEveryMs = 5_000;

const payload = z.object({});
declare module './queue.ts' {
  interface JobPayloads {
    'reembed-instance': z.output<typeof payload>;
  }
}

export const reembedInstance = defineJob({
  name: 'reembed-instance',
  description: "Makes the vectors of an instance's memories anew, for as long as the embedding model answers.",
  payload,
  retry: untilDone,
  operation: 'reembed',
  async handler({ deps, telemetry: { log }, job, signal, backoffMs }): Promise<Outcome> {
    let toldAt = -Infinity;
    const progress = async (access: Access) => {
      if (performance.now() - toldAt < toldEveryMs) return;
      toldAt = performance.now();
      log.info({ instance: access.instance, ...(await embeddingProgress(deps, access)) }, 're-embedding');
    };
    try {
      return doneOrAgain(await reembed(deps, () => accessOf(deps, job), { signal, progress }));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      log.warn({ job: job.id, error }, 're-embedding waits for its model');
      return { runAgainInMs: backoffMs };
    }
  },
});
