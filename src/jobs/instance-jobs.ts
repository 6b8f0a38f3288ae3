import { Counter } from 'prom-client';
import { z } from 'zod';
import { rewrapDataKeys } from '../domain/administration/master-key.ts';
import { removePurgedData } from '../domain/administration/purge-instance.ts';
import { finishReceipts } from '../domain/erasure/finish-receipts.ts';
import { forgetReplaced } from '../domain/erasure/forget-documents.ts';
import { sweepRetention } from '../domain/erasure/sweep-retention.ts';
import { DomainError } from '../domain/errors.ts';
import { instanceIdOf } from '../domain/ids.ts';
import { embeddingProgress, reembedMemories } from '../domain/memories/reembed.ts';
import { repairVectorIndexOf, type IndexDifferences } from '../domain/memories/repair-vectors.ts';
import type { Access } from '../domain/tenancy/access.ts';
import { accessAsWorker } from '../domain/tenancy/authenticate.ts';
import { getOrCreateMetric, type Telemetry } from '../telemetry.ts';
import { doneOrRunAgain, retryUntilDone, type JobDefinition } from './job.ts';
import type { InstanceJobName } from './queue.ts';

/** The interval at which a long job reports its progress. */
const toldEveryMs = 5_000;

/** The jobs of a whole instance, by name: they have no payload, and are run again until they are done. */
const byName: Record<InstanceJobName, Omit<JobDefinition, 'name' | 'payload' | 'retry'>> = {
  'reembed-instance': {
    description: "Makes the vectors of an instance's memories anew, for as long as the embedding model answers.",
    operation: 'reembed',
    async handler({ deps, telemetry: { log }, job, signal, backoffMs }) {
      let toldAt = -Infinity;
      const progress = async (access: Access) => {
        if (performance.now() - toldAt < toldEveryMs) return;
        toldAt = performance.now();
        log.info({ instance: access.instance, ...(await embeddingProgress(deps, access)) }, 're-embedding');
      };
      try {
        return doneOrRunAgain(await reembedMemories(deps, () => accessAsWorker(deps, job), { signal, progress }));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        log.warn({ job: job.id, error }, 're-embedding waits for its model');
        return { runAgainInMs: backoffMs };
      }
    },
  },
  'follow-vectors': {
    description: 'Brings the vector index to what the rows say, and completes the receipts that waited for it.',
    operation: 'follow_vectors',
    async handler({ deps, job }) {
      const access = await accessAsWorker(deps, job);
      await finishReceipts(deps, access);
      return doneOrRunAgain(await deps.vectors.applyAllPending(access));
    },
  },
  'repair-vectors': {
    description: 'Compares the vector index of an instance with its rows, mends it, and counts the differences.',
    operation: 'repair_vectors',
    async handler({ deps, telemetry, job, signal }) {
      const instance = instanceIdOf(job.instanceNumber);
      let toldAt = performance.now();
      const progress = (found: IndexDifferences) => {
        if (performance.now() - toldAt < toldEveryMs) return;
        toldAt = performance.now();
        telemetry.log.info({ instance, ...found }, 'comparing the vector index with the rows');
      };
      const found = await repairVectorIndexOf(deps, await accessAsWorker(deps, job), { signal, progress });
      const isWrong = found.lacking + found.orphaned + found.differing > 0;
      telemetry.log[isWrong ? 'warn' : 'info']({ instance, ...found }, 'the vector index was compared with the rows');
      const counted = differences(telemetry);
      for (const kind of ['lacking', 'orphaned', 'differing'] as const) counted.inc({ kind }, found[kind]);
      return 'done';
    },
  },
  'rotate-master-key': {
    description: 'Wraps every data key by the current master key; those that do not open wait for their master key.',
    operation: 'rotate',
    async handler({ deps, telemetry: { log }, signal, backoffMs }) {
      const failures = await rewrapDataKeys(deps, signal, (instance, error) =>
        log.error({ instance, error }, 'a data key could not be wrapped by the current master key'),
      );
      if (signal.aborted) return { runAgainInMs: 0 };
      if (failures) return { runAgainInMs: backoffMs };
      log.info({ master_key: deps.keyRing.masterKeyId }, 'every data key is rewrapped');
      return 'done';
    },
  },
  'purge-instance': {
    description: 'Removes what there is of a purged instance, and again once no call is left that could write.',
    operation: 'purge',
    async handler({ deps, job, signal }) {
      return doneOrRunAgain(await removePurgedData(deps, job.instanceNumber, { signal }));
    },
  },
  'sweep-retention': {
    description: 'Archives and removes the memories of an instance whose time is over.',
    operation: 'sweep',
    async handler({ deps, telemetry: { log }, job, signal }) {
      const access = await accessAsWorker(deps, job);
      deps.metering.noteStorage(access.instanceNumber); // each month begins with what is held, whether anybody calls or not
      await deps.metering.flush(deps.now()); // what was read a moment ago has been accessed
      const swept = await sweepRetention(deps, access, signal);
      if (swept.archived || swept.evicted) log.info({ instance: access.instance, ...swept }, 'retention');
      return signal.aborted ? { runAgainInMs: 0 } : 'done';
    },
  },
  'erase-replaced': {
    description: 'Erases a document that another of its id replaced, and the memories that only it states.',
    operation: 'erase_replaced',
    async handler({ deps, job }) {
      await forgetReplaced(deps, await accessAsWorker(deps, job), job.id);
      return 'done';
    },
  },
};

const differences = ({ registry }: Telemetry) =>
  getOrCreateMetric(registry, Counter<'kind'>, {
    name: 'presage_vector_differences_total',
    help: 'Differences between the vector index and the rows that were found and mended, by kind.',
    labelNames: ['kind'],
  });

export const instanceJobs = (Object.keys(byName) as InstanceJobName[]).map((name): JobDefinition<InstanceJobName> => ({
  name,
  payload: z.object({}),
  retry: retryUntilDone,
  ...byName[name],
}));
